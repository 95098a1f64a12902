'use strict'

/** Counts what a comparison of two prefixes has found, and how far it is. Of the names it keeps only the first few. Pure. */

const { createPhases, createSpeed } = require('../../progress')

/** Names in the error. */
const MOST_NAMED = 5

/** @typedef {import('../../types').PairMethod} PairMethod */
/** @typedef {'differing' | 'missing' | 'extra' | 'failed'} Unequal */

/** @param {{ startMs: number }} work */
function createTally({ startMs }) {
  const speed = createSpeed({ startMs })
  const phases = createPhases({ startMs, phase: 'listing' })
  /** @type {import('../../types').PairCounts} */
  const counts = { listed: 0, equal: 0, differing: 0, missing: 0, extra: 0, failed: 0, filtered: 0 }
  /** equal: of equal objects; toCompare, compared: of all pairs; toRead, read: on both sides. */
  const bytes = { equal: 0, toCompare: 0, compared: 0, toRead: 0, read: 0 }
  /** @type {Partial<Record<PairMethod, number>>} */
  const methods = {}
  /** @type {string[]} */
  const named = []
  let listing = true
  /** What a count that runs ahead of the listing has found; through: that is all that there is. */
  const ahead = { through: false, objects: 0, bytes: 0 }

  const unequal = () => counts.differing + counts.missing + counts.extra
  const done = () => counts.equal + unequal()

  return {
    counts,
    bytes,
    ahead,

    /** @returns {{ pairs: import('../../types').PairCounts, methods: Partial<Record<PairMethod, number>> }} as they are now */
    found: () => ({ pairs: { ...counts }, methods: { ...methods } }),

    /** The first names that are not equal, and how many more there are. */
    names: () => ({ names: named, more: unequal() + counts.failed - named.length }),

    /** @param {number} size of the object, or of that of the source */
    listed(size) {
      counts.listed++
      bytes.toCompare += size
    },

    listingEnded() {
      listing = false
      Object.assign(ahead, { through: true, objects: 0, bytes: 0 })
    },

    /** Both objects are gone since they were listed. @param {number} size as it was listed */
    gone(size) {
      counts.listed--
      bytes.toCompare -= size
    },

    /** @param {PairMethod} method @param {number} size @param {number} nowMs */
    equal(method, size, nowMs) {
      counts.equal++
      methods[method] = (methods[method] ?? 0) + 1
      bytes.equal += size
      bytes.compared += size
      speed.unit(nowMs)
    },

    /** @param {Unequal} as @param {string} name @param {number} size as it was listed @param {number} nowMs */
    unequal(as, name, size, nowMs) {
      counts[as]++
      bytes.compared += size
      if (named.length < MOST_NAMED) named.push(name)
      speed.unit(nowMs)
    },

    /** @param {number} more bytes were read @param {number} nowMs */
    read(more, nowMs) {
      bytes.read += more
      speed.moved(more, nowMs)
    },

    /** @param {number} nowMs */
    at(nowMs) {
      phases.enter(listing && counts.listed === 0 ? 'listing' : 'verifying', nowMs)
      const objectsTotal = Math.max(counts.listed, ahead.objects)
      const bytesTotal = Math.max(bytes.toCompare, ahead.bytes)
      // Of what is not yet listed, as much has to be read as of the rest.
      const toRead = bytes.toRead * (bytes.toCompare > 0 ? bytesTotal / bytes.toCompare : 1)
      const left = ahead.through
        ? { bytes: Math.max(0, toRead - bytes.read), units: objectsTotal - done() - counts.failed }
        : undefined
      return {
        done: {
          ...phases.at(nowMs),
          bytesDone: bytes.compared,
          bytesTotal,
          resumedBytes: 0,
          objectsDone: done(),
          objectsTotal,
          objectsSkipped: 0,
          objectsFiltered: counts.filtered,
          objectsFailed: counts.failed,
          objectsDiffering: unequal(),
          objectsPerSecond: speed.unitsPerSecond(nowMs),
          listing: !ahead.through,
        },
        speed: speed.at(nowMs, left),
      }
    },
  }
}

module.exports = { createTally }
