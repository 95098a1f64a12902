'use strict'

/** Plans and copies one object, in one request, in parts or by the store itself. What not every copy needs is loaded on use. */

const { lazily } = require('../lazily')

const own = {
  ...require('./attributes'),
  ...require('./plan'),
  ...require('./report'),
}

/**
 * @typedef {typeof import('./copy') & typeof import('./move') & typeof import('./small') & typeof import('./store') &
 *   typeof import('./write')} Later
 */

module.exports = /** @type {typeof own & Later} */ (
  lazily(own, [
    [() => require('./copy'), ['copyBy', 'copyObject']],
    [() => require('./move'), ['findAlready', 'removeSource']],
    [() => require('./small'), ['byStore', 'createPut', 'throughEngine']],
    [() => require('./store'), ['copiesWhole', 'refusalOf', 'serverWay']],
    [() => require('./write'), ['abortEarlierUploads', 'copyProved', 'isReplaced', 'notePlan', 'planOne']],
  ])
)
