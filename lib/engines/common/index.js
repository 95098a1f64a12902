'use strict'

/** What engines share: the action's interface, and the limits of what has none. */

const { toOutcomes, toParameters } = require('./protocol')
const { UNLIMITED } = require('./unlimited')

module.exports = { toOutcomes, toParameters, UNLIMITED }
