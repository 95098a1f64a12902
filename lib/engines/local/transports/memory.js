'use strict'

/**
 * Memory as a store: a GET of `memory:ID` reads from the memory that the request holds, a PUT writes into it. Neither copies
 * more than it must. Answers: 200, 206; 412 for another ID, 416 for bytes that the memory has not got, 413 for too many.
 */

const { setImmediate: nextTurn } = require('node:timers/promises')
const { answerOf, bodyOf, contentOf, placeOf, rangeOf, refusalOf } = require('./messages')

/** Read at once: longer pieces would hold up the other tasks of this thread. */
const PIECE_BYTES = 1024 * 1024

/** @type {import('../../../../actions/copy-range/transport').LocalTransport['begin']} */
function begin({ method, headers, local: { url, held } }, on) {
  const memory = Buffer.from(/** @type {SharedArrayBuffer} */ (held))
  const etag = `"${url.slice('memory:'.length)}"`
  /** The offset in the object of the memory's first byte. */
  const first = Number(headers['x-start'] ?? 0)
  /** @type {ReturnType<typeof bodyOf> | undefined} */
  let content
  let over = false
  let at = (placeOf(headers) ?? first) - first
  let overflow = at < 0

  function answerRead() {
    const total = Number(headers['x-total'] ?? first + memory.length)
    const range = rangeOf(headers, total)
    if ((headers['if-match'] ?? etag) !== etag) return refusalOf(412, 'CHANGED')
    if (!range || range.start < first || range.end > first + memory.length) return refusalOf(416, 'RANGE')
    const bytes = memory.subarray(range.start - first, range.end - first)
    content = bodyOf(piecesOf(bytes))
    return contentOf(range, total, etag, content.body)
  }

  on.open()
  return {
    write(piece) {
      if (over) return true
      if (overflow || at + piece.length > memory.length) overflow = true
      else at += piece.copy(memory, at)
      return true
    },
    end() {
      if (method === 'GET') on.answer(answerRead())
      else on.answer(overflow ? refusalOf(413, 'TOO_LARGE') : answerOf(200, { etag }))
    },
    destroy() {
      over = true
      content?.stop()
    },
  }
}

/** @param {Buffer} bytes */
async function* piecesOf(bytes) {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await nextTurn()
    yield { bytes: bytes.subarray(at, at + PIECE_BYTES) }
  }
}

module.exports = { begin }
