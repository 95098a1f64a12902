'use strict'

/**
 * How many invocations a calendar minute the platform allows. It counts refused ones too, so nothing is asked once the
 * minute is spent. Pure: clock and chance come in, and the clock is the
 * platform's.
 */

const MINUTE_MS = 60_000
/** Our idea of its clock is not exact, and all its clients wait for the same minute. */
const MARGIN_MS = 1_000
const SPREAD_MS = 1_000
/** A refusal that is heard so soon in a minute was meant for the one before, unless we used this one up ourselves. */
const LATE_MS = 5_000
/** Where nobody says how many, others may have used up the minute: to believe in fewer would cost more than it saves. */
const LEAST_GUESS = 10

/**
 * @param {number} perMinute Infinity where no limit is known
 * @param {() => number} random
 */
function createQuota(perMinute, random) {
  let allowed = perMinute
  let guessed = false
  let refusedMinute = Number.NEGATIVE_INFINITY
  let minute = Number.NEGATIVE_INFINITY
  let used = 0
  let opensMs = 0

  /** @param {number} nowMs */
  function enter(nowMs) {
    const current = Math.floor(nowMs / MINUTE_MS)
    if (current === minute) return
    // A guess that was used up and not refused was too low.
    if (guessed && used >= allowed && refusedMinute !== minute) allowed *= 2
    minute = current
    used = 0
  }

  /** @param {number} minuteMs when the next one begins */
  function shutUntil(minuteMs) {
    if (opensMs < minuteMs) opensMs = minuteMs + MARGIN_MS + SPREAD_MS * random()
  }

  /** @param {number} nowMs */
  const nextMinuteMs = nowMs => (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS

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
    started(nowMs) {
      enter(nowMs)
      used++
      if (used >= allowed) shutUntil(nextMinuteMs(nowMs))
    },

    /**
     * The platform says that this minute is spent.
     *
     * @param {object} refusal
     * @param {number} refusal.nowMs
     * @param {number} [refusal.allowed] how many it says it allows
     */
    refused({ nowMs, allowed: most }) {
      enter(nowMs)
      if (most !== undefined) {
        allowed = Math.min(perMinute, Math.max(1, most))
        guessed = false
      } else if (allowed === Number.POSITIVE_INFINITY || guessed) {
        allowed = Math.min(allowed, Math.max(LEAST_GUESS, used - 1))
        guessed = true
      }
      refusedMinute = minute
      const ours = most !== undefined && used > most
      shutUntil(nowMs % MINUTE_MS < LATE_MS && !ours ? nowMs : nextMinuteMs(nowMs))
    },
  }
}

module.exports = { createQuota }
