'use strict'

/** Waiting: a clock with timers, repetition with back-off, deadlines, many items, and the two ways to stop (cancel, abort). */

const { inBatches, eachAtOnce } = require('./each')
const { systemClock } = require('./clock')
const { repeat, requestedWaitMs } = require('./repeat')
const { createCancellation, onAbort, untilAborted } = require('./cancellation')
const { memoize } = require('./memoize')
const { createShared, keepShared } = require('./shared')
const { guardHandler, handlerFailure, isSignal, withHandler } = require('./handler')

module.exports = {
  createCancellation,
  createShared,
  eachAtOnce,
  guardHandler,
  handlerFailure,
  inBatches,
  isSignal,
  keepShared,
  withHandler,
  memoize,
  onAbort,
  repeat,
  requestedWaitMs,
  systemClock,
  untilAborted,
}
