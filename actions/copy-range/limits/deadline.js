'use strict'

/** A task that would start closer to the end than this is not started. */
const START_MARGIN_MS = 2_000

/** Tasks that still run this long before the end are cut off, so that there is time to report the others. */
const CUT_MARGIN_MS = 1_000

/**
 * The end of the invocation.
 * @param {number} at milliseconds since the epoch; Infinity: there is none
 * @param {() => number} now the clock, in milliseconds since the epoch
 */
function makeDeadline(at, now) {
  let longest = 0
  return {
    /** Milliseconds until running tasks are cut off; Infinity where there is no deadline. */
    untilCut: () => at - CUT_MARGIN_MS - now(),
    /** Whether a task that takes as long as the longest so far would still be done in time. */
    leavesTime: () => at - now() > Math.max(START_MARGIN_MS, longest + CUT_MARGIN_MS),
    /** @param {number} ms that a successful task took */
    took: ms => {
      longest = Math.max(longest, ms)
    },
  }
}

module.exports = { makeDeadline }
