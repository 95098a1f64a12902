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
  /** What is being written, too. @type {Array<{ bytes: Buffer, slab?: Slab }>} */
  const waiting = []
  /** Without what is being written. */
  let waitingBytes = 0
  let at = start
  let busy = false
  let full = false
  let over = false
  let whenIdle = () => {}

  const writeOn = () => {
    if (busy || over) return
    if (waiting.length === 0) return whenIdle()
    const pieces = waiting.slice(0, MOST_PIECES).map(({ bytes }) => bytes)
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    waitingBytes -= bytes
    busy = true
    handle.write(pieces, at, (error, written) => {
      busy = false
      if (over) return letGo()
      if (error || written === 0) {
        stop()
        return on.failed(error ?? Object.assign(new Error('nothing was written'), { code: 'EIO' }))
      }
      at += written
      // A file system may take less than it was given, and says why not more only if it is asked again.
      waitingBytes += bytes - written
      forget(written)
      writeOn()
      if (full && waitingBytes < MOST_BYTES) {
        full = false
        on.drain()
      }
    })
  }
  /** What was written waits no more. @param {number} written */
  const forget = written => {
    let left = written
    while (waiting.length > 0 && left >= waiting[0].bytes.length) {
      const [{ bytes, slab }] = waiting.splice(0, 1)
      left -= bytes.length
      if (slab) release(slab)
    }
    if (left > 0) waiting[0].bytes = waiting[0].bytes.subarray(left)
  }
  const letGo = () => {
    for (const { slab } of waiting.splice(0)) if (slab) release(slab)
  }
  const stop = () => {
    over = true
    // What is being written stays in its memory until then.
    if (!busy) letGo()
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

module.exports = { createWriter }
