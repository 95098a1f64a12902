'use strict'

/** The checks of `xfer doctor` that belong to no store and no engine, and what runs them. */

const { lazily } = require('../lazily')

module.exports = /** @type {typeof import('./run') & typeof import('./stores') & typeof import('./deep')} */ (
  lazily({ ...require('./run'), ...require('./stores') }, [[() => require('./deep'), ['deepChecks']]])
)
