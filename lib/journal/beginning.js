'use strict'

/**
 * Only one process at a time may begin a job between two places: it looks for an unfinished one, and makes a journal if
 * there is none. A second process then finds the journal of the first, and its owner.
 *
 * The lock is a file beside the journals. It is taken as a journal is (lock.js): the first claim in it counts, until its
 * process is dead. It is held only for moments, without any network request.
 */

const { createHash } = require('node:crypto')
const { unlink } = require('node:fs/promises')
const { dirname, join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { XferError } = require('../errors')
const { ownerOf, takeLock } = require('./lock')
const { isAt, readAll, unwritable } = require('./file')
const { openNew, removeEmptyFolders } = require('./folder')

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */
/** @typedef {{ source: { place: string }, destination: { place: string } }} Ends */

const POLL_MS = 20
/** How long to wait for another process that begins the same job: it only reads the folder and writes a file. */
const WAIT_MS = 10_000

/**
 * @param {string} folder of the journals; created if missing
 * @param {Ends} ends
 * @param {{ now: () => number, waitMs?: number }} how
 * @returns {Promise<() => Promise<void>>} releases the lock; never rejects
 * @throws {XferError} JOB_RUNNING when a living process holds it, BAD_JOURNAL when this folder allows no lock
 */
async function holdBeginning(folder, { source, destination }, { now, waitMs = WAIT_MS }) {
  const hash = createHash('sha256')
    .update(JSON.stringify([source.place, destination.place]))
    .digest('hex')
  const path = join(folder, `${hash.slice(0, 32)}.beginning`)
  const endMs = performance.now() + waitMs
  for (;;) {
    try {
      return await take(path, now)
    } catch (cause) {
      const { code, facts } = /** @type {import('../types').XferError} */ (cause)
      if (code === 'JOB_RUNNING') {
        if (performance.now() > endMs) throw new XferError('JOB_RUNNING', { ...facts, job: undefined }, { cause })
        await delay(POLL_MS)
      } else if (code !== 'NO_SUCH_JOB') {
        await removeEmptyFolders(folder)
        throw cause
      }
      // Else it was removed after it was found.
    }
  }
}

/**
 * @param {string} path
 * @param {() => number} now
 * @returns {Promise<() => Promise<void>>} as of `holdBeginning`
 * @throws {XferError} JOB_RUNNING, NO_SUCH_JOB when the file is gone, BAD_JOURNAL
 */
async function take(path, now) {
  const handle = await openNew(path, 'a+').catch(error => {
    throw unwritable(error, path)
  })
  try {
    const read = await readAll(handle, path)
    const { claim } = await takeLock(handle, { path, job: '', brought: false, now, read })
    return () => letGo(path, handle, claim.owner)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @param {string} path @param {FileHandle} handle @param {string} owner we, while it was held */
async function letGo(path, handle, owner) {
  try {
    const { entries } = await readAll(handle, path)
    // Another machine may have considered us dead and taken it over.
    if (ownerOf(entries)?.owner === owner && (await isAt(handle, path))) await unlink(path)
  } catch {
    // The next process takes it over, because this one has ended.
  } finally {
    await handle.close().catch(() => {})
    await removeEmptyFolders(dirname(path))
  }
}

module.exports = { holdBeginning }
