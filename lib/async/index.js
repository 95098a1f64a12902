'use strict'

/** Waiting: a clock with timers, repetition with back-off, deadlines, many items, and the two ways to stop (cancel, abort). */

const { inBatches } = require('./batches')
const { systemClock } = require('./clock')
const { repeat } = require('./repeat')
const { requestedWaitMs } = require('./retry-after')
const { createCancellation } = require('./cancellation')
const { eachAtOnce } = require('./each')
const { memoize } = require('./memoize')
const { guardHandler, handlerFailure, isSignal, withHandler } = require('./handler')
const { onAbort } = require('./on-abort')
const { untilAborted } = require('./until-aborted')

module.exports = {
  createCancellation,
  eachAtOnce,
  guardHandler,
  handlerFailure,
  inBatches,
  isSignal,
  withHandler,
  memoize,
  onAbort,
  repeat,
  requestedWaitMs,
  systemClock,
  untilAborted,
}
