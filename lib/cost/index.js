'use strict'

/** What a job uses, and what that costs. */

const { lazily } = require('../lazily')

const own = require('./usage')

// Prices are for those who ask.
module.exports = /** @type {typeof own & typeof import('./prices')} */ (
  lazily(own, [[() => require('./prices'), ['checkPlan', 'costOf', 'costOfRunner', 'readAmount', 'readPrices']]])
)
