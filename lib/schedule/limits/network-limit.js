'use strict'

/**
 * Finds by measuring how many invocations at once help, because the capacity of the network and the machine is not known.
 * More are added while that makes the copy clearly faster, and removed if it does not. It is tried again now and then,
 * because networks change. If fewer are as fast they are better: each costs memory. Pure: the clock and the moved bytes are
 * arguments.
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
/** Half as many are enough if they move at least this share. */
const HARMLESS = 0.97
/** Code and connections warm up: the first rate counts once it grows by no more than this. */
const WARM = 1.1
const MOST_GLANCES = 3
/** How long a level is kept before others are tried; doubled after each try without a gain. */
const REST_MS = 15_000
const MOST_REST_MS = 300_000
/** If the rate changes by this factor twice in a row, the network has changed. */
const CHANGED = 1.5

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
  /** @type {'first' | 'up' | 'rest' | 'probe' | 'back'} */
  let mode = 'first'
  /** The measured level, and its rate in bytes per millisecond. */
  let known = level
  let base = 0
  /** What another level moved. */
  let tried = { level, rate: 0 }
  let restMs = REST_MS
  let restedMs = 0
  let surprises = 0
  let glances = 0
  let upNext = false
  /** @type {number | undefined} since when so many were at work as should be */
  let fullMs
  /** @type {number | undefined} */
  let fromMs
  let bytes = 0

  function look() {
    fullMs = undefined
    fromMs = undefined
  }

  /** Starts the next window directly after this one. @param {number} nowMs */
  function lookOn(nowMs) {
    fromMs = nowMs
    bytes = 0
  }

  /** @param {typeof mode} next @param {number} wanted */
  function go(next, wanted) {
    mode = next
    level = Math.max(least, Math.min(most, wanted))
    look()
  }

  /** @param {number} rate of this level */
  function accept(rate) {
    // Half as many were just measured to be slower: do not try that again.
    upNext = mode === 'up' && rate >= STEEP * base
    known = level
    base = rate
    if (known < most) go('up', 2 * known)
    else rest(REST_MS)
  }

  /** @param {number} forMs */
  function rest(forMs) {
    restMs = forMs
    restedMs = 0
    surprises = 0
    go('rest', known)
  }

  /** @param {number} rate @param {number} nowMs */
  function first(rate, nowMs) {
    const warm = rate <= WARM * base || ++glances >= MOST_GLANCES
    base = rate
    if (warm) accept(rate)
    else lookOn(nowMs)
  }

  /** @param {number} rate @param {number} ms */
  function up(rate, ms) {
    if (ms >= WINDOW_MS ? rate >= CLEAR * base : rate >= STEEP * base) accept(rate)
    else if (ms >= WINDOW_MS) rest(REST_MS)
  }

  /** @param {number} rate @param {number} ms @param {number} nowMs */
  function resting(rate, ms, nowMs) {
    restedMs += ms
    const surprising = rate > CHANGED * base || rate * CHANGED < base
    surprises = surprising ? surprises + 1 : 0
    if (surprises > 1) return accept(rate)
    if (!surprising) base += 0.3 * (rate - base)
    if (restedMs < restMs || surprising) return lookOn(nowMs)
    const upward = (upNext && known < most) || known === least
    upNext = !upward
    if (upward && known === most) return rest(MOST_REST_MS)
    go('probe', upward ? 2 * known : Math.floor(known / 2))
  }

  /** Measures the previous level again, in case the network itself has changed. @param {number} rate */
  function judge(rate) {
    const before = Math.max(base, rate)
    const better = tried.level > known ? tried.rate >= CLEAR * before : tried.rate >= HARMLESS * before
    base = rate
    if (!better) return rest(Math.min(2 * restMs, MOST_REST_MS))
    const upward = tried.level > known
    known = tried.level
    base = tried.rate
    if (upward && known < most) go('up', 2 * known)
    else rest(REST_MS)
  }

  return {
    current: () => level,

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
      const rate = bytes / ms
      if (mode === 'first') first(rate, nowMs)
      else if (mode === 'up') up(rate, ms)
      else if (ms < WINDOW_MS) return
      else if (mode === 'rest') resting(rate, ms, nowMs)
      else if (mode === 'probe') {
        tried = { level, rate }
        go('back', known)
      } else judge(rate)
    },
  }
}

module.exports = { beginWith, createNetworkLimit }
