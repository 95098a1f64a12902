'use strict'

/**
 * How many invocations a calendar minute the platform allows. It counts refused ones too, so nothing is asked once the
 * minute is spent (OpenWhisk: core/entitlement/RateThrottler.scala). Pure: clock and chance come in, and the clock is the
 * platform's.
 */

const MINUTE_MS = 60_000
/** Our idea of its clock is not exact, and all its clients wait for the same minute. */
const MARGIN_MS = 500
const SPREAD_MS = 1_500

/**
 * @param {number} perMinute Infinity where no limit is known
 * @param {() => number} random
 */
function createQuota(perMinute, random) {
  let allowed = perMinute
  let minute = Number.NEGATIVE_INFINITY
  let used = 0
  let opensMs = 0

  /** @param {number} nowMs */
  function enter(nowMs) {
    const current = Math.floor(nowMs / MINUTE_MS)
    if (current === minute) return
    minute = current
    used = 0
  }

  /** @param {number} nowMs */
  function shut(nowMs) {
    const nextMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS
    if (opensMs < nextMs) opensMs = nextMs + MARGIN_MS + SPREAD_MS * random()
  }

  return {
    /** Invocations a minute, as far as they are known. */
    perMinute: () => allowed,

    /** Invocations that may start before the next minute. @param {number} nowMs */
    left(nowMs) {
      enter(nowMs)
      return opensMs > nowMs ? 0 : Math.max(0, allowed - used)
    },

    /** @param {number} nowMs @returns {number} milliseconds until an invocation may start; 0: now */
    waitMs: nowMs => Math.max(0, opensMs - nowMs),

    /** An invocation starts. @param {number} nowMs */
    spend(nowMs) {
      enter(nowMs)
      used++
      if (used >= allowed) shut(nowMs)
    },

    /**
     * The platform says that this minute is spent.
     *
     * @param {number} nowMs
     * @param {number | undefined} most how many it says it allows; where it does not say, fewer than it was asked for
     */
    refused(nowMs, most) {
      enter(nowMs)
      allowed = most ?? Math.min(allowed, Math.max(1, used - 1))
      shut(nowMs)
    },
  }
}

module.exports = { createQuota }
