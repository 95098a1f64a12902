'use strict'

/** The file of a journal, read completely, appended to, flushed to the disk; and the folder of the journals. */

const { constants } = require('node:fs')
const { mkdir, open, readdir, realpath, rename, rmdir, stat, unlink } = require('node:fs/promises')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { randomBytes } = require('node:crypto')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { XferError } = require('../errors')
const { decodeLines } = require('./facts')

/** @typedef {import('node:fs/promises').FileHandle} FileHandle */

/** Far more than ten thousand parts and a year of work need. */
const MOST_BYTES = 256 * 1024 ** 2
const PIECE_BYTES = 1024 ** 2

/**
 * @param {string} path
 * @param {'read' | 'append'} how
 * @returns {Promise<FileHandle>}
 * @throws {XferError} NO_SUCH_JOB when the file is missing, BAD_JOURNAL when it cannot be opened
 */
async function openFile(path, how) {
  try {
    const found = await stat(path)
    if (!found.isFile()) throw unusable(path, 'it is no file')
    if (found.size > MOST_BYTES) throw unusable(path, 'it is larger than any journal')
    // Never created: the caller wants an existing file.
    return await open(path, how === 'read' ? constants.O_RDONLY : constants.O_RDWR | constants.O_APPEND)
  } catch (error) {
    throw fromSystem(error, path, 'opened')
  }
}

/**
 * @param {FileHandle} handle
 * @param {string} path
 * @param {number} [most] how many bytes to read, from the beginning
 * @returns {Promise<import('./facts').Decoded>}
 * @throws {XferError} BAD_JOURNAL
 */
async function readAll(handle, path, most = MOST_BYTES) {
  try {
    const pieces = []
    const range = { start: 0, end: most - 1, autoClose: false, highWaterMark: PIECE_BYTES }
    for await (const piece of handle.createReadStream(range)) pieces.push(piece)
    return decodeLines(Buffer.concat(pieces))
  } catch (error) {
    throw fromSystem(error, path, 'read')
  }
}

/** @param {string} path @param {number} [most] as of `readAll` @returns {Promise<import('./facts').Decoded>} */
async function readFileAt(path, most) {
  const handle = await openFile(path, 'read')
  try {
    return await readAll(handle, path, most)
  } finally {
    await handle.close()
  }
}

/**
 * Whether the path still names the opened file.
 *
 * @param {FileHandle} handle
 * @param {string} path
 */
async function isAt(handle, path) {
  const [ours, named] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
  return named !== undefined && named.ino === ours.ino && named.dev === ours.dev
}

/** Whether the file is this user's, and nobody else may write it. Windows tells neither. @param {FileHandle} handle */
async function isOwn(handle) {
  const { uid, mode } = await handle.stat()
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/**
 * Appends lines and flushes them in groups: lines that arrive during a flush go together with the next one. Lines that
 * could not be written are written again with the next group; a repeated line does no harm.
 *
 * @param {FileHandle} opened opened to append
 * @param {object} file
 * @param {boolean} file.whole whether it ends with a line end
 * @param {number} [file.bytes] its size
 * @param {import('./journal').Compact} [file.compact] called before each flush; may return a rewritten file
 *   to continue with
 */
function createAppender(opened, { whole, bytes = 0, compact }) {
  let handle = opened
  /** @type {string[]} lines that are not on the disk yet */
  let lines = []
  /** @type {Promise<unknown>} the current flush */
  let current = Promise.resolve()
  /** @type {Promise<void> | undefined} the flush that waits for it */
  let next

  /** @param {Promise<unknown>} previous */
  async function flushAfter(previous) {
    await previous
    await nextTurn()
    next = undefined
    const batch = lines
    lines = []
    const compacted = await compact?.(handle, bytes)
    if (compacted) {
      await handle.close().catch(() => {})
      handle = compacted.handle
      bytes = compacted.bytes
      whole = true
      return
    }
    try {
      await writeWhole((whole ? '' : '\n') + batch.join(''))
      whole = true
      await handle.datasync()
    } catch (error) {
      whole = false
      lines = [...batch, ...lines]
      throw error
    }
  }

  /** @param {string} text */
  async function writeWhole(text) {
    const all = Buffer.from(text)
    for (let written = 0; written < all.length; ) {
      const { bytesWritten } = await handle.write(all, written, all.length - written, null)
      written += bytesWritten
      bytes += bytesWritten
    }
  }

  function flush() {
    if (next === undefined) {
      next = flushAfter(current)
      current = next.catch(() => {})
    }
    return next
  }

  return {
    /** @param {string} line with its end @returns {Promise<void>} resolves when it is on the disk */
    append(line) {
      lines.push(line)
      return flush()
    },
    /** @returns {Promise<void>} resolves when all lines are on the disk, as far as possible */
    async settle() {
      await (lines.length > 0 ? flush() : (next ?? current))
    },
    /** Ends the file: nothing more is appended. */
    close: () => handle.close().catch(() => {}),
  }
}

/** @param {string} path @param {string} reason @param {{ advice?: string, cause?: unknown }} [more] */
function unusable(path, reason, { advice, cause } = {}) {
  return new XferError('BAD_JOURNAL', { path, reason, advice }, { cause })
}

/** @param {unknown} cause @param {string} path @param {string} what the operation that failed @returns {import('../types').XferError} */
function fromSystem(cause, path, what) {
  if (cause instanceof XferError) return cause
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  if (code === 'ENOENT' || code === 'ENOTDIR') return new XferError('NO_SUCH_JOB', { job: path }, { cause })
  return unusable(path, `it cannot be ${what} (${code ?? message})`, { cause })
}

/** @param {unknown} cause @param {string} path @returns {import('../types').XferError} */
function unwritable(cause, path) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  const advice = 'Check the permissions and the space of its folder, or set XDG_STATE_HOME to another one.'
  return unusable(path, `it cannot be written (${code ?? message})`, { advice, cause })
}

/** The folder of the journals and its files. */

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
  openFile,
  readAll,
  readFileAt,
  isAt,
  isOwn,
  createAppender,
  unwritable,
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
