'use strict'

/** The folder of the journals and its files. */

const { randomBytes } = require('node:crypto')
const { mkdir, open, readdir, realpath, rename, rmdir, unlink } = require('node:fs/promises')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { unusable } = require('./file')

const SUFFIX = '.journal'
/** Added to the name of a file that is not complete yet. */
const TEMPORARY = '.new'

/** How often to make a folder again that another process removes. */
const TRIES = 100

/**
 * https://specifications.freedesktop.org/basedir-spec/latest/ : a relative path is ignored.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function journalFolder(env) {
  const state = env.XDG_STATE_HOME
  const base = state && isAbsolute(state) ? state : join(env.HOME || homedir(), '.local', 'state')
  return join(base, 'xfer', 'jobs')
}

/** An id that sorts by time. @param {number} ms @returns {string} such as `20261121T104500Z-4f9k2c` */
function newId(ms) {
  const time = new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  const letters = Array.from(randomBytes(6), byte => (byte % 36).toString(36)).join('')
  return `${time}-${letters}`
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} ids, newest first; empty when there is no folder
 * @throws {import('../types').XferError} BAD_JOURNAL when it cannot be read
 */
async function idsIn(folder) {
  try {
    const names = await readdir(folder)
    return names
      .filter(name => name.endsWith(SUFFIX) && name.length > SUFFIX.length)
      .map(name => name.slice(0, -SUFFIX.length))
      .sort()
      .reverse()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT') return []
    const advice = 'Check what it is, and its permissions.'
    throw unusable(folder, `the folder cannot be read (${code})`, { advice, cause: error })
  }
}

/** @param {string} folder @param {string} id */
function pathOf(folder, id) {
  return join(folder, `${id}${SUFFIX}`)
}

/** @param {string} path @param {string} folder @returns {Promise<boolean>} whether it is a file in that folder */
async function isIn(path, folder) {
  const places = [dirname(path), folder].map(place => realpath(place).catch(() => place))
  const [one, other] = await Promise.all(places)
  return one === other
}

/**
 * Creates or replaces a file, completely or not at all, that only its owner can read.
 *
 * @param {string} path no link
 * @param {string} content
 * @returns {Promise<import('node:fs/promises').FileHandle>} the new file, opened to read and append
 */
async function putFile(path, content) {
  const temporary = path + TEMPORARY
  // A process that was killed here may have left one.
  await unlink(temporary).catch(() => {})
  const handle = await openNew(temporary, 'ax+')
  try {
    await handle.writeFile(content)
    await handle.sync()
    await rename(temporary, path)
  } catch (error) {
    await handle.close()
    await unlink(temporary).catch(() => {})
    await removeEmptyFolders(dirname(path))
    throw error
  }
  await syncFolder(dirname(path))
  return handle
}

/**
 * Creates a file that only its owner can read, and opens it, in a folder that may be missing. Another process may remove
 * the folder as long as it is empty.
 *
 * @param {string} path
 * @param {'ax+' | 'a+'} flags a+: it may exist
 * @returns {Promise<import('node:fs/promises').FileHandle>}
 */
async function openNew(path, flags) {
  for (let tries = 1; ; tries++) {
    try {
      await makeFolder(dirname(path))
      return await open(path, flags, 0o600)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT' || tries === TRIES) throw error
    }
  }
}

/**
 * Creates a folder and its missing parents, a step at a time: with `recursive`, Node.js tries without end where a folder
 * that exists answers ENOENT, as `/proc` does.
 *
 * @param {string} folder
 */
async function makeFolder(folder) {
  const parent = dirname(folder)
  const make = () => mkdir(folder, { mode: 0o700 })
  try {
    await make().catch(async error => {
      if (error.code !== 'ENOENT' || parent === folder) throw error
      await makeFolder(parent)
      await make()
    })
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return
    throw error
  }
  await syncFolder(parent)
}

/** Removes the folder of the journals, `xfer/jobs`, and the one around it, if nothing is in them. @param {string} folder */
async function removeEmptyFolders(folder) {
  await rmdir(folder)
    .then(() => rmdir(dirname(folder)))
    .catch(() => {})
}

/** Flushes a folder: before that, a power failure may undo created, renamed or removed files. @param {string} folder */
async function syncFolder(folder) {
  // Some systems cannot flush a folder.
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

/** @param {string} path */
async function removeFile(path) {
  await unlink(path).catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  await unlink(path + TEMPORARY).catch(() => {})
  await syncFolder(dirname(path))
}

module.exports = {
  journalFolder,
  newId,
  idsIn,
  pathOf,
  isIn,
  openNew,
  putFile,
  removeEmptyFolders,
  removeFile,
}
