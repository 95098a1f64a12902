'use strict'

/** A PUT of a whole file, or of a part of a partial file. */

const fs = require('node:fs')
const { basename, dirname } = require('node:path')
const { fileURLToPath } = require('node:url')
const { promisify } = require('node:util')
const { release } = require('../../../../actions/copy-range/slab')
const { withPath, fileEtag, newPartialId, partialName, publish, useFolder } = require('../../../files')
const { codeOf, openHandle, refuse, withCode } = require('./file-handle')
const { answerOf, placeOf } = require('./messages')

/** @typedef {import('./file-handle').Handle} Handle */

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = fs.constants

/**
 * A file that is written. `start`: where; `finish`: everything was written, resolves to the headers of the answer; `drop`:
 * nothing of it is needed any more, also after `finish`.
 * @typedef {{
 *   handle: Handle, start: number, finish: () => Promise<Record<string, string>>, drop: () => void
 * }} Target
 */

/** @type {import('../../../../actions/copy-range/transport').LocalTransport['begin']} */
function beginWrite({ headers, local }, on) {
  const bytes = Number(headers['content-length'])
  const start = placeOf(headers)
  let over = false
  /** @type {Target | undefined} */
  let target
  /** @type {ReturnType<typeof createWriter> | undefined} */
  let writer

  const stop = () => {
    over = true
    writer?.stop()
    target?.drop()
  }
  /** @param {unknown} error */
  const fail = error => {
    if (over) return
    stop()
    // What could not be opened is answered too.
    on.open()
    refuse(error, 'write', on)
  }
  const open = async () => {
    const opened = await (start === undefined
      ? openWhole(local, headers)
      : openPart(local, { start, end: start + bytes - 1 }))
    if (over) return opened.drop()
    target = opened
    writer = createWriter(opened.handle, opened.start, { drain: () => on.drain(), failed: fail })
    on.open()
  }
  const finish = async () => {
    if ((await writer?.end()) !== bytes) throw withCode('LENGTH')
    const headers = await target?.finish()
    if (over) return
    stop()
    on.answer(answerOf(200, headers))
  }

  open().catch(fail)
  return {
    write: (piece, slab) => (over ? true : (writer?.write(piece, slab) ?? false)),
    end() {
      if (!over) finish().catch(fail)
    },
    destroy: stop,
  }
}

/**
 * Opens a file that is there, to write a part of it. What makes the whole durable is done once, when all parts are there.
 *
 * @param {import('../../../../actions/copy-range/transport').LocalTarget} local
 * @param {{ start: number, end: number }} part end: of the last byte
 * @returns {Promise<Target>}
 * @throws {NodeJS.ErrnoException} with the code NOT_A_FILE for a socket, or a named pipe that nobody reads
 */
