'use strict'

/**
 * How many invocations may start, and when: by the platform's quota, by how fast it starts new environments, and by
 * how many are measured to help. Pure: randomness, the clock and the moved bytes are arguments.
 */

/**
 * The platform's quota of invocations per calendar minute. Refused invocations count too, so nothing starts once the minute
 * is used up. The clock is the platform's.
 */

const MINUTE_MS = 60_000
/** A margin: the platform's clock is not known exactly, and all its clients wait for the same minute. */
const MARGIN_MS = 1_000
const SPREAD_MS = 1_000
/** A refusal this early in a minute belongs to the minute before, unless this minute is used up. */
const LATE_MS = 5_000
/** The lowest guess if the quota is not known. Other clients may have used up the minute, so a refusal alone is no reason to guess lower. */
const LEAST_GUESS = 10

/**
 * @param {number} perMinute Infinity if no limit is known
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
    // A guess that was used up without a refusal was too low.
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
    /** The quota per minute, as far as it is known. */
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
     * The platform refused because this minute is used up.
     *
     * @param {object} refusal
     * @param {number} refusal.nowMs
     * @param {number} [refusal.allowed] the quota, if the platform says it
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

/**
 * How fast a platform starts new environments of a function: so many at a time, and then so many a second. An invocation needs
 * a new one if as many as ever are in flight already. Pure: the clock is an argument.
 *
 * @param {import('../types').Ramp} ramp
 */
function createRamp({ atOnce, perSecond }) {
  let left = atOnce
  let filledMs = Number.POSITIVE_INFINITY
  /** The environments that were started, as far as we know. */
  let started = 0

  return {
    /** @param {number} nowMs @param {number} inFlight @returns {number} milliseconds until one more may start; 0: now */
    waitMs(nowMs, inFlight) {
      if (inFlight < started) return 0
      left = Math.min(atOnce, left + (Math.max(0, nowMs - filledMs) / 1000) * perSecond)
      filledMs = nowMs
      return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000)
    },

    /** An invocation starts, for which `waitMs` was 0. @param {number} inFlight it included */
    started(inFlight) {
      if (inFlight <= started) return
      left--
      started = inFlight
    },
  }
}

/**
 * Finds by measuring how many invocations at once help, because the capacity of the network and the machine is not known.
 * Twice as many are tried while that makes the copy clearly faster. The search begins anew now and then, because networks
 * change, and from half as many: if these are nearly as fast they are better, because each costs memory. Pure: the clock and
 * the moved bytes are arguments.
 */

/** The start of a level is not measured: new connections open, and begin slowly. */
const SETTLE_MS = 500
/** After this time a large gain counts, */
const GLANCE_MS = 500
/** and after this time any result: threads report their bytes four times a second, each at its own time. */
const WINDOW_MS = 2_000
/** Twice as many are kept if they move this much more bytes, */
const CLEAR = 1.15
/** and without the longer measurement if they move this much more. */
const STEEP = 1.5
/** How long a level is kept before it is searched again, from half of it; doubled each time that this finds the same. */
const REST_MS = 15_000
const MOST_REST_MS = 120_000

/** Small parts start with this many bytes at once: they would be done before anything was measured. */
const BEGUN_BYTES = 64 * 1024 ** 2
const MOST_BEGUN = 16
/**
 * What the engine begins with is meant for stores that answer in so many milliseconds. Behind 100 ms the search alone would take as long
 * as some thousand small objects; where stores are near, more at once cost a fifth more processor time (2,000 objects, versitygw).
 */
const NEAR_MS = 10

/**
 * @param {{ startWith: number, partBytes: number, roundTripMs?: number }} work startWith: what the engine says; partBytes: of the
 *   largest part; roundTripMs: to the farther store
 */
function beginWith({ startWith, partBytes, roundTripMs = 0 }) {
  const far = Math.ceil((startWith * roundTripMs) / NEAR_MS)
  const short = Math.ceil(BEGUN_BYTES / Math.max(1, partBytes))
  return Math.max(startWith, Math.min(MOST_BEGUN, Math.max(far, short)))
}

/**
 * @param {{ start: () => number, most: number }} bounds start: asked until something was moved; most: never above it
 */
function createNetworkLimit({ start, most }) {
  let least = 1
  /** 0: nothing was moved yet. */
  let level = 0
  let searching = true
  /** The best level of this search, and its rate in bytes per millisecond; 0: none was measured yet. */
  let best = 0
  let base = 0
  /** What the last search found. */
  let found = 0
  let restMs = REST_MS
  let restedMs = 0
  /** @type {number | undefined} since when so many were at work as should be */
  let fullMs
  /** @type {number | undefined} */
  let fromMs
  let bytes = 0

  /** From now on the level is what is measured. */
  function begin() {
    level = Math.min(start(), most)
    least = Math.max(1, Math.min(most, Math.ceil(level / 2)))
    best = level
  }

  /** Measures anew. */
  function look() {
    fullMs = undefined
    fromMs = undefined
  }

  /** Starts the next window directly after this one. @param {number} nowMs */
  function lookOn(nowMs) {
    fromMs = nowMs
    bytes = 0
  }

  /** Twice as many are tried while that helps. @param {number} rate @param {boolean} whole whether a whole window was measured */
  function search(rate, whole) {
    const better = whole ? rate >= CLEAR * base : base > 0 && rate >= STEEP * base
    if (better) {
      best = level
      base = rate
    }
    if (better && level < most) level = Math.min(most, 2 * level)
    else if (better || whole) settle()
    else return
    look()
  }

  function settle() {
    restMs = best === found ? Math.min(2 * restMs, MOST_REST_MS) : REST_MS
    restedMs = 0
    found = best
    level = best
    searching = false
  }

  /** @param {number} ms of the window @param {number} nowMs */
  function rest(ms, nowMs) {
    restedMs += ms
    if (restedMs < restMs) return lookOn(nowMs)
    level = Math.max(least, Math.floor(best / 2))
    base = 0
    searching = true
    look()
  }

  return {
    current: () => level || Math.min(start(), most),

    /** Whether a search has ended below the maximum: more were tried, and were not clearly faster. */
    isFound: () => found > 0 && best < most,

    /**
     * Bytes were moved.
     *
     * @param {object} answer
     * @param {number} answer.nowMs
     * @param {number} answer.moved bytes since the last call
     * @param {number} answer.inFlight invocations: while their number differs from the level, nothing is measured
     */
    answered({ nowMs, moved, inFlight }) {
      if (level === 0) begin()
      if (inFlight !== level) return look()
      fullMs ??= nowMs
      if (nowMs - fullMs < SETTLE_MS) return
      if (fromMs === undefined) return lookOn(nowMs)
      bytes += moved
      const ms = nowMs - fromMs
      if (ms < GLANCE_MS) return
      if (searching) search(bytes / ms, ms >= WINDOW_MS)
      else rest(ms, nowMs)
    },
  }
}

module.exports = { beginWith, createNetworkLimit, createQuota, createRamp }
