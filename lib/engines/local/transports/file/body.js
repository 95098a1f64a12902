'use strict'

const { release, takeSlab } = require('../../../../../actions/copy-range/transport')

/** @typedef {import('../../../../../actions/copy-range/transport').Body} Body */
/** @typedef {import('../../../../../actions/copy-range/transport').Taker} Taker */
/** @typedef {{ slab: import('../../../../../actions/copy-range/transport').Slab, at: number, length: number, filled: number, busy: boolean }} Piece */

/** One piece is passed on while the next is read. */
const MOST_READS = 2

/**
 * The bytes of a file as the body of an answer: reads of a slab each, some of them at once, passed on in order.
 *
 * @param {import('./handle').Handle} handle closed at the end, or by `stop`
 * @param {{ start: number, end: number }} range end: exclusive
 * @param {object} on
 * @param {() => Promise<void>} on.check rejects if the last piece must not be passed on, or there must not be none
 * @param {() => Error} on.shrunk makes the error of a file that ends too early
 * @param {(error: unknown) => void} on.lost
 * @returns {{ body: Body, stop: () => void }}
 */
function bodyOf(handle, { start, end }, { check, shrunk, lost }) {
  /** @type {Taker | undefined} */
  let taker
  let paused = false
  let over = false
  let checked = false
  let checking = false
  let next = start
  /** Read, or being read, in order. @type {Piece[]} */
  const pieces = []

  const readOn = () => {
    while (!over && pieces.length < MOST_READS && next < end) {
      const slab = takeSlab()
      const length = Math.min(slab.memory.length, end - next)
      const piece = { slab, at: next, length, filled: 0, busy: true }
      next += length
      pieces.push(piece)
      fill(piece)
    }
  }
  /** @param {Piece} piece */
  const fill = piece => {
    const { slab, at, length, filled } = piece
    handle.read(slab.memory, filled, length - filled, at + filled, (error, bytes) => {
      if (over) return release(slab)
      piece.filled += bytes ?? 0
      if (!error && bytes > 0 && piece.filled < length) return fill(piece)
      piece.busy = false
      if (error || bytes === 0) finish(error ?? shrunk())
      else give()
    })
  }
  const give = () => {
    while (!over && !paused && pieces.length > 0 && !pieces[0].busy) {
      const [{ slab, at, length }] = pieces
      if (at + length === end && !checked) return checkLast()
      pieces.shift()
      taker?.data(slab.memory.subarray(0, length), slab)
      release(slab)
    }
    if (over || paused) return
    readOn()
    if (pieces.length > 0) return
    // There was no piece.
    if (checked) finish()
    else checkLast()
  }
  const checkLast = () => {
    if (checking) return
    checking = true
    check()
      .then(() => {
        checked = true
        give()
      })
      .catch(finish)
  }
  /** @param {unknown} [error] */
  const finish = error => {
    if (over) return
    stop()
    if (error) lost(error)
    taker?.end()
  }
  const stop = () => {
    if (over) return
    over = true
    for (const { slab, busy } of pieces) if (!busy) release(slab)
    handle.close()
  }

  const body = {
    /** @param {Taker} to */
    start(to) {
      taker = to
      readOn()
      give()
    },
    pause() {
      paused = true
    },
    resume() {
      if (!paused) return
      paused = false
      give()
    },
  }
  return { body, stop }
}

module.exports = { bodyOf }
