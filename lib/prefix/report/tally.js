'use strict'

/**
 * What a job over a prefix has found, begun and done: counts and failures. Failures are counted, and the first
 * few are kept for the summary; all of them go where `--failures` says.
 */

const { isUncompared } = require('../../integrity')
const { createSpeed } = require('../../progress')

/** What a small object costs beside its bytes, as bytes: so an estimate sees objects that have next to none. */
const OBJECT_BYTES = 256 * 1024
/** So many failures are told in the summary. */
const MOST_TOLD = 10

/**
 * @typedef {{ name: string, code: string, message: string }} Failed
 *
 * @param {{ startMs: number }} work
 */
function createTally({ startMs }) {
  const speed = createSpeed({ startMs, unitBytes: OBJECT_BYTES })
  const counts = {
    listed: 0,
    chosen: 0,
    copied: 0,
    skipped: 0,
    filtered: 0,
    gone: 0,
    earlier: 0,
    deleted: 0,
    failed: 0,
  }
  /** Of earlier runs of the job, which this one does not meet. */
  let before = { listed: 0, skipped: 0, filtered: 0, earlier: 0 }
  /** Of those that were copied: by their store itself. */
  let byStore = 0
  const bytes = {
    chosen: 0,
    copied: 0,
    /** Of those that were copied: by an earlier run of the job. */
    before: 0,
  }
  /** Of parts that are under way. */
  let underWay = 0
  let listing = true
  /** @type {Failed[]} */
  const told = []
  /** How many were proved with what. @type {Record<string, number>} */
  const proofs = {}
  /** Whose sources keep nothing that what was read could be compared with. */
  let uncompared = 0

  return {
    counts,
    bytes,
    proofs,
    uncompared: () => uncompared,
    failures: () => told,
    /** @returns {import('../../types').ObjectCounts} */
    objects() {
      const { listed, chosen, copied, skipped, filtered, gone, deleted, failed } = counts
      const earlier = before.earlier + counts.earlier
      const others = skipped + gone + earlier
      return {
        listed: before.listed + listed,
        chosen,
        copied,
        skipped: before.skipped + others,
        filtered: before.filtered + filtered,
        ...(gone > 0 && { gone }),
        ...(earlier > 0 && { earlier }),
        deleted,
        failed,
      }
    },
    byStore: () => byStore,
    /** The job goes on. @param {typeof before} counts */
    goesOn(counts) {
      before = counts
    },
    listed() {
      counts.listed++
    },
    /** It was dealt with by an earlier run. */
    earlier() {
      counts.earlier++
    },
    listingEnded() {
      listing = false
    },
    skipped() {
      counts.skipped++
    },
    filtered() {
      counts.filtered++
    },
    /** @param {number} size */
    chosen(size) {
      counts.chosen++
      bytes.chosen += size
    },
    /**
     * Some have been moved, of what is not done yet.
     *
     * @param {number} more less than 0: in vain
     * @param {number} nowMs
     * @param {boolean} [before] by an earlier run
     */
    moved(more, nowMs, before = false) {
      underWay += more
      if (more > 0 && !before) speed.moved(more, nowMs)
    },
    /**
     * @param {{ bytes: number, seen: number, before?: number, proof: import('../../types').Proof[], byStore?: true }} object seen: of its bytes that
     *   `moved` was told of; before: of these by an earlier run
     * @param {number} nowMs
     */
    copied({ bytes: size, seen, before = 0, proof, byStore: itself }, nowMs) {
      counts.copied++
      if (itself) byStore++
      bytes.copied += size
      bytes.before += before
      underWay -= seen
      speed.moved(Math.max(0, size - seen), nowMs)
      speed.unit(nowMs)
      if (isUncompared(proof, size)) uncompared++
      for (const each of proof) proofs[each] = (proofs[each] ?? 0) + 1
    },
    /** It was chosen, and there is nothing to be copied after all. @param {{ bytes: number, seen: number }} object as of `copied` */
    passed({ bytes: size, seen }) {
      counts.chosen--
      counts.skipped++
      bytes.chosen -= size
      underWay -= seen
    },
    /** It was chosen, and is not at the source any more. @param {{ bytes: number, seen: number }} object as of `copied` */
    gone({ bytes: size, seen }) {
      counts.chosen--
      counts.gone++
      bytes.chosen -= size
      underWay -= seen
    },
    /** @param {Failed} failure @param {number} seen as of `copied` */
    failed(failure, seen) {
      counts.failed++
      underWay -= seen
      if (told.length < MOST_TOLD) told.push(failure)
    },
    /** @param {number} many */
    deleted(many) {
      counts.deleted += many
    },
    /** @param {number} nowMs */
    at(nowMs) {
      const { chosen, copied, failed, skipped, filtered } = counts
      const bytesDone = Math.min(bytes.copied + Math.max(0, underWay), bytes.chosen)
      // Nobody knows how much will be found still.
      const left = listing ? undefined : { bytes: bytes.chosen - bytesDone, units: chosen - copied - failed }
      return {
        done: {
          bytesDone,
          bytesTotal: bytes.chosen,
          objectsDone: copied + failed,
          objectsTotal: chosen,
          objectsSkipped: skipped,
          objectsFiltered: filtered,
          objectsFailed: failed,
          listing,
        },
        speed: speed.at(nowMs, left),
      }
    },
  }
}

module.exports = { createTally }
