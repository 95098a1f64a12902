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
 * @param {{ bytesTotal: number, partsTotal: number, startMs: number, retried?: number, throttled?: number }} work retried, throttled: so far
 */
function createProgress({ bytesTotal, partsTotal, startMs, retried = 0, throttled = 0 }) {
  let bytesDone = 0
  let partsDone = 0
  const rate = createRate(startMs)
  /** Of parts that are under way. @type {Map<number, number>} */
  const underWay = new Map()
  /** A part that was started twice may go on after it is done. @type {Set<number>} */
  const done = new Set()

  /** @param {number} partNumber @param {number} bytes of the part, so far @param {number} nowMs */
  function see(partNumber, bytes, nowMs) {
    const known = underWay.get(partNumber) ?? 0
    rate.add(Math.max(0, bytes - known), nowMs)
    underWay.set(partNumber, Math.max(bytes, known))
  }

  return {
    /** Some of a part has been moved. @param {number} partNumber @param {number} bytes so far @param {number} nowMs */
    moved(partNumber, bytes, nowMs) {
      if (!done.has(partNumber)) see(partNumber, bytes, nowMs)
    },

    /** @param {import('../types').CopyEvent} event @param {number} nowMs */
    add(event, nowMs) {
      if (event.type === 'part') {
        if (!underWay.has(event.partNumber)) rate.burst(event.elapsedMs)
        see(event.partNumber, event.bytes, nowMs)
        underWay.delete(event.partNumber)
        // One that is copied again is not more than there was.
        if (done.has(event.partNumber)) return
        done.add(event.partNumber)
        bytesDone += event.bytes
        partsDone++
      } else if (event.type === 'resume') {
        bytesDone += event.bytes
        partsDone += event.parts
      } else if (event.type === 'retry') {
        retried++
        if ('partNumber' in event) underWay.delete(event.partNumber)
      } else if (event.type === 'throttle') throttled++
    },

    /** @param {number} nowMs @param {number} inFlight @returns {import('../types').Progress} */
    at(nowMs, inFlight) {
      const bytesPerSecond = rate.at(nowMs)
      let bytesSeen = bytesDone
      for (const bytes of underWay.values()) bytesSeen += bytes
      bytesSeen = Math.min(bytesSeen, bytesTotal)
      const etaMs = rate.etaMs(bytesTotal - bytesSeen, nowMs)
      return {
        bytesDone: bytesSeen,
        bytesTotal,
        partsDone: Math.min(partsDone, partsTotal),
        partsTotal,
        inFlight,
        retried,
        throttled,
        bytesPerSecond,
        ...(etaMs !== undefined && { etaMs }),
      }
    },
  }
}

module.exports = { createProgress, createRate }
