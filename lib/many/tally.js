'use strict'

/**
 * Counts what a job over a prefix has found, chosen and done. Of the failures it keeps the first few for the summary; all
 * of them go to the file of `--failures` (report.js).
 */

const { isPinnedByTime, isUncompared } = require('../integrity')
const { createPhases, createSpeed } = require('../progress')

/** Failures in the summary. */
const MOST_TOLD = 10
/** Names in an error or a notice. */
const MOST_NAMED = 5

/**
 * What the progress of every job over prefixes has, whatever it counts: a phase, a rate, and a count that runs ahead. Pure.
 *
 * @param {{ startMs: number }} work
 */
function createCourse({ startMs }) {
  const speed = createSpeed({ startMs })
  const phases = createPhases({ startMs, phase: 'listing' })
  /** What a count that runs ahead of the listing has found; through: that is all that there is. */
  const ahead = { through: false, objects: 0, bytes: 0 }
  let listing = true

  return {
    speed,
    ahead,
    isListing: () => listing,

    listingEnded() {
      listing = false
      Object.assign(ahead, { through: true, objects: 0, bytes: 0 })
    },

    /**
     * @template {object} D
     * @param {number} nowMs
     * @param {{ phase: import('../types').Phase, parts?: number, left: { bytes: number, units: number } }} now parts: to assemble; left: of
     *   what is known to be there
     * @param {D} done what else is counted
     */
    at(nowMs, { phase, parts, left }, done) {
      phases.enter(phase, nowMs, parts)
      const objectsPerSecond = speed.unitsPerSecond(nowMs)
      return {
        done: { ...phases.at(nowMs), ...done, objectsPerSecond, listing: !ahead.through },
        speed: speed.at(nowMs, ahead.through ? left : undefined),
      }
    },
  }
}

/**
 * @typedef {{ name: string, code: string, message: string }} FailedObject
 *
 * @typedef {{ seen: number, before?: number }} Moved seen: bytes of an object that `moved` has counted; before: those of
 *   them that an earlier run moved
 *
 * @param {{ startMs: number }} work
 */
function createTally(work) {
  const { speed, at, ...course } = createCourse(work)
  const { ahead, isListing } = course
  const counts = {
    listed: 0,
    chosen: 0,
    copied: 0,
    deleted: 0,
    failed: 0,
    // Listed, and not chosen.
    skipped: 0,
    filtered: 0,
    gone: 0,
    earlier: 0,
  }
  /**
   * Of the copied objects those that the store copied itself, those whose sources have no checksum that the bytes could be compared
   * with, and those whose sources have no ETag; the number of objects by proof.
   */
  const copies = { byStore: 0, uncompared: 0, pinnedByTime: 0, proofs: /** @type {Record<string, number>} */ ({}) }
  /** before: those of the copied bytes that an earlier run of the job moved. */
  const bytes = { chosen: 0, copied: 0, before: 0 }
  /** Bytes that were moved of objects in flight, and those of them that an earlier run of the job moved. */
  const underWay = { seen: 0, before: 0 }
  /** The objects whose parts the destination puts together now: the number of parts, by name. @type {Map<string, number>} */
  const assembling = new Map()
  /** How many objects are deleted in the end; undefined: that has not begun. @type {number | undefined} */
  let toDelete
  /** Bytes of the listed objects that no filter leaves out. */
  let seenBytes = 0
  /** @type {FailedObject[]} */
  const told = []
  /** Objects that were newer at the destination, and their first names. */
  const newer = { objects: 0, names: /** @type {string[]} */ ([]) }

  /** The object is no longer in flight. @param {Moved} moved */
  function leave({ seen, before = 0 }) {
    underWay.seen -= seen
    underWay.before -= before
  }

  /** The listed objects that no filter leaves out. */
  const seen = () => ({ objects: counts.listed - counts.filtered, bytes: seenBytes })

  /** @param {number} bytesDone */
  function phaseAt(bytesDone) {
    if (toDelete !== undefined) return 'deleting'
    if (isListing()) return counts.chosen === 0 ? 'listing' : 'copying'
    return bytesDone === bytes.chosen && assembling.size > 0 ? 'assembling' : 'copying'
  }

  return {
    counts,
    copies,
    bytes,
    /** The first failures. */
    told,
    newer,
    seen,
    ...course,
    /** An object of the destination that was newer than its source was replaced. @param {string} name */
    replacedNewer(name) {
      newer.objects++
      if (newer.names.length < MOST_NAMED) newer.names.push(name)
      newer.names.sort()
    },

    /** @returns {import('../types').ObjectCounts} */
    objects() {
      const { listed, chosen, copied, skipped, filtered, gone, earlier, deleted, failed } = counts
      return {
        listed,
        chosen,
        copied,
        skipped: skipped + gone + earlier,
        filtered,
        ...(gone > 0 && { gone }),
        ...(earlier > 0 && { earlier }),
        deleted,
        failed,
      }
    },
    /** Whether any object is copied or need not be, by this run or an earlier one. */
    hasDone: () => counts.copied + counts.skipped + counts.earlier > 0,
    /** @param {number} [size] */
    listed(size = 0) {
      counts.listed++
      seenBytes += size
    },
    /** A listed object is not chosen. @param {'skipped' | 'filtered' | 'earlier'} as earlier: an earlier run has copied it @param {number} [size] that it was listed with */
    left(as, size = 0) {
      counts[as]++
      if (as === 'filtered') seenBytes -= size
    },
    /** @param {number} size */
    chosen(size) {
      counts.chosen++
      bytes.chosen += size
    },
    /**
     * Bytes of an unfinished object were moved.
     *
     * @param {number} more less than 0: they have to be moved again
     * @param {number} nowMs
     * @param {boolean} [before] by an earlier run
     */
    moved(more, nowMs, before = false) {
      underWay.seen += more
      if (before) underWay.before += more
      else if (more > 0) speed.moved(more, nowMs)
    },
    /**
     * Of one object in parts.
     *
     * @param {string} name
     * @param {number} [parts] that the destination puts together from now on; absent: it does so no more
     */
    assembling(name, parts) {
      if (parts === undefined) assembling.delete(name)
      else assembling.set(name, parts)
    },
    /** @param {number} many objects, from now on */
    deletes(many) {
      toDelete = many
    },
    /**
     * @param {{ bytes: number, proof: import('../types').Proof[], byStore?: true, read?: { etag: string } }} object read: the source
     * @param {Moved} moved
     * @param {number} nowMs
     */
    copied({ bytes: size, proof, byStore, read }, moved, nowMs) {
      const { seen, before = 0 } = moved
      counts.copied++
      bytes.copied += size
      bytes.before += before
      underWay.seen -= seen
      underWay.before -= before
      speed.moved(Math.max(0, size - seen), nowMs)
      speed.unit(nowMs)
      if (byStore) copies.byStore++
      if (isUncompared(proof, size)) copies.uncompared++
      if (read && isPinnedByTime(read)) copies.pinnedByTime++
      for (const each of proof) copies.proofs[each] = (copies.proofs[each] ?? 0) + 1
    },
    /**
     * The object was chosen, but is not copied.
     *
     * @param {'skipped' | 'gone'} as skipped: the destination's object stays; gone: it is no longer at the source
     * @param {{ bytes: number } & Moved} object
     */
    notCopied(as, { bytes: size, ...moved }) {
      counts.chosen--
      counts[as]++
      bytes.chosen -= size
      leave(moved)
    },
    /** @param {FailedObject} failure @param {Moved} moved */
    failed(failure, moved) {
      counts.failed++
      leave(moved)
      if (told.length < MOST_TOLD) told.push(failure)
    },
    /** @param {number} nowMs */
    at(nowMs) {
      const { chosen, copied, failed, skipped, filtered, deleted } = counts
      const bytesDone = Math.min(bytes.copied + Math.max(0, underWay.seen), bytes.chosen)
      // What is not yet listed is taken for chosen: at most so much is to be copied.
      const objectsTotal = chosen + Math.max(0, ahead.objects - seen().objects)
      const bytesTotal = bytes.chosen + Math.max(0, ahead.bytes - seen().bytes)
      const left = { bytes: bytesTotal - bytesDone, units: objectsTotal - copied - failed }
      const parts = [...assembling.values()].reduce((sum, many) => sum + many, 0)
      const resumedBytes = Math.min(bytesDone, bytes.before + Math.max(0, underWay.before))
      const objects = { objectsDone: copied, objectsTotal, objectsSkipped: skipped, objectsFiltered: filtered }
      const deletions = toDelete !== undefined && { objectsDeleted: deleted, objectsToDelete: toDelete }
      const done = { bytesDone, bytesTotal, resumedBytes, ...objects, objectsFailed: failed, ...deletions }
      return at(nowMs, { phase: phaseAt(bytesDone), parts, left }, done)
    },
  }
}

