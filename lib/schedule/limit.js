'use strict'

/**
 * How many invocations may be in flight: halfway between what was asked for and what the platform bears, found by
 * additive increase and multiplicative decrease (Chiu and Jain, 1989). Pure: the clock comes in.
 */

/** One crowd of refusals is one signal: those that come within this time of a decrease say nothing new. */
const ONE_SIGNAL_MS = 1_000
const DECREASE = 0.7
/** A platform counts an invocation for a moment after it was answered: who is refused at its limit was hardly too many. */
const NEAR = 0.9
const NEAR_DECREASE = 0.96

/**
 * @param {number} asked never above it
 */
function createLimit(asked) {
  let most = asked
  let current = asked
  let decreasedMs = Number.NEGATIVE_INFINITY

  return {
    /** Whole, and at least 1. */
    current: () => Math.max(1, Math.floor(current)),

    /** An invocation was answered: one more slot for each round of them. */
    success() {
      current = Math.min(most, current + 1 / current)
    },

    /**
     * The platform, or a store, refused one.
     * @param {number} nowMs
     * @param {number} inFlight others still running: what it does bear
     * @param {number} [allowed] at once, where the platform says so
     */
    throttled(nowMs, inFlight, allowed = Number.POSITIVE_INFINITY) {
      most = Math.max(1, Math.min(most, allowed))
      const borne = Math.min(current, inFlight + 1, most)
      current = Math.min(current, most)
      if (nowMs - decreasedMs < ONE_SIGNAL_MS) return
      decreasedMs = nowMs
      current = Math.max(1, borne * (borne >= NEAR * allowed ? NEAR_DECREASE : DECREASE))
    },
  }
}

module.exports = { createLimit }
