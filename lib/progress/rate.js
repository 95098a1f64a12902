'use strict'

/**
 * The rate of the last seconds, and the time left. If parts are reported only when they are done, they arrive in bursts; the
 * rate is then that of the last bursts. The time left comes from a slower mean, so that it does not jump. Pure: the clock is
 * an argument.
 */

/** What happened this long ago has the weight 1/e; or this many bursts ago, if that is longer. */
const RATE = { memoryMs: 2_500, bursts: 2 }
const LEFT = { memoryMs: 30_000, bursts: 4 }
/** The cost of an object, or a pair of them, in addition to its bytes, as bytes: so that an estimate counts very small ones too. */
const UNIT_BYTES = 256 * 1024
/** Before so much time was observed, an estimate means nothing. */
const LEAST_OBSERVED_MS = 3_000
/** An estimate of more than this many times the observed time is dropped. */
const MOST_FORESEEN = 1000

/**
 * An exponentially weighted mean, corrected for its start from zero, so that it settles instead of jumping.
 *
 * @param {number} startMs
 * @param {{ memoryMs: number, bursts: number }} memory
 */
function createPace(startMs, { memoryMs: leastMs, bursts }) {
  let memoryMs = leastMs
  /** What was moved, and the time in which it was; both decay at the same rate. */
  let weighted = 0
  let weightedMs = 0
  let fadedMs = startMs
  let movedMs = Number.NEGATIVE_INFINITY

  /** @param {number} nowMs */
  function fade(nowMs) {
    const passedMs = Math.max(0, nowMs - fadedMs)
    fadedMs = nowMs
    const share = Math.exp(-passedMs / memoryMs)
    // The time until the first bytes counts as theirs.
    if (weighted === 0) weightedMs = Math.min(memoryMs, weightedMs + passedMs)
    else weightedMs = weightedMs * share + memoryMs * (1 - share)
    weighted *= share
  }

  /** @param {number} nowMs @returns {number} a millisecond */
  function at(nowMs) {
    fade(nowMs)
    return weightedMs > 0 ? weighted / weightedMs : 0
  }

  return {
    at,
    /** @param {number} amount moved @param {number} nowMs */
    add(amount, nowMs) {
      fade(nowMs)
      weighted += amount
      if (amount > 0) movedMs = nowMs
    },
    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      memoryMs = Math.max(memoryMs, bursts * elapsedMs)
    },
    /**
     * @param {number} left to move
     * @param {number} nowMs
     * @returns {number | undefined} milliseconds until it is moved; undefined if not known
     */
    etaMs(left, nowMs) {
      if (left <= 0) return 0
      const observedMs = nowMs - startMs
      // Nothing has arrived for so long.
      if (observedMs < LEAST_OBSERVED_MS || nowMs - movedMs > memoryMs) return undefined
      const ms = Math.round(left / at(nowMs))
      return ms <= MOST_FORESEEN * observedMs ? ms : undefined
    },
  }
}

/**
 * The rate of a copy in bytes, and its time left, which includes the cost of each object in addition to its bytes.
 *
 * @param {{ startMs: number }} work
 */
function createSpeed({ startMs }) {
  const rate = createPace(startMs, RATE)
  const units = createPace(startMs, RATE)
  /** Of bytes and units together, as bytes. */
  const pace = createPace(startMs, LEFT)

  return {
    /** @param {number} bytes moved @param {number} nowMs */
    moved(bytes, nowMs) {
      rate.add(bytes, nowMs)
      pace.add(bytes, nowMs)
    },

    /** A unit is done. @param {number} nowMs */
    unit(nowMs) {
      units.add(1, nowMs)
      pace.add(UNIT_BYTES, nowMs)
    },

    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      rate.burst(elapsedMs)
      pace.burst(elapsedMs)
    },

    /** The rate of the last seconds, with one decimal. @param {number} nowMs */
    unitsPerSecond: nowMs => Math.round(units.at(nowMs) * 10_000) / 10,

    /**
     * @param {number} nowMs
     * @param {{ bytes: number, units?: number } | undefined} left undefined: not known yet
     * @returns {{ bytesPerSecond: number, etaMs?: number }} etaMs: absent if not known
     */
    at(nowMs, left) {
      const bytesPerSecond = Math.round(rate.at(nowMs) * 1000)
      const etaMs = left && pace.etaMs(left.bytes + UNIT_BYTES * (left.units ?? 0), nowMs)
      return { bytesPerSecond, ...(etaMs !== undefined && { etaMs }) }
    },
  }
}

module.exports = { createSpeed }
