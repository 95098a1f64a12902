'use strict'

/**
 * Reads and sends the bytes of objects.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Segment} Segment
 */

const { setImmediate: nextTurn, setTimeout: delay } = require('node:timers/promises')
const { phaseAt, syntheticPiece } = require('./synthetic')

/**
 * Returns an interval of an object as segments for another object, which share the bytes.
 *
 * @param {Segment[]} segments of the whole
 * @param {number} start
 * @param {number} length
 * @returns {Segment[]} none of them empty
 */
function cut(segments, start, length) {
  /** @type {Segment[]} */
  const found = []
  let at = 0
  for (const segment of segments) {
    const from = Math.max(start - at, 0)
    const size = Math.min(start + length - at, segment.size) - from
    at += segment.size
    if (size <= 0) continue
    if ('blob' in segment) found.push({ size, blob: segment.blob, offset: (segment.offset ?? 0) + from })
    else found.push('phase' in segment ? { size, phase: phaseAt(segment.phase, from) } : { size, discarded: true })
  }
  return found
}

/** @param {Segment[]} segments @returns {boolean} whether their bytes can be read */
function isKept(segments) {
  return !segments.some(segment => 'discarded' in segment)
}

/**
 * The bytes that a Range header means. A range from the end, several ranges and an invalid one mean the whole object.
 *
 * @param {string | undefined} header
 * @param {number} size of the object
 * @returns {{ start: number, length: number } | undefined} undefined: the whole object; not a positive length: the range is
 *   behind its end
 */
function intervalOf(header, size) {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === undefined || (last !== '' && Number(last) < Number(first))) return undefined
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  return { start: Number(first), length: end - Number(first) }
}

/** @param {import('./blobs').Blobs} blobs @param {Segment[]} segments which are kept @returns {AsyncGenerator<Buffer>} */
async function* piecesOf(blobs, segments) {
  for (const segment of segments) {
    if ('blob' in segment && segment.size > 0) yield* blobs.read(segment)
    if (!('phase' in segment)) continue
    for (let at = 0; at < segment.size; ) {
      const piece = syntheticPiece(segment.phase, at, segment.size - at)
      yield piece
      at += piece.length
      await nextTurn()
    }
  }
}

/** @param {import('./blobs').Blobs} blobs @param {Segment[]} segments @returns {Promise<Buffer>} */
async function bytesOf(blobs, segments) {
  const pieces = []
  for await (const piece of piecesOf(blobs, segments)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/**
 * Writes a response's body, whose head must have been set. Applies the fault rules: a rate cap, a flipped byte, a cut, a stall.
 *
 * @param {Context} ctx
 * @param {AsyncIterable<Buffer>} pieces
 * @returns {Promise<void>} rejects when the connection breaks
 */
async function sendPieces(ctx, pieces) {
  const { res, signal, effects } = ctx
  const { pace } = effects
  const { cutAfter, stallAfter, flipAt } = effects.response
  const limit = Math.min(cutAfter ?? Infinity, stallAfter ?? Infinity)
  let sent = 0
  for await (const whole of pieces) {
    const piece = flipped(whole.subarray(0, limit - sent), flipAt, sent)
    sent += piece.length
    const step = pace?.pieceBytes ?? piece.length
    for (let at = 0; at < piece.length; at += step) {
      const part = piece.subarray(at, at + step)
      await write(ctx, part)
      const ms = pace?.take(part.length) ?? 0
      if (ms >= 1) await delay(ms, undefined, { signal })
    }
    if (sent < limit) continue
    res.flushHeaders()
    if (cutAfter === limit) res.socket?.destroy()
    await untilGone(signal)
  }
}

/** Resolves when the piece has been passed to the network. @param {Context} ctx @param {Buffer} piece @returns {Promise<unknown>} */
function write(ctx, piece) {
  ctx.bytesSent += piece.length
  const over = new AbortController()
  const written = new Promise((resolve, reject) => {
    ctx.res.write(piece, error => (error ? reject(error) : resolve(undefined)))
  })
  return Promise.race([written, untilGone(ctx.signal, over.signal)]).finally(() => over.abort())
}

/** @param {AbortSignal} signal @param {AbortSignal} [over] nobody waits any more @returns {Promise<never>} */
function untilGone(signal, over) {
  return new Promise((_, reject) => {
    const gone = () => reject(new Error('the client went away'))
    if (signal.aborted) gone()
    else signal.addEventListener('abort', gone, { once: true, signal: over })
  })
}

/**
 * The piece, or a copy of it with one byte inverted, if that byte is in it.
 *
 * @param {Buffer} piece
 * @param {number | undefined} at of the whole
 * @param {number} offset of the piece
 */
function flipped(piece, at, offset = 0) {
  if (at === undefined || at < offset || at >= offset + piece.length) return piece
  const copy = Buffer.from(piece)
  copy[at - offset] ^= 0xff
  return copy
}

/**
 * Reads a request's body to its end, with the effects of the fault rules: a rate cap, a cut, a stall.
 *
 * Uses events and not `for await`: the iterator joins buffered pieces into new buffers, and destroys the connection when the
 * loop ends early, so that no answer could be sent.
 *
 * @param {Context} ctx
 * @param {(piece: Buffer) => Promise<unknown> | undefined} consume may throw; reading goes on when its promise resolves
 * @returns {Promise<void>} rejects with what `consume` threw, or when the connection breaks
 */
function pump(ctx, consume) {
  const { req, signal } = ctx
  const { cutAfter, stallAfter } = ctx.effects.request
  const { pace } = ctx.effects
  ctx.continueBody()
  return new Promise((resolve, reject) => {
    /** @param {unknown} [error] */
    function settle(error) {
      req.off('data', onData).off('end', onEnd).off('error', settle)
      signal.removeEventListener('abort', onGone)
      if (error === undefined) resolve()
      else {
        req.pause()
        reject(error)
      }
    }
    function onGone() {
      settle(new Error('the client went away'))
    }
    function onEnd() {
      ctx.bodyRead = true
      settle()
    }
    /** @param {Buffer} piece */
    function onData(piece) {
      ctx.bytesReceived += piece.length
      try {
        if (cutAfter !== undefined && ctx.bytesReceived >= cutAfter) {
          req.socket.destroy()
          return
        }
        const wait = consume(piece)
        if (stallAfter !== undefined && ctx.bytesReceived >= stallAfter) req.pause()
        else if (wait || pace) hold(wait, pace ? pace.take(piece.length) : 0)
      } catch (error) {
        settle(error)
      }
    }
    /** @param {Promise<unknown> | undefined} wait @param {number} ms */
    function hold(wait, ms) {
      req.pause()
      Promise.all([wait, ms >= 1 ? delay(ms, undefined, { signal }) : undefined]).then(() => req.resume(), settle)
    }

    if (signal.aborted) {
      onGone()
      return
    }
    signal.addEventListener('abort', onGone)
    if (cutAfter === 0) req.socket.destroy()
    else if (stallAfter !== 0) req.on('data', onData)
    req.on('end', onEnd).on('error', settle)
  })
}

module.exports = { bytesOf, cut, flipped, intervalOf, isKept, piecesOf, sendPieces, pump }
