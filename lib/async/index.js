'use strict'

/** Waiting: a clock with timers, repetition with back-off, deadlines, and the two ways to stop (cancel, abort). */

const { systemClock } = require('./clock')
const { repeat } = require('./repeat')
const { requestedWaitMs } = require('./retry-after')
const { createCancellation } = require('./cancellation')
const { untilAborted } = require('./until-aborted')

module.exports = { createCancellation, repeat, requestedWaitMs, systemClock, untilAborted }
