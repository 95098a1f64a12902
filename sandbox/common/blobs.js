'use strict'

const fs = require('node:fs')
const path = require('node:path')
const { randomBytes } = require('node:crypto')

/**
 * Stores bytes: one immutable file for each PUT or part, with a count of its references (objects, uploads, readers). The
 * file is removed when the last reference is released. So an overwrite never disturbs a reader, and completing an upload
 * copies no bytes.
 */

/** How many bytes are buffered before a write: one system call per megabyte, not one per piece from the network. */
const BATCH_BYTES = 1024 * 1024
const BATCH_PIECES = 512

/**
 * @typedef {object} BlobWriter
 * @property {string} id
 * @property {(bytes: Buffer) => Promise<void> | undefined} write takes ownership of the buffer; wait for the promise, if it returns one
 * @property {() => Promise<void>} end resolves when the file is written; the caller holds one reference
 * @property {() => Promise<void>} abort
 */

/**
 * @typedef {object} Blobs
 * @property {() => Promise<BlobWriter>} create
 * @property {(id: string) => Promise<fs.promises.FileHandle>} open
 * @property {(segment: import('./types').Segment) => Promise<Buffer>} read rejects for bytes that are made up, or were not kept
 * @property {(id: string) => void} retain
 * @property {(id: string) => void} release
 * @property {() => Promise<void>} sweep removes the files without references (after a restart)
 */

/**
 * @param {string} folder
 * @returns {Blobs}
 */
function openBlobs(folder) {
  fs.mkdirSync(folder, { recursive: true })
  const session = randomBytes(6).toString('hex')
  let count = 0
  /** @type {Map<string, number>} */
  const holders = new Map()
  /** @param {string} id */
  const fileOf = id => path.join(folder, id)

  /** @param {string} id */
  const open = id => fs.promises.open(fileOf(id), 'r')

  return {
    async create() {
      const id = `${session}-${++count}`
      const writer = batchingWriter(await fs.promises.open(fileOf(id), 'wx'))
      return {
        id,
        write: writer.write,
        async end() {
          await writer.end()
          holders.set(id, 1)
        },
        async abort() {
          await writer.abort()
          await fs.promises.rm(fileOf(id), { force: true })
        },
      }
    },
    open,
    async read(segment) {
      if (!('blob' in segment)) throw new TypeError('bytes that are made up, or were not kept, cannot be looked at')
      const { blob, offset = 0, size } = segment
      const file = await open(blob)
      try {
        const { buffer } = await file.read(Buffer.alloc(size), 0, size, offset)
        return buffer
      } finally {
        await file.close()
      }
    },
    retain(id) {
      holders.set(id, (holders.get(id) ?? 0) + 1)
    },
    release(id) {
      const left = (holders.get(id) ?? 0) - 1
      if (left > 0) {
        holders.set(id, left)
        return
      }
      holders.delete(id)
      fs.rm(fileOf(id), { force: true }, () => {})
    },
    async sweep() {
      for (const id of await fs.promises.readdir(folder)) {
        if (!holders.has(id)) await fs.promises.rm(fileOf(id), { force: true })
      }
    },
  }
}

/** Writes one batch while the next one is gathered. @param {fs.promises.FileHandle} file */
function batchingWriter(file) {
  /** @type {Buffer[]} */
  let gathered = []
  let bytes = 0
  /** @type {Promise<void> | undefined} */
  let writing
  /** @type {unknown} */
  let failure

  function flush() {
    const batch = gathered
    const size = bytes
    gathered = []
    bytes = 0
    writing = writeAll(file, batch, size).then(
      () => {
        writing = undefined
      },
      error => {
        writing = undefined
        failure = error
      },
    )
  }

  /** @returns {Promise<void>} */
  async function settle() {
    await writing
    if (failure) throw failure
  }

  return {
    /** @param {Buffer} piece */
    write(piece) {
      gathered.push(piece)
      bytes += piece.length
      if (bytes < BATCH_BYTES && gathered.length < BATCH_PIECES) return undefined
      if (!writing && !failure) {
        flush()
        return undefined
      }
      return settle().then(flush)
    },
    async end() {
      try {
        await settle()
        if (bytes > 0) flush()
        await settle()
      } finally {
        await file.close()
      }
    },
    async abort() {
      await writing
      await file.close()
    },
  }
}

/** @param {fs.promises.FileHandle} file @param {Buffer[]} batch @param {number} size */
async function writeAll(file, batch, size) {
  const { bytesWritten } = await file.writev(batch)
  if (bytesWritten === size) return
  // A nearly full disk may write less than was given; the next write fails with the reason.
  let rest = Buffer.concat(batch).subarray(bytesWritten)
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten)
}

module.exports = { openBlobs }
