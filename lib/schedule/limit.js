'use strict'

/**
 * How many invocations may be in flight: halfway between what was asked for and what the platform bears, found by
 * additive increase and multiplicative decrease (Chiu and Jain, 1989). Pure: the clock comes in.
 */

/** One crowd of refusals is one signal: those that come within this time of a decrease say nothing new. */
const ONE_SIGNAL_MS = 1_000
const DECREASE = 0.7

/**
 * @param {number} most never above it
 */
function createLimit(most) {
  let current = most
  let decreasedMs = Number.NEGATIVE_INFINITY

  return {
    /** Whole, and at least 1. */
    current: () => Math.max(1, Math.floor(current)),

    /** An invocation was answered: one more slot for each round of them. */
    success() {
      current = Math.min(most, current + 1 / current)
    },

    /**
     * The platform refused one.
     * @param {number} nowMs
     * @param {number} inFlight others still running: what it does bear
     */
    throttled(nowMs, inFlight) {
      if (nowMs - decreasedMs < ONE_SIGNAL_MS) return
      decreasedMs = nowMs
      current = Math.max(1, Math.min(current, inFlight + 1) * DECREASE)
    },
  }
}

module.exports = { createLimit }
