'use strict'

/**
 * The limit of invocations in flight for the platform. It falls after a refusal, and then rises with time, not with answers:
 * an invocation may take a minute, and one more slot per minute would never make up for a single refusal in thousands of
 * parts. The curve is that of CUBIC (RFC 9438), which other clients' adaptive retries use too: it returns quickly to near
 * the old limit, is flat around it, and then grows faster. Pure: the clock is an argument.
 */

/** Refusals within this time of a decrease belong to it, and do not lower the limit again. */
const ONE_SIGNAL_MS = 1_000
const DECREASE = 0.7
/** A platform counts an invocation for a moment after its answer, so a refusal near the allowed maximum lowers by only one. */
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
  /** The limit at which the curve is flat. */
  let borne = asked
  /** The time after a decrease at which it reaches that limit. */
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
     * @param {number} refusal.others invocations still in flight, which it has accepted
     * @param {number} [refusal.allowed] the maximum at once, if the platform says it
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
