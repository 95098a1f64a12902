'use strict'

/**
 * How many invocations may be in flight: less after a refusal, and then more again by the clock, not by the answer: an
 * invocation may take a minute, and one more slot a minute would never make up for a single refusal in thousands of
 * parts. The curve is CUBIC's (RFC 9438), which other clients' adaptive retries use too: soon back near what was borne,
 * slow around it, then bolder. Pure: the clock comes in.
 */

/** One crowd of refusals is one signal: those that come within this time of a decrease say nothing new. */
const ONE_SIGNAL_MS = 1_000
const DECREASE = 0.7
/** A platform counts an invocation for a moment after it was answered: who is refused at its limit was hardly too many. */
const NEAR = 0.9
/** How steep the curve is. */
const SCALE = 0.4

/**
 * @param {number} asked never above it
 */
function createPlatformLimit(asked) {
  let most = asked
  let current = asked
  let decreasedMs = Number.NEGATIVE_INFINITY
  /** Where the curve is level. */
  let borne = asked
  /** How long after a decrease it gets there. */
  let levelS = 0

  return {
    /** Whole, and at least 1. */
    current: () => Math.max(1, Math.floor(current)),

    /** An invocation was answered. @param {{ nowMs: number }} answer */
    answered({ nowMs }) {
      const curve = borne + SCALE * ((nowMs - decreasedMs) / 1000 - levelS) ** 3
      current = Math.min(most, Math.max(current, curve))
    },

    /**
     * The platform refused one.
     *
     * @param {object} refusal
     * @param {number} refusal.nowMs
     * @param {number} refusal.others still under way: what it does bear
     * @param {number} [refusal.allowed] at once, where the platform says so
     */
    refused({ nowMs, others, allowed = Number.POSITIVE_INFINITY }) {
      most = Math.max(1, Math.min(most, allowed))
      current = Math.min(current, most)
      if (nowMs - decreasedMs < ONE_SIGNAL_MS) return
      decreasedMs = nowMs
      borne = Math.min(current, others + 1)
      if (borne >= NEAR * allowed) {
        most = Math.max(1, NEAR * allowed, Math.min(most, borne - 1))
        current = Math.min(current, most)
        return
      }
      current = Math.max(1, borne * DECREASE)
      levelS = Math.cbrt(Math.max(0, borne - current) / SCALE)
    },
  }
}

module.exports = { createPlatformLimit }
