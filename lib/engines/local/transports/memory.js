'use strict'

/**
 * Memory as a store: a GET of `memory:ID` reads from the memory that the request holds, a PUT writes into it. Neither copies
 * more than it must. Answers: 200, 206; 412 for another ID, 416 for bytes that the memory has not got, 413 for too many.
 */

const { answerOf, callOf, contentOf, placeOf, rangeOf, refusalOf } = require('./messages')

/** Read at once: longer pieces would hold up the other tasks of this thread. */
const PIECE_BYTES = 1024 * 1024

/** @typedef {import('../../../../actions/copy-range/transport').Handlers} Handlers */
/** @typedef {import('../../../../actions/copy-range/transport').Taker} Taker */

/** @type {import('../../../../actions/copy-range/transport').LocalTransport['begin']} */
function begin({ method, headers, local: { url, held } }, on) {
  const memory = Buffer.from(/** @type {SharedArrayBuffer} */ (held))
  const etag = `"${url.slice('memory:'.length)}"`
  /** The offset in the object of the memory's first byte. */
  const first = Number(headers['x-start'] ?? 0)
  const flow = { over: false }
  let at = (placeOf(headers) ?? first) - first
  let overflow = at < 0

  function answerRead() {
    const total = Number(headers['x-total'] ?? first + memory.length)
    const range = rangeOf(headers, total)
    if ((headers['if-match'] ?? etag) !== etag) return refusalOf(412, 'CHANGED')
    if (!range || range.start < first || range.end > first + memory.length) return refusalOf(416, 'RANGE')
    const bytes = memory.subarray(range.start - first, range.end - first)
    return contentOf(range, total, etag, bodyOf(bytes, flow))
  }

  on.open()
  return callOf({
    write(piece) {
      if (flow.over) return true
      if (overflow || at + piece.length > memory.length) overflow = true
      else at += piece.copy(memory, at)
      return true
    },
    end() {
      if (method === 'GET') on.answer(answerRead())
      else on.answer(overflow ? refusalOf(413, 'TOO_LARGE') : answerOf(200, { etag }))
    },
    destroy() {
      flow.over = true
    },
  })
}

/**
 * @param {Buffer} bytes
 * @param {{ over: boolean }} flow over: nothing more is passed on
 * @returns {import('../../../../actions/copy-range/transport').Body} its pieces stay valid
 */
function bodyOf(bytes, flow) {
  /** @type {Taker | undefined} */
  let taker
  let at = 0
  let paused = false
  let turn = false
  const give = () => {
    turn = false
    if (flow.over || paused || !taker) return
    const piece = bytes.subarray(at, at + PIECE_BYTES)
    at += piece.length
    if (piece.length > 0) taker.data(piece)
    if (at < bytes.length) return next()
    flow.over = true
    taker.end()
  }
  const next = () => {
    if (!turn) setImmediate(give)
    turn = true
  }
  return {
    start(to) {
      taker = to
      give()
    },
    pause() {
      paused = true
    },
    resume() {
      if (paused) next()
      paused = false
    },
  }
}

module.exports = { begin }
