'use strict'

/** Shared by engines: the action's interface, and the limits of an engine without limits. */

const { toOutcomes, toParameters } = require('./protocol')
const { UNLIMITED } = require('./unlimited')

module.exports = { toOutcomes, toParameters, UNLIMITED }