/** Counts what a comparison of two prefixes has found, and how far it is. Of the names it keeps only the first few. Pure. */

/** @typedef {import('../types').PairMethod} PairMethod */
/** @typedef {'differing' | 'missing' | 'extra' | 'failed'} Unequal */

/** @param {{ startMs: number }} work */
function createPairTally(work) {
  const { speed, at, ...course } = createCourse(work)
  const { ahead, isListing } = course
  /** @type {import('../types').PairCounts} */
  const counts = { listed: 0, equal: 0, differing: 0, missing: 0, extra: 0, failed: 0, filtered: 0 }
  /** equal: of equal objects; toCompare, compared: of all pairs; toRead, read: on both sides. */
  const bytes = { equal: 0, toCompare: 0, compared: 0, toRead: 0, read: 0 }
  /** @type {Partial<Record<PairMethod, number>>} */
  const methods = {}
  /** @type {string[]} */
  const named = []

  const unequal = () => counts.differing + counts.missing + counts.extra
  const done = () => counts.equal + unequal()

  return {
    counts,
    bytes,
    ...course,

    /** @returns {{ pairs: import('../types').PairCounts, methods: Partial<Record<PairMethod, number>> }} as they are now */
    found: () => ({ pairs: { ...counts }, methods: { ...methods } }),

    /** The first names that are not equal, and how many more there are. */
    names: () => ({ names: named, more: unequal() + counts.failed - named.length }),

    /** @param {number} size of the object, or of that of the source */
    listed(size) {
      counts.listed++
      bytes.toCompare += size
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
      const phase = isListing() && counts.listed === 0 ? 'listing' : 'verifying'
      const objectsTotal = Math.max(counts.listed, ahead.objects)
      const bytesTotal = Math.max(bytes.toCompare, ahead.bytes)
      // Of what is not yet listed, as much has to be read as of the rest.
      const toRead = bytes.toRead * (bytes.toCompare > 0 ? bytesTotal / bytes.toCompare : 1)
      const left = { bytes: Math.max(0, toRead - bytes.read), units: objectsTotal - done() - counts.failed }
      const objects = { objectsDone: done(), objectsTotal, objectsSkipped: 0, objectsFiltered: counts.filtered }
      const unlike = { objectsFailed: counts.failed, objectsDiffering: unequal() }
      const compared = { bytesDone: bytes.compared, bytesTotal, resumedBytes: 0, ...objects, ...unlike }
      return at(nowMs, { phase, left }, compared)
    },
  }
}

module.exports = { createTally, createPairTally }
