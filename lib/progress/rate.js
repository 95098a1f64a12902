'use strict'

/**
 * The rate and the time left. The rate is an exponentially weighted mean over a window, corrected for its start from zero,
 * so that it settles instead of jumping. If parts are reported only when they are done, they arrive in bursts; the window
 * is then several bursts long. Pure: the clock is an argument.
 */

/** The window: what happened this long ago has the weight 1/e. */
const MEMORY_MS = 15_000
const MEMORY_BURSTS = 4
/** If nothing has arrived for this many windows, the time left is unknown. */
const MOST_SILENT = 2
/** An estimate of more than this many times the observed time is dropped. */
const MOST_FORESEEN = 1000

/** @param {number} startMs */
function createRate(startMs) {
  let memoryMs = MEMORY_MS
  /** Bytes, and the time in which they were moved; both decay at the same rate. */
  let weighted = 0
  let weightedMs = 0
  let fadedMs = startMs
  let movedMs = Number.NEGATIVE_INFINITY

  /** @param {number} nowMs */
  function fade(nowMs) {
    const passedMs = Math.max(0, nowMs - fadedMs)
    fadedMs = nowMs
    // The time until the first bytes counts as theirs.
    const share = weighted === 0 ? 1 : Math.exp(-passedMs / memoryMs)
    weightedMs = share === 1 ? weightedMs + passedMs : weightedMs * share + memoryMs * (1 - share)
    weighted *= share
  }

  return {
    /** @param {number} bytes moved @param {number} nowMs */
    add(bytes, nowMs) {
      fade(nowMs)
      weighted += bytes
      if (bytes > 0) movedMs = nowMs
    },
    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      memoryMs = Math.max(memoryMs, MEMORY_BURSTS * elapsedMs)
    },
    /** @param {number} nowMs @returns {number} bytes a second */
    at(nowMs) {
      fade(nowMs)
      return weightedMs > 0 ? Math.round((weighted / weightedMs) * 1000) : 0
    },
    /**
     * @param {number} left bytes to move
     * @param {number} nowMs
     * @returns {number | undefined} milliseconds until they are moved; undefined if not known
     */
    etaMs(left, nowMs) {
      if (left <= 0) return 0
      fade(nowMs)
      if (weighted <= 0 || nowMs - movedMs > MOST_SILENT * memoryMs) return undefined
      const ms = Math.round(left / (weighted / weightedMs))
      return ms <= MOST_FORESEEN * (nowMs - startMs) ? ms : undefined
    },
  }
}

/**
 * The rate of a copy in bytes, and its time left, which includes the cost of each object in addition to its bytes.
 *
 * @param {{ startMs: number, unitBytes?: number }} work unitBytes: the cost of an object in addition to its bytes, as bytes
 */
function createSpeed({ startMs, unitBytes = 0 }) {
  const rate = createRate(startMs)
  /** The rate of bytes and units together, as bytes. */
  const pace = unitBytes > 0 ? createRate(startMs) : rate

  return {
    /** @param {number} bytes moved @param {number} nowMs */
    moved(bytes, nowMs) {
      rate.add(bytes, nowMs)
      if (pace !== rate) pace.add(bytes, nowMs)
    },

    /** A unit is done. @param {number} nowMs */
    unit(nowMs) {
      pace.add(unitBytes, nowMs)
    },

    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst: rate.burst,

    /**
     * @param {number} nowMs
     * @param {{ bytes: number, units?: number } | undefined} left undefined: not known yet
     * @returns {{ bytesPerSecond: number, etaMs?: number }} etaMs: absent if not known
     */
    at(nowMs, left) {
      const bytesPerSecond = rate.at(nowMs)
      const etaMs = left && pace.etaMs(left.bytes + unitBytes * (left.units ?? 0), nowMs)
      return { bytesPerSecond, ...(etaMs !== undefined && { etaMs }) }
    },
  }
}

module.exports = { createSpeed }
