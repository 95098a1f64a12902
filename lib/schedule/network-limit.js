'use strict'

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
 * @param {{ startWith: number, partBytes: number }} work startWith: what the engine says; partBytes: of the largest part
 */
function beginWith({ startWith, partBytes }) {
  return Math.max(startWith, Math.min(MOST_BEGUN, Math.ceil(BEGUN_BYTES / Math.max(1, partBytes))))
}

/**
 * @param {{ start: number, most: number }} bounds most: never above it
 */
function createNetworkLimit({ start, most }) {
  const least = Math.max(1, Math.min(most, Math.ceil(start / 2)))
  let level = Math.min(start, most)
  let searching = true
  /** The best level of this search, and its rate in bytes per millisecond; 0: none was measured yet. */
  let best = level
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
    current: () => level,

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

module.exports = { beginWith, createNetworkLimit }
