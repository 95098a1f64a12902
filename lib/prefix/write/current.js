'use strict'

/**
 * Changes of a source during its copy. If it was replaced after it was read, it is copied again. If it is missing, it was
 * deleted, unless the store still lists it: then the store failed to return it.
 */

const { XferError, asXferError } = require('../../errors')
const { acceptGone } = require('../../destination')
const { LONGEST_COPY_S } = require('../../select')

/** @typedef {import('./writers').Work} Work */
/** @typedef {import('./writers').Copied} Copied */

/** Attempts if the source is replaced, or seems to be missing. */
const MOST_TURNS = 3
const LISTED = 'it lists the object, and says that there is no such object where it is to be read'

/**
 * @param {object} how
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} how.job
 * @param {ReturnType<typeof createSlow>} how.slow
 * @param {boolean} how.skips whether an existing object at the destination is left alone
 * @param {(work: Work) => Promise<Copied | 'skipped'>} how.copy skipped: the source reported it missing, or the destination's object was left alone
 */
function createCurrent({ job, slow, skips, copy }) {
  const { source } = job
  const { cancel: signal } = job.run

  /** @param {string} name @returns {Promise<import('../../types').ObjectHead | void>} */
  async function head(name) {
    return await source.store.head(source.key + name, { signal }).catch(acceptGone)
  }

  /** @param {string} name */
  async function isListed(name) {
    const key = source.key + name
    // Without permission to list, the answer of the HEAD counts.
    const page = await source.store.list?.({ prefix: key, most: 1 }, { signal }).catch(cause => {
      if (asXferError(cause).code !== 'ACCESS_DENIED') throw cause
    })
    return page?.objects[0]?.key === key
  }

  /** @param {Work} work a finished copy @returns {Promise<import('../../types').ObjectHead | undefined>} the new source, if it was replaced */
  async function replaced({ name, source: before }) {
    const now = await head(name)
    if (!now) return undefined
    const same = before.etag === '' || now.etag === before.etag
    return same && now.bytes === before.bytes && secondsOf(now) === secondsOf(before) ? undefined : now
  }

  /**
   * @param {Work} given
   * @returns {Promise<Copied | 'skipped' | 'gone'>} skipped: the destination's object is left alone
   * @throws {XferError} SOURCE_CHANGED, BAD_ANSWER; the errors of `copy`
   */
  return async given => {
    let work = given
    for (let turn = 1; ; turn++) {
      const done = await copy(work)
      if (done === 'skipped') {
        if (skips && (await head(work.name))) return done
        if (!(await isListed(work.name))) return 'gone'
        if (turn === MOST_TURNS) throw new XferError('BAD_ANSWER', { ...source.store.facts, reason: LISTED })
      } else {
        const now = slow.was(done.etag) ? await replaced(work) : undefined
        if (!now) return done
        if (turn === MOST_TURNS) throw new XferError('SOURCE_CHANGED', source.store.facts)
        work.restart()
        work = { ...work, source: { ...work.source, ...now } }
      }
    }
  }
}

/** Some stores report milliseconds. @param {{ lastModifiedMs?: number }} object */
function secondsOf({ lastModifiedMs = 0 }) {
  return Math.floor(lastModifiedMs / 1000)
}

/**
 * Objects whose copy took so long that a later sync could not see from the times whether the source was replaced between
 * its read and the end of the write. Their sources are checked again after the copy.
 */
function createSlow() {
  /** ETags of the copies, until they are asked for; equal ETags mean equal bytes. @type {Set<string>} */
  const slow = new Set()

  /** @param {string} etag of the copy @param {number} tookMs from the start of its read to the end of its write */
  function note(etag, tookMs) {
    if (tookMs > LONGEST_COPY_S * 1000) slow.add(etag)
  }

  return {
    /**
     * @template {(bytes: number, how: any) => Promise<import('../../types').TaskSuccess>} S
     * @param {S} scheduleOne
     * @returns {(...given: Parameters<S>) => Promise<import('../../types').TaskSuccess>} the same, watched
     */
    watch:
      scheduleOne =>
      async (...given) => {
        const outcome = await scheduleOne(given[0], given[1])
        note(outcome.etag, outcome.timing.totalMs)
        return outcome
      },

    /**
     * @param {ReturnType<typeof import('./large').createLarge>} large
     * @returns {ReturnType<typeof import('./large').createLarge>} the same, watched
     */
    watchLarge: large => ({
      async copy(way, work) {
        const beganMs = Date.now()
        const done = await large.copy(way, work)
        if (done !== 'skipped' && !('now' in done)) note(done.etag, Date.now() - beganMs)
        return done
      },
    }),

    /** @param {string} etag of a finished copy @returns {boolean} whether it was slow; call it once for each copy */
    was: etag => slow.delete(etag),
  }
}

module.exports = { createCurrent, createSlow }
