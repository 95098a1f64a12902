'use strict'

/**
 * What may have become of a source while it was copied: it was replaced after it was read, so that it has to be copied
 * again; or it is gone. A store that only says that it is gone, and lists it still, has failed to hand it out.
 */

const { XferError, asXferError } = require('../../errors')
const { acceptGone } = require('../../destination')

/** @typedef {import('./objects').Work} Work */
/** @typedef {import('./objects').Copied} Copied */

/** How often it may be replaced, or seem to be gone, before it fails. */
const MOST_TURNS = 3
const LISTED = 'it lists the object, and says that there is no such object where it is to be read'

/**
 * @param {object} how
 * @param {Pick<import('../../job/open').Job, 'source' | 'run'>} how.job
 * @param {ReturnType<typeof import('./slow').createSlow>} how.slow
 * @param {boolean} how.skips whether an object may be left for the one that is at the destination
 * @param {(work: Work) => Promise<Copied | 'skipped'>} how.copy skipped: it is gone, as the source says, or left
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
    // Who may not list has been told by a HEAD that it is gone.
    const page = await source.store.list({ prefix: key, most: 1 }, { signal }).catch(cause => {
      if (asXferError(cause).code !== 'ACCESS_DENIED') throw cause
    })
    return page?.objects[0]?.key === key
  }

  /** @param {Work} work which was copied @returns {Promise<import('../../types').ObjectHead | undefined>} as it is now, where that is other than it was */
  async function replaced({ name, source: before }) {
    const now = await head(name)
    if (!now) return undefined
    const same = before.etag === '' || now.etag === before.etag
    return same && now.bytes === before.bytes && secondsOf(now) === secondsOf(before) ? undefined : now
  }

  /**
   * @param {Work} given
   * @returns {Promise<Copied | 'skipped' | 'gone'>} skipped: what is at the destination is left
   * @throws {XferError} SOURCE_CHANGED, BAD_ANSWER; what `copy` throws
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

/** Some tell milliseconds. @param {{ lastModifiedMs?: number }} object */
function secondsOf({ lastModifiedMs = 0 }) {
  return Math.floor(lastModifiedMs / 1000)
}

module.exports = { createCurrent }
