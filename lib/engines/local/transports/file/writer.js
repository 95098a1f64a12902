'use strict'

const { hold, release } = require('../../../../../actions/copy-range/transport')

/** @typedef {import('../../../../../actions/copy-range/transport').Slab} Slab */

/** What waits while a write is under way goes with the next one. With so much waiting the source is to wait too. */
const MOST_BYTES = 1024 * 1024
/** The pieces of one call (IOV_MAX is 1,024). */
const MOST_PIECES = 256

/**
 * Writes pieces one behind the other.
 *
 * @param {import('./handle').Handle} handle
 * @param {number} start where the first one goes
 * @param {{ drain: () => void, failed: (error: unknown) => void }} on drain: after `write` has answered false: more can be
 *   written; failed: at most once, nothing is written after it
 */
function createWriter(handle, start, on) {
  /** @type {Array<{ bytes: Buffer, slab?: Slab }>} */
  let waiting = []
  let waitingBytes = 0
  let at = start
  let busy = false
  let full = false
  let over = false
  let whenIdle = () => {}

  /** @param {Array<{ slab?: Slab }>} pieces */
  const letGo = pieces => {
    for (const { slab } of pieces) if (slab) release(slab)
  }
  const writeOn = () => {
    if (busy || over) return
    if (waiting.length === 0) return whenIdle()
    const pieces = waiting.splice(0, MOST_PIECES)
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)
    waitingBytes -= bytes
    busy = true
    writeAll(
      pieces.map(piece => piece.bytes),
      bytes,
      error => {
        busy = false
        letGo(pieces)
        if (over) return
        if (error) {
          stop()
          return on.failed(error)
        }
        writeOn()
        if (full && waitingBytes < MOST_BYTES) {
          full = false
          on.drain()
        }
      },
    )
  }
  /**
   * A file system may take less than it was given, and says why not more only if it is asked again.
   * @param {Buffer[]} buffers
   * @param {number} bytes
   * @param {(error?: unknown) => void} done
   */
  const writeAll = (buffers, bytes, done) => {
    handle.write(buffers, at, (error, written) => {
      if (error || over) return done(error)
      if (written === 0) return done(Object.assign(new Error('nothing was written'), { code: 'EIO' }))
      at += written
      if (written === bytes) return done()
      writeAll(behind(buffers, written), bytes - written, done)
    })
  }
  const stop = () => {
    if (over) return
    over = true
    letGo(waiting)
    waiting = []
  }

  return {
    /** @param {Buffer} bytes @param {Slab} [slab] @returns {boolean} false: no more until `drain` */
    write(bytes, slab) {
      if (over) return true
      if (slab) hold(slab)
      waiting.push({ bytes, slab })
      waitingBytes += bytes.length
      writeOn()
      full = waitingBytes >= MOST_BYTES
      return !full
    },
    /** How many bytes the kernel has taken. */
    written: () => at - start,
    /** Calls back when everything was written. @param {() => void} done */
    end(done) {
      whenIdle = done
      writeOn()
    },
    stop,
  }
}

/** @param {Buffer[]} buffers @param {number} written @returns {Buffer[]} what of them was not written */
function behind(buffers, written) {
  const first = buffers.findIndex(bytes => {
    if (written < bytes.length) return true
    written -= bytes.length
    return false
  })
  return [buffers[first].subarray(written), ...buffers.slice(first + 1)]
}

module.exports = { createWriter }
