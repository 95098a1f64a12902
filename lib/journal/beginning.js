'use strict'

/**
 * To begin a job between two places is one process's at a time: it looks whether there is one, and makes a journal where
 * there is none. Whoever comes second finds the journal of the first, and its owner.
 *
 * The lock is a file beside the journals, made whole by a hard link, which is atomic on network file systems too; taking it
 * over from a process that died is the same as for a journal (lock.js). It is held for moments, and nothing is asked of the
 * network meanwhile.
 */

const { createHash } = require('node:crypto')
const { link, open, unlink } = require('node:fs/promises')
const { join } = require('node:path')
const { setTimeout: delay } = require('node:timers/promises')
const { XferError } = require('../errors')
const { ownerOf } = require('./claims')
const { isAt, openFile, readAll, unwritable } = require('./file')
const { makeFolder } = require('./folder')
const { encodeLine } = require('./lines')
const { newClaim, takeLock } = require('./lock')

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */
/** @typedef {{ source: { place: string }, destination: { place: string } }} Ends */
/** @typedef {{ handle: FileHandle, owner: string }} Held */

const POLL_MS = 20
/** How long whoever else begins the same is waited for: it does no more than read the folder and write a file. */
const WAIT_MS = 10_000

/**
 * @param {string} folder of the journals, which is made
 * @param {Ends} ends
 * @param {{ now: () => number, waitMs?: number }} how
 * @returns {Promise<() => Promise<void>>} lets go of it; never rejects
 * @throws {XferError} JOB_RUNNING where a living process keeps it, BAD_JOURNAL where it cannot be had here at all
 */
async function holdBeginning(folder, { source, destination }, { now, waitMs = WAIT_MS }) {
  const hash = createHash('sha256')
    .update(JSON.stringify([source.place, destination.place]))
    .digest('hex')
  const path = join(folder, `${hash.slice(0, 32)}.beginning`)
  const endMs = performance.now() + waitMs
  await makeFolder(folder).catch(error => {
    throw unwritable(error, path)
  })
  for (;;) {
    try {
      const held = (await make(path, now)) ?? (await take(path, now))
      return () => letGo(path, held)
    } catch (cause) {
      const { code, facts } = /** @type {import('../types').XferError} */ (cause)
      const busy = code === 'JOB_RUNNING'
      if (busy && performance.now() > endMs) throw new XferError('JOB_RUNNING', { ...facts, job: undefined }, { cause })
      // Gone since it was found there.
      if (!busy && code !== 'NO_SUCH_JOB') throw cause
      if (busy) await delay(POLL_MS)
    }
  }
}

/**
 * @param {string} path
 * @param {() => number} now
 * @returns {Promise<Held | undefined>} undefined where there is one
 */
async function make(path, now) {
  if (await exists(path)) return undefined
  const claim = await newClaim()
  const temporary = `${path}.${claim.owner}`
  try {
    const handle = await open(temporary, 'wx+', 0o600)
    try {
      await handle.writeFile(encodeLine({ n: 1, at: now(), ...claim }))
      const linked = await linkOrFind(temporary, path)
      if (linked) return { handle, owner: claim.owner }
    } catch (error) {
      await handle.close()
      throw error
    }
    await handle.close()
    return undefined
  } catch (error) {
    throw unwritable(error, path)
  } finally {
    await unlink(temporary).catch(() => {})
  }
}

/** @param {string} temporary @param {string} path @returns {Promise<boolean>} whether it is ours; false: there is a file, which may be empty */
async function linkOrFind(temporary, path) {
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    // A file system without hard links: who writes into it first has it.
    await (await open(path, 'a', 0o600)).close()
    return false
  }
}

/** @param {string} path */
async function exists(path) {
  return await openFile(path, 'read').then(
    async handle => {
      await handle.close()
      return true
    },
    () => false,
  )
}

/** @param {string} path @param {() => number} now @returns {Promise<Held>} @throws {XferError} JOB_RUNNING, NO_SUCH_JOB where it is gone */
async function take(path, now) {
  const handle = await openFile(path, 'append')
  try {
    const read = await readAll(handle, path)
    const { claim } = await takeLock(handle, { path, job: '', brought: false, now, read })
    return { handle, owner: claim.owner }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @param {string} path @param {Held} held */
async function letGo(path, { handle, owner }) {
  try {
    const { entries } = await readAll(handle, path)
    // Of another machine that took us for dead it is not ours any more.
    if (ownerOf(entries)?.owner === owner && (await isAt(handle, path))) await unlink(path)
  } catch {
    // The next one takes it over from a process that has ended.
  } finally {
    await handle.close().catch(() => {})
  }
}

module.exports = { holdBeginning }
