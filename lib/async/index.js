'use strict'

/** Waiting: a clock with timers, repetition with back-off, deadlines, many items, and the two ways to stop (cancel, abort). */

module.exports = {
  ...require('./cancellation'),
  ...require('./each'),
  ...require('./memoize'),
  ...require('./repeat'),
}
