'use strict'

/**
 * The rate of the last seconds, and the time left. If parts are reported only when they are done, they arrive in bursts; the
 * rate is then that of the last bursts. The time left comes from a slower mean, so that it does not jump. Pure: the clock is
 * an argument.
 */

/** The rate is that of so long a time, */
const WINDOW_MS = 5_000
/** or of so many bursts, if that is longer. */
const WINDOW_BURSTS = 2
/** What was moved is kept in so many pieces of the window. */
const PIECES = 20
/** For the time left: what happened this long ago has the weight 1/e. */
const MEMORY_MS = 30_000
const MEMORY_BURSTS = 4
/** If nothing has arrived for so many times the memory, the time left is unknown. */
const MOST_SILENT = 1
/** Before so much time was observed, an estimate means nothing. */
const LEAST_OBSERVED_MS = 3_000
/** An estimate of more than this many times the observed time is dropped. */
const MOST_FORESEEN = 1000

/** What was moved in the last seconds. @param {number} startMs */
function createWindow(startMs) {
  let windowMs = WINDOW_MS
  /** In order; `ms` is when the first bytes of a piece were seen. @type {Array<{ ms: number, bytes: number }>} */
  let pieces = []

  return {
    /** @param {number} bytes moved @param {number} nowMs */
    add(bytes, nowMs) {
      const last = pieces.at(-1)
      if (last && nowMs < last.ms + windowMs / PIECES) last.bytes += bytes
      else pieces.push({ ms: nowMs, bytes })
      if (pieces.length > 2 * PIECES) pieces = pieces.filter(({ ms }) => ms > nowMs - windowMs)
    },
    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      windowMs = Math.max(windowMs, WINDOW_BURSTS * elapsedMs)
    },
    /** @param {number} nowMs @returns {number} bytes a second */
    at(nowMs) {
      // A clock that was set back makes the time since the start unknown.
      const passedMs = nowMs > startMs ? Math.min(windowMs, nowMs - startMs) : windowMs
      let bytes = 0
      for (const piece of pieces) if (piece.ms > nowMs - windowMs) bytes += piece.bytes
      return (bytes / passedMs) * 1000
    },
  }
}

/**
 * An exponentially weighted mean, corrected for its start from zero, so that it settles instead of jumping.
 *
 * @param {number} startMs
 */
function createPace(startMs) {
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
    /**
     * @param {number} left bytes to move
     * @param {number} nowMs
     * @returns {number | undefined} milliseconds until they are moved; undefined if not known
     */
    etaMs(left, nowMs) {
      if (left <= 0) return 0
      fade(nowMs)
      const observedMs = nowMs - startMs
      if (weighted <= 0 || observedMs < LEAST_OBSERVED_MS || nowMs - movedMs > MOST_SILENT * memoryMs) return undefined
      const ms = Math.round(left / (weighted / weightedMs))
      return ms <= MOST_FORESEEN * observedMs ? ms : undefined
    },
  }
}

/**
 * The rate of a copy in bytes, and its time left, which includes the cost of each object in addition to its bytes.
 *
 * @param {{ startMs: number, unitBytes?: number }} work unitBytes: the cost of an object in addition to its bytes, as bytes
 */
function createSpeed({ startMs, unitBytes = 0 }) {
  const rate = createWindow(startMs)
  const units = createWindow(startMs)
  /** Of bytes and units together, as bytes. */
  const pace = createPace(startMs)

  return {
    /** @param {number} bytes moved @param {number} nowMs */
    moved(bytes, nowMs) {
      rate.add(bytes, nowMs)
      pace.add(bytes, nowMs)
    },

    /** A unit is done. @param {number} nowMs */
    unit(nowMs) {
      units.add(1, nowMs)
      pace.add(unitBytes, nowMs)
    },

    /** What is seen only once it is done took so long. @param {number} elapsedMs */
    burst(elapsedMs) {
      rate.burst(elapsedMs)
      pace.burst(elapsedMs)
    },

    /** The rate of the last seconds, with one decimal. @param {number} nowMs */
    unitsPerSecond: nowMs => Math.round(units.at(nowMs) * 10) / 10,

    /**
     * @param {number} nowMs
     * @param {{ bytes: number, units?: number } | undefined} left undefined: not known yet
     * @returns {{ bytesPerSecond: number, etaMs?: number }} etaMs: absent if not known
     */
    at(nowMs, left) {
      const bytesPerSecond = Math.round(rate.at(nowMs))
      const etaMs = left && pace.etaMs(left.bytes + unitBytes * (left.units ?? 0), nowMs)
      return { bytesPerSecond, ...(etaMs !== undefined && { etaMs }) }
    },
  }
}

module.exports = { createSpeed }
