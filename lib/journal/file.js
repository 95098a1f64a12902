'use strict'

/** The file of a journal, as its log: read completely, appended to, made completely or not at all, and removed with its empty folders. */

const { constants } = require('node:fs')
const { open, realpath, rename, rmdir, stat, unlink } = require('node:fs/promises')
const { dirname } = require('node:path')
const { XferError } = require('../errors')
const { makeFolders } = require('../files')
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
  if (cause instanceof XferError) return cause
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  const advice = 'Check the permissions and the space of its folder, or set XDG_STATE_HOME to another one.'
  return unusable(path, `it cannot be written (${code ?? message})`, { advice, cause })
}

/** Added to the name of a file that is not complete yet. */
const TEMPORARY = '.new'

/** How often to make a folder again that another process removes. */
const TRIES = 100

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
      await makeFolders(dirname(path), { mode: 0o700, made: syncFolder })
      return await open(path, flags, 0o600)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT' || tries === TRIES) throw error
    }
  }
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

/** How often to write a sign of life for processes on other machines (lock.js). */
const HEARTBEAT_MS = 45_000
/** A smaller journal is not rewritten: more than that of a single object needs. */
const LEAST_BYTES = 4 * 1024 ** 2
/** Rewrite only when the file has grown by at least this factor. */
const GROWTH = 4

/**
 * @param {FileHandle} opened to append
 * @param {string} path
 * @param {object} [file]
 * @param {boolean} [file.whole] whether it ends with a line end
 * @param {number} [file.bytes] its size
 * @param {number} [file.compactBytes] a smaller one is not rewritten
 * @param {boolean} [file.alone] nothing else is in its folders, which go with it
 * @returns {import('../types').JournalLog}
 */
function fileLog(opened, path, { whole = true, bytes = 0, compactBytes = LEAST_BYTES, alone = true } = {}) {
  let handle = opened
  /** From which size on the file is rewritten. */
  let worthIt = compactBytes

  /** @param {string} text */
  async function writeWhole(text) {
    const all = Buffer.from(text)
    for (let written = 0; written < all.length; ) {
      const { bytesWritten } = await handle.write(all, written, all.length - written, null)
      written += bytesWritten
      bytes += bytesWritten
    }
  }

  return {
    path,
    heartbeatMs: HEARTBEAT_MS,
    groupMs: 0,

    async read() {
      const decoded = await readAll(handle, path)
      // The owner may have finished the job and removed the file meanwhile.
      if (!(await isAt(handle, path))) throw new XferError('NO_SUCH_JOB', { job: path })
      whole = decoded.whole
      bytes = decoded.bytes
      return decoded
    },

    async append(text) {
      try {
        await writeWhole((whole ? '' : '\n') + text)
        whole = true
        await handle.datasync()
      } catch (error) {
        whole = false
        throw error
      }
    },

    isGrown: () => bytes >= worthIt,

    async replace(text) {
      try {
        // Another process wrote to it, considers us dead and owns it now.
        if ((await handle.stat()).size !== bytes || !(await isAt(handle, path))) {
          worthIt = Number.POSITIVE_INFINITY
          return false
        }
        const replaced = await putFile(await realpath(path), text)
        await handle.close().catch(() => {})
        handle = replaced
      } catch {
        // The old file keeps growing while there is room.
        worthIt = 2 * bytes
        return false
      }
      whole = true
      bytes = Buffer.byteLength(text)
      worthIt = Math.max(compactBytes, GROWTH * bytes)
      return true
    },

    async remove() {
      try {
        await removeFile(path)
      } finally {
        await handle.close().catch(() => {})
      }
      if (alone) await removeEmptyFolders(dirname(path))
    },

    close: () => handle.close().catch(() => {}),
  }
}

module.exports = {
  fileLog,
  isAt,
  openFile,
  openNew,
  putFile,
  readAll,
  readFileAt,
  removeEmptyFolders,
  unwritable,
}
