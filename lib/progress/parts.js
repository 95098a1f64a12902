'use strict'

/** The progress of one object, part by part. Pure: the clock is an argument. */

const { createSpeed } = require('./rate')

/**
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

module.exports = { createParts }
