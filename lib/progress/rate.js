'use strict'

/**
 * How fast, and how long still. The rate is an exponentially weighted mean over the last while, corrected for having
 * started from nothing: it settles instead of jumping. Where parts are seen only once they are done, they come in
 * bursts, all that began together; the while is then several bursts long. Pure: the clock comes in.
 */

/** What happened so long ago weighs 1/e. */
const MEMORY_MS = 15_000
const MEMORY_BURSTS = 4
/** Where nothing has come for so many times that while, nobody knows how long it will take. */
const MOST_SILENT = 2
/** An estimate of more than so many times what was seen is none. */
const MOST_FORESEEN = 1000

/** @param {number} startMs */
function createRate(startMs) {
  let memoryMs = MEMORY_MS
  /** Bytes, and the time in which they were moved, both fading alike. */
  let weighted = 0
  let weightedMs = 0
  let fadedMs = startMs
  let movedMs = Number.NEGATIVE_INFINITY

  /** @param {number} nowMs */
  function fade(nowMs) {
    const passedMs = Math.max(0, nowMs - fadedMs)
    fadedMs = nowMs
    // What it takes until the first bytes are there is part of their time.
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
     * @param {number} left bytes
     * @param {number} nowMs
     * @returns {number | undefined} milliseconds until they are moved; undefined where nobody knows
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
 * The rate of a copy, which is of bytes, and the estimate, which also knows what a unit of work costs beside its bytes.
 *
 * @param {{ startMs: number, unitBytes?: number }} work unitBytes: what an object costs beside its bytes, as bytes
 */
function createSpeed({ startMs, unitBytes = 0 }) {
  const rate = createRate(startMs)
  /** Of bytes and units, as bytes. */
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
     * @param {{ bytes: number, units?: number } | undefined} left undefined: nobody knows yet
     * @returns {{ bytesPerSecond: number, etaMs?: number }} etaMs: absent where nobody knows
     */
    at(nowMs, left) {
      const bytesPerSecond = rate.at(nowMs)
      const etaMs = left && pace.etaMs(left.bytes + unitBytes * (left.units ?? 0), nowMs)
      return { bytesPerSecond, ...(etaMs !== undefined && { etaMs }) }
    },
  }
}

module.exports = { createSpeed }
