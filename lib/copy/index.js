'use strict'

/** Plans and copies one object, in one request, in parts or by the store itself. The ways that not every copy goes are loaded on use. */

const { lazily } = require('../lazily')

const own = {
  ...require('./attributes'),
  ...require('./copy'),
  ...require('./plan'),
  ...require('./report'),
  ...require('./write'),
}

/** @typedef {typeof import('./move') & typeof import('./small') & typeof import('./store')} Later */

module.exports = /** @type {typeof own & Later} */ (
  lazily(own, [
    [() => require('./move'), ['findAlready', 'removeSource']],
    [() => require('./small'), ['byStore', 'createPut', 'signsLate', 'throughEngine']],
    [() => require('./store'), ['copiesWhole', 'refusalOf', 'serverWay']],
  ])
)
