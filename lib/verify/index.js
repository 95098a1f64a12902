'use strict'

/** Proofs by reading: of a copy, and of two objects that are compared. Most copies need none of it, so it is loaded on use. */

const { lazily } = require('../lazily')

/** @typedef {typeof import('./compare') & typeof import('./read-back')} ReadLater */

const own = { ...require('./read') }

module.exports = /** @type {typeof own & ReadLater} */ (
  lazily(own, [
    [
      () => require('./compare'),
      [
        'askPartSize',
        'checkSizes',
        'compareByReading',
        'factsOf',
        'isComparable',
        'proveByMd5',
        'proveByStored',
        'rangesToRead',
        'sideOf',
      ],
    ],
    [
      () => require('./read-back'),
      ['checkReadable', 'firstWrong', 'forgetUpload', 'readSource', 'recheckSource', 'wrongCopy'],
    ],
  ])
)
