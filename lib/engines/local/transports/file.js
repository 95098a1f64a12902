'use strict'

/**
 * Files as a store, by URLs `file:///absolute/path`. The header `x-error` of a refusal is the code of Node.js, or LINK,
 * MOUNT, OUTSIDE, NOWHERE, NOT_A_FILE, CHANGED, EXISTS, LENGTH, RANGE.
 *
 * GET: `range`, `if-match`; `x-links: follow` follows links. Answers 200 or 206 with the file's ETag, or 403, 404, 412, 416.
 *
 * PUT with `content-range: bytes START-END/TOTAL`: a part, written into a file that is there. Its ETag is `"START-END"`.
 *
 * PUT without it: the whole file. It appears under its name when all of it is on the disk, and the name too before the answer.
 * Missing folders below `root` are made. Headers: `if-none-match: *`, `if-match`, `x-mtime` (seconds since the epoch),
 * `x-owner` (digits of its other name), `x-mtime-from` (the header of the read's answer that has its time, in seconds;
 * `x-mtime` counts where that says none). The answer has the ETag of the file, and its `x-mtime` where one was given.
 *
 * Refusals: 400, 403, 404, 409, 412, 413, 500; 507 if the disk or a quota is full.
 */

const { constants } = require('node:fs')
const { fileURLToPath } = require('node:url')
const { Failure } = require('../../../../actions/copy-range/failure')
const { release, takeSlab } = require('../../../../actions/copy-range/slab')
const { fileEtag, isEtagOf, withPath } = require('../../../files')
const { brokenRead, openHandle, refuse, withCode } = require('./file-handle')
const { beginWrite } = require('./file-write')
const { bodyOf, contentOf, rangeOf } = require('./messages')

/** @typedef {import('./file-handle').Handle} Handle */

const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants

/** What another version of a file has not in common with this one. @type {Array<'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>} */
const OF_VERSION = ['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs']

/** @type {import('../../../../actions/copy-range/transport').LocalTransport['begin']} */
const begin = (request, on) => (request.method === 'GET' ? beginRead(request, on) : beginWrite(request, on))

/**
 * The file is looked at when it is opened, and again before its last bytes are passed on: if it has changed, or does not end
 * there, they are not.
 *
 * @type {import('../../../../actions/copy-range/transport').LocalTransport['begin']}
 */
function beginRead({ headers, local }, on) {
  let over = false
  /** @type {ReturnType<typeof bodyOf> | undefined} */
  let content

  async function answer() {
    /** @type {Handle | undefined} */
    let handle
    try {
      handle = await openSource(local, headers)
      const stats = await handle.stat()
      if (over) return handle.close()
      if (!stats.isFile()) throw withCode('NOT_A_FILE')
      const etag = headers['if-match'] ?? fileEtag(stats)
      if (!isEtagOf(etag, stats)) throw withCode('CHANGED')
      const total = Number(stats.size)
      const range = rangeOf(headers, total)
      if (!range) throw withCode('RANGE')
      const pieces = piecesOf(handle, range, {
        check: () => checkUnchanged(/** @type {Handle} */ (handle), stats, { etag, end: range.end }),
        shrunk: () => changed(etag, 'a shorter file'),
      })
      content = bodyOf(pieces, { close: handle.close, lost: error => on.lost(brokenRead(error)) })
      on.answer(contentOf(range, total, etag, content.body))
    } catch (error) {
      handle?.close()
      if (!over) refuse(error, 'read', on)
    }
  }

  on.open()
  return {
    write: () => true,
    end: answer,
    destroy() {
      over = true
      content?.stop()
    },
  }
}

/**
 * Without O_NONBLOCK a named pipe would be waited for.
 * @param {import('../../../../actions/copy-range/transport').LocalTarget} local
 * @param {import('../../../../actions/copy-range/transport').WireRequest['headers']} headers
 * @returns {Promise<Handle>}
 */
async function openSource(local, headers) {
  // Links are followed below the root too.
  const path = fileURLToPath(local.url)
  if (headers['x-links'] === 'follow') return await openHandle(path, O_RDONLY | O_NONBLOCK)
  return await withPath(path, local.root, at => openHandle(at, O_RDONLY | O_NONBLOCK | O_NOFOLLOW))
}

/**
 * @param {Handle} handle
 * @param {import('node:fs').BigIntStats} stats as it was opened
 * @param {{ etag: string, end: number }} asked
 * @throws if it is another version, or does not end where it should
 */
async function checkUnchanged(handle, stats, { etag, end }) {
  const total = Number(stats.size)
  // Files that the kernel makes as they are read (/proc) have a size of 0.
  const more = end === total ? await handle.read(Buffer.alloc(1), 0, 1, total) : 0
  const now = await handle.stat()
  if (OF_VERSION.some(name => now[name] !== stats[name])) throw changed(etag, fileEtag(now))
  if (more > 0) throw withCode('SIZE')
}

/** @param {string} expected @param {string} found */
function changed(expected, found) {
  return new Failure('SOURCE_CHANGED', { side: 'read', expected, found })
}

/** One piece is passed on while the next is read. */
const MOST_READS = 2

/**
 * The bytes of a file: reads of a slab each, some of them at once.
 *
 * @param {Pick<Handle, 'read'>} handle
 * @param {{ start: number, end: number }} range end: exclusive
 * @param {object} on
 * @param {() => Promise<void>} on.check rejects if the last piece must not be passed on, or there must not be none
 * @param {() => Error} on.shrunk makes the error of a file that ends too early
 */
async function* piecesOf(handle, { start, end }, { check, shrunk }) {
  /** In order. @type {ReturnType<typeof readPiece>[]} */
  const reads = []
  let begun = start
  try {
    do {
      while (reads.length < MOST_READS && begun < end) {
        const slab = takeSlab()
        const bytes = slab.memory.subarray(0, end - begun)
        const read = readPiece(handle, { bytes, slab }, begun, shrunk)
        // It may fail before it is waited for.
        read.catch(() => {})
        reads.push(read)
        begun += bytes.length
      }
      const piece = await reads.shift()
      try {
        if (begun === end && reads.length === 0) await check()
        if (piece) yield piece
      } finally {
        if (piece) release(piece.slab)
      }
    } while (begun < end || reads.length > 0)
  } finally {
    for (const read of reads) void read.then(({ slab }) => release(slab)).catch(() => {})
  }
}

/**
 * @param {Pick<Handle, 'read'>} handle
 * @param {{ bytes: Buffer, slab: import('../../../../actions/copy-range/slab').Slab }} piece released if it cannot be filled
 * @param {number} at
 * @param {() => Error} shrunk
 * @returns {Promise<typeof piece>}
 */
async function readPiece(handle, piece, at, shrunk) {
  const { bytes, slab } = piece
  try {
    for (let filled = 0; filled < bytes.length; ) {
      const count = await handle.read(bytes, filled, bytes.length - filled, at + filled)
      if (count === 0) throw shrunk()
      filled += count
    }
    return piece
  } catch (error) {
    release(slab)
    throw error
  }
}

module.exports = { begin, piecesOf }
