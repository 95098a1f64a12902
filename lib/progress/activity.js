'use strict'

/** What a job does: its invocations and retries, its phase, and the parts of one object. Pure: the clock is an argument. */

const { createSpeed } = require('./rate')

/** @typedef {import('../types').Engine['run']} Run */

/** Counts a job's invocations, retries and throttled requests. */
function createActivity() {
  const counts = { inFlight: 0, invocations: 0, retried: 0, throttled: 0 }

  return {
    /** @param {Run} run @returns {Run} the same function, which counts invocations */
    counting: run => async (tasks, options) => {
      counts.inFlight++
      counts.invocations++
      try {
        return await run(tasks, options)
      } finally {
        counts.inFlight--
      }
    },

    /** @param {{ type: string }} event of any part or object */
    saw({ type }) {
      if (type === 'retry') counts.retried++
      else if (type === 'throttle') counts.throttled++
    },

    /** Everything is copied again: resets the counts of retries and throttling. */
    restart() {
      Object.assign(counts, { retried: 0, throttled: 0 })
    },

    counts: () => ({ ...counts }),
  }
}

/** @typedef {import('../types').Phase} Phase */

/** What a job is doing now, and since when. @param {{ startMs: number, phase?: Phase }} work */
function createPhases({ startMs, phase: first = 'copying' }) {
  let phase = first
  let sinceMs = startMs
  /** @type {number | undefined} */
  let partsAssembling

  return {
    /** @param {Phase} next @param {number} nowMs @param {number} [parts] to assemble @returns {boolean} whether that is news */
    enter(next, nowMs, parts) {
      partsAssembling = next === 'assembling' ? parts : undefined
      if (next === phase) return false
      phase = next
      sinceMs = nowMs
      return true
    },

    /** @param {number} nowMs @returns {{ phase: Phase, phaseMs: number, elapsedMs: number, partsAssembling?: number }} */
    at(nowMs) {
      // The clock may have been set back.
      const times = { phaseMs: Math.max(0, nowMs - sinceMs), elapsedMs: Math.max(0, nowMs - startMs) }
      return { phase, ...times, ...(partsAssembling !== undefined && { partsAssembling }) }
    },
  }
}

/**
 * The progress of one object, part by part.
 *
 * @param {() => { bytesTotal: number, partsTotal: number, growing?: boolean }} totals growing: they are those so far, and the time
 *   left is unknown
 * @param {{ startMs: number }} when
 */
function createParts(totals, { startMs }) {
  let bytesDone = 0
  let partsDone = 0
  /** Bytes that an earlier run of the job has copied. */
  let resumedBytes = 0
  const speed = createSpeed({ startMs })
  /** The bytes of parts in flight. @type {Map<number, number>} */
  const underWay = new Map()
  /** Parts that are done. A hedged part may still report bytes after that. @type {Set<number>} */
  const done = new Set()

  /** @param {number} partNumber @param {number} bytes of the part, so far @param {number} nowMs */
  function see(partNumber, bytes, nowMs) {
    const known = underWay.get(partNumber) ?? 0
    speed.moved(Math.max(0, bytes - known), nowMs)
    underWay.set(partNumber, Math.max(bytes, known))
  }

  return {
    /** Some bytes of a part were moved. @param {number} partNumber @param {number} bytes so far @param {number} nowMs */
    moved(partNumber, bytes, nowMs) {
      if (!done.has(partNumber)) see(partNumber, bytes, nowMs)
    },

    /** @param {import('../types').JobEvent} event @param {number} nowMs */
    add(event, nowMs) {
      if (event.type === 'part') {
        if (!underWay.has(event.partNumber)) speed.burst(event.elapsedMs)
        see(event.partNumber, event.bytes, nowMs)
        underWay.delete(event.partNumber)
        // A part that is copied again does not count twice.
        if (done.has(event.partNumber)) return
        done.add(event.partNumber)
        bytesDone += event.bytes
        partsDone++
      } else if (event.type === 'resume') {
        bytesDone += event.bytes
        partsDone += event.parts
        resumedBytes += event.bytes
      } else if (event.type === 'retry' && 'partNumber' in event) underWay.delete(event.partNumber)
    },

    /** @param {number} nowMs */
    at(nowMs) {
      const { bytesTotal, partsTotal, growing } = totals()
      let bytesSeen = bytesDone
      for (const bytes of underWay.values()) bytesSeen += bytes
      bytesSeen = Math.min(bytesSeen, bytesTotal)
      return {
        done: {
          bytesDone: bytesSeen,
          bytesTotal,
          resumedBytes: Math.min(resumedBytes, bytesTotal),
          partsDone: Math.min(partsDone, partsTotal),
          partsTotal,
          ...(growing && { growing: /** @type {const} */ (true) }),
        },
        speed: speed.at(nowMs, growing ? undefined : { bytes: bytesTotal - bytesSeen }),
      }
    },
  }
}

module.exports = { createActivity, createParts, createPhases }
