'use strict'

const { randomBytes } = require('node:crypto')
const { once } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { finished } = require('node:stream/promises')

/**
 * Stores bytes: one immutable file for each PUT or part. So an overwrite never disturbs a reader, and completing an upload
 * copies no bytes. Files that nothing refers to any more are removed from time to time.
 *
 * @typedef {import('./types').Segment} Segment
 */

/** How many bytes are buffered before a write: one system call per megabyte, not one per piece from the network. */
const BATCH_BYTES = 1024 * 1024
/** How much is read at once. */
const READ_BYTES = 512 * 1024
/** After so many new bytes a sweep is worth its time. */
const SWEEP_BYTES = 64 * 1024 * 1024

/** @param {string} folder */
function openBlobs(folder) {
  fs.mkdirSync(folder, { recursive: true })
  const session = randomBytes(6).toString('hex')
  const kept = new Set(fs.readdirSync(folder))
  let count = 0
  let unswept = 0
  /** @param {string} id */
  const fileOf = id => path.join(folder, id)

  return {
    /**
     * Stores what `fill` writes. If it rejects, nothing is stored.
     *
     * @template {{ bytes: number }} R
     * @param {boolean} discard the bytes are counted, and not kept
     * @param {(write: (bytes: Buffer) => Promise<unknown> | undefined) => Promise<R>} fill wait for the promise of `write`, if
     *   it returns one, before more is written
     * @returns {Promise<R & { segments: Segment[] }>}
     */
    async store(discard, fill) {
      if (discard) {
        const received = await fill(() => undefined)
        return { ...received, segments: [{ size: received.bytes, discarded: true }] }
      }
      const id = `${session}-${++count}`
      const stream = fs.createWriteStream(fileOf(id), { flags: 'wx', highWaterMark: BATCH_BYTES })
      const written = finished(stream)
      written.catch(() => {})
      // Destroyed while it writes, it may fail once more when nobody waits for it.
      stream.on('error', () => {})
      try {
        const received = await fill(bytes => {
          if (stream.write(bytes)) return undefined
          const drained = Promise.race([once(stream, 'drain'), written])
          // Whoever fills may have given up by then.
          drained.catch(() => {})
          return drained
        })
        stream.end()
        await written
        kept.add(id)
        unswept += received.bytes
        return { ...received, segments: [{ size: received.bytes, blob: id }] }
      } catch (error) {
        stream.destroy()
        await written.catch(() => {})
        await fs.promises.rm(fileOf(id), { force: true })
        throw error
      }
    },

    /** @param {Extract<Segment, { blob: string }>} segment not empty @returns {AsyncIterable<Buffer>} */
    read({ blob, offset = 0, size }) {
      return fs.createReadStream(fileOf(blob), { start: offset, end: offset + size - 1, highWaterMark: READ_BYTES })
    },

    /** Whether so much was written that files without a reference may take much room. */
    needsSweep: () => unswept >= SWEEP_BYTES,

    /** Removes the files that nothing refers to; call it while no request is at work. @param {Iterable<Segment>} segments all there are */
    async sweep(segments) {
      unswept = 0
      const used = new Set([...segments].map(segment => 'blob' in segment && segment.blob))
      const unused = [...kept].filter(id => !used.has(id))
      for (const id of unused) kept.delete(id)
      await Promise.all(unused.map(id => fs.promises.rm(fileOf(id), { force: true })))
    },
  }
}

/** @typedef {ReturnType<typeof openBlobs>} Blobs */

module.exports = { openBlobs }
