'use strict'

/**
 * How fast a platform starts new environments of a function: so many at a time, and then so many a second. An invocation needs
 * a new one if as many as ever are in flight already. Pure: the clock is an argument.
 */

/** @param {import('../../types').Ramp} ramp */
function createRamp({ atOnce, perSecond }) {
  let left = atOnce
  let filledMs = Number.POSITIVE_INFINITY
  /** The environments that were started, as far as we know. */
  let started = 0

  /** @param {number} nowMs */
  function fill(nowMs) {
    left = Math.min(atOnce, left + (Math.max(0, nowMs - filledMs) / 1000) * perSecond)
    filledMs = nowMs
  }

  return {
    /**
     * @param {number} nowMs
     * @param {number} inFlight
     * @returns {number} milliseconds until one more may start; 0: now
     */
    waitMs(nowMs, inFlight) {
      if (inFlight < started) return 0
      fill(nowMs)
      return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000)
    },

    /** An invocation starts. @param {number} nowMs @param {number} inFlight it included */
    started(nowMs, inFlight) {
      if (inFlight <= started) return
      fill(nowMs)
      left--
      started = inFlight
    },
  }
}

module.exports = { createRamp }
