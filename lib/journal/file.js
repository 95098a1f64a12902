'use strict'

/** The file of a journal: read completely, appended to, flushed to the disk. */

const { constants } = require('node:fs')
const { open, stat } = require('node:fs/promises')
const { setImmediate: nextTurn } = require('node:timers/promises')
const { XferError } = require('../errors')
const { decodeLines } = require('./lines')

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
 * @returns {Promise<import('./lines').Decoded>}
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

/** @param {string} path @param {number} [most] as of `readAll` @returns {Promise<import('./lines').Decoded>} */
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

module.exports = { openFile, readAll, readFileAt, isAt, isOwn, createAppender, unusable, unwritable }
