'use strict'

/** What stores share: options, words, attributes, modification times, errors, and deletions. The help needs the options alone: the rest is loaded when it is used. */

const { lazily } = require('../../lazily')

/** @typedef {import('../../options/contract').OptionRow} OptionRow */

const OF_SIDES = /** @type {const} */ ({ group: 'places', sides: ['source', 'destination'] })
const OF_SOURCE = /** @type {const} */ ({ group: 'places', sides: ['source'] })

/** @type {OptionRow} */
const ENDPOINT_URL = { name: 'endpointUrl', takes: '<url>', help: 'endpoint of the {side}', ...OF_SIDES, kept: true }

/** @type {OptionRow} */
const NO_SIGN_REQUEST = {
  name: 'noSignRequest',
  help: 'read without credentials',
  ...OF_SOURCE,
  kept: { replacedBy: ['credentials'] },
}

/** @type {OptionRow} */
const VERSION_ID = {
  name: 'versionId',
  flag: '--version-id',
  takes: '<id>',
  ...OF_SOURCE,
  kept: true,
  help: 'read this version of the source, not the newest',
  commands: ['copy', 'verify', 'head', 'presign'],
}

const options = { ENDPOINT_URL, NO_SIGN_REQUEST, OF_SIDES, OF_SOURCE, VERSION_ID }

/** @typedef {typeof options & typeof import('./client') & typeof import('./objects')} CommonDoor */

module.exports = /** @type {CommonDoor} */ (
  lazily(options, [
    [() => require('./client'), ['checkPrivate', 'createClient', 'endpointOf', 'factsOf', 'firstEndpoint']],
    [() => require('./client'), ['classify', 'codeOf', 'connectionError', 'copyError', 'factsIn']],
    [() => require('./client'), ['explainByStatus', 'meaningIn', 'retryAfterIn', 'usage']],
    [() => require('./objects'), ['CONTENT_HEADERS', 'metadataIn', 'tagQuery', 'userHeaders', 'inProcess', 'mtime']],
    [() => require('./objects'), ['containersOf', 'foldersOf', 'removeEach', 'sizeByRange']],
    [() => require('./objects'), ['brief', 'nameAdvice', 'nameFaults', 'nameFaultsText', 'quoted', 'termsOfSide']],
    [() => require('./objects'), ['conditionHeaders', 'encode', 'encodeKey', 'keyFault', 'readCount', 'readTime']],
  ])
)