async function openPart({ url, root }, { start, end }) {
  const open = (/** @type {string} */ path) => openHandle(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
  const handle = await withPath(fileURLToPath(url), root, open).catch(error => {
    throw codeOf(error) === 'ENXIO' ? withCode('NOT_A_FILE') : error
  })
  return { handle, start, finish: async () => ({ etag: `"${start}-${end}"` }), drop: handle.close }
}

/** A whole file: written under another name, made durable, and only then given its own. */

const unlink = promisify(fs.unlink)

/** Seconds since the epoch, as programs note them. */
const SECONDS = /^-?\d{1,11}(\.\d+)?$/

/** @typedef {import('../../../../actions/copy-range/transport').WireRequest} WireRequest */

/**
 * @param {import('../../../../actions/copy-range/transport').LocalTarget} local with a root, missing folders below it are made
 * @param {WireRequest['headers']} headers
 * @returns {Promise<Target>}
 */
async function openWhole({ url, root, source }, headers) {
  const path = fileURLToPath(url)
  const name = basename(path)
  const partial = partialName(newPartialId(name, headers['x-owner']))
  const { folder, handle } = await create(path, partial, root)
  let renamed = false
  let dropped = false
  let finishing = Promise.resolve({})

  async function complete() {
    const mtime = mtimeFor(headers, source)
    if (mtime !== undefined) await handle.wait((fd, done) => fs.futimes(fd, Date.now() / 1000, mtime, done))
    await handle.wait(fs.fsync)
    const etag = fileEtag(await handle.stat())
    if (dropped) throw withCode('ECANCELED')
    const condition = { ifMatch: headers['if-match'], ifNoneMatch: headers['if-none-match'] !== undefined }
    await publish(folder.at(partial), folder.at(name), condition)
    renamed = true
    await folder.sync()
    return { etag, ...(mtime !== undefined && { 'x-mtime': mtime }) }
  }

  return {
    handle,
    start: 0,
    finish: () => (finishing = complete()),
    drop() {
      if (dropped) return
      dropped = true
      handle.close()
      const tidy = async () => {
        if (!renamed) await unlink(folder.at(partial)).catch(() => {})
        folder.release()
      }
      void finishing.then(tidy, tidy)
    },
  }
}

/**
 * A folder that was removed while it was kept open is opened, or made, once more.
 * @param {string} path of the target
 * @param {string} name of what is made in its folder
 * @param {string} [root]
 */
async function create(path, name, root) {
  for (let again = root !== undefined; ; again = false) {
    const folder = await useFolder(dirname(path), { root, make: root !== undefined })
    try {
      const handle = await openHandle(folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
      return { folder, handle }
    } catch (error) {
      folder.forget()
      folder.release()
      if (!again || codeOf(error) !== 'ENOENT') throw error
    }
  }
}

/**
 * The time that the file is to have: that of the read's answer, if the request names a header of it.
 * @param {WireRequest['headers']} headers
 * @param {import('../../../../actions/copy-range/transport').LocalTarget['source']} [source] headers of the read's answer
 * @returns {string | undefined} seconds since the epoch
 */
function mtimeFor({ 'x-mtime': mtime, 'x-mtime-from': name = '' }, source = {}) {
  const noted = source[name]
  return typeof noted === 'string' && SECONDS.test(noted) ? noted : mtime
}

/** @typedef {import('../../../../actions/copy-range/slab').Slab} Slab */

/** What waits while a write is under way goes with the next one. With so much waiting the source is to wait too. */
const MOST_BYTES = 1024 * 1024
/** The pieces of one call (IOV_MAX is 1,024). */
const MOST_PIECES = 256

/**
 * Writes pieces one behind the other.
 *
 * @param {Pick<Handle, 'write'>} handle
 * @param {number} start where the first one goes
 * @param {{ drain: () => void, failed: (error: unknown) => void }} on drain: after `write` has answered false: more can be
 *   written; failed: at most once, nothing is written after it
 */
function createWriter(handle, start, on) {
  /** What is being written, too. @type {Array<{ bytes: Buffer, slab?: Slab }>} */
  const waiting = []
  /** Without what is being written. */
  let waitingBytes = 0
  let at = start
  let busy = false
  let full = false
  let over = false
  /** Until nothing waits. */
  let writing = Promise.resolve()

  async function writeOn() {
    busy = true
    try {
      while (waiting.length > 0 && !over) await writeSome()
    } catch (error) {
      if (!over) on.failed(error)
      over = true
    }
    busy = false
    if (over) letGo()
  }
  async function writeSome() {
    const pieces = waiting.slice(0, MOST_PIECES).map(({ bytes }) => bytes)
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    waitingBytes -= bytes
    const call = handle.write(pieces, at)
    if (full && waitingBytes < MOST_BYTES) {
      full = false
      on.drain()
    }
    const written = await call
    if (written === 0) throw withCode('EIO')
    at += written
    // A file system may take less than it was given, and says why not more only if it is asked again.
    waitingBytes += bytes - written
    forget(written)
  }
  /** What was written waits no more. @param {number} written */
  function forget(written) {
    let left = written
    while (waiting.length > 0 && left >= waiting[0].bytes.length) {
      const [{ bytes, slab }] = waiting.splice(0, 1)
      left -= bytes.length
      if (slab) release(slab)
    }
    if (left > 0) waiting[0].bytes = waiting[0].bytes.subarray(left)
  }
  /** What is being written stays in its memory until then. */
  function letGo() {
    if (busy) return
    for (const { slab } of waiting.splice(0)) if (slab) release(slab)
  }

  return {
    /** @param {Buffer} bytes @param {Slab} [slab] @returns {boolean} false: no more until `drain` */
    write(bytes, slab) {
      if (over) return true
      if (slab) slab.users++
      waiting.push({ bytes, slab })
      waitingBytes += bytes.length
      if (!busy) writing = writeOn()
      full = waitingBytes >= MOST_BYTES
      return !full
    },
    /** Waits for all of that. @returns {Promise<number>} how many bytes the kernel has taken */
    async end() {
      await writing
      return at - start
    },
    stop() {
      over = true
      letGo()
    },
  }
}

module.exports = { beginWrite, createWriter }
