'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { phaseAt, syntheticPiece } = require('./synthetic')

/**
 * Sends the bytes of objects.
 *
 * @typedef {import('./types').Served} Context
 * @typedef {import('./types').Segment} Segment
 */

const READ_BYTES = 512 * 1024

/** Buffers for reading, reused by later answers. @type {Buffer[]} */
const spare = []
const MAX_SPARE = 16

/**
 * Finds the segments that contain an interval of an object.
 *
 * @param {Segment[]} segments of the whole
 * @param {number} start
 * @param {number} length
 * @returns {{ segment: Segment, start: number, length: number }[]} with the interval within each segment
 */
function slice(segments, start, length) {
  const slices = []
  let offset = 0
  for (const segment of segments) {
    const from = Math.max(start - offset, 0)
    const to = Math.min(start + length - offset, segment.size)
    if (from < to) slices.push({ segment, start: from, length: to - from })
    offset += segment.size
    if (offset >= start + length) break
  }
  return slices
}

/**
 * Returns an interval of an object as segments for another object, which share the bytes.
 *
 * @param {Segment[]} segments of the whole
 * @param {number} start
 * @param {number} length
 * @returns {Segment[]}
 */
function cut(segments, start, length) {
  return slice(segments, start, length).map(({ segment, start: from, length: size }) => {
    if ('blob' in segment) return { size, blob: segment.blob, offset: (segment.offset ?? 0) + from }
    return 'phase' in segment ? { size, phase: phaseAt(segment.phase, from) } : { size, discarded: true }
  })
}

/**
 * Returns an interval of an object as the content of an answer. Its bytes stay until `release`, even if the object is
 * overwritten or deleted meanwhile.
 *
 * @param {Context} ctx
 * @param {Segment[]} segments
 * @param {number} start
 * @param {number} length
 * @returns undefined for bytes that were not kept
 */
function contentOf({ state: { catalog } }, segments, start, length) {
  const used = slice(segments, start, length).map(one => one.segment)
  if (used.some(segment => 'discarded' in segment)) return undefined
  catalog.retain(used)
  return { segments, start, length, release: () => catalog.release(used) }
}

/**
 * Writes content to the response, whose head must have been set.
 *
 * @param {Context} ctx
 * @param {{ segments: Segment[], start: number, length: number }} content
 * @returns {Promise<void>} rejects when the connection breaks
 */
async function sendContent(ctx, content) {
  const outlet = createOutlet(ctx)
  // Two buffers: one is filled while the other is sent.
  const buffers = [undefined, undefined].map(() => spare.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES))
  /** @type {(Promise<void> | undefined)[]} */
  const sending = [undefined, undefined]
  let turn = 0

  /** @param {Buffer} piece */
  function send(piece) {
    const sent = outlet.write(piece)
    sent.catch(() => {})
    sending[turn] = sent
    turn = 1 - turn
  }

  /** @param {string} blob @param {number} start @param {number} length */
  async function sendBlob(blob, start, length) {
    const file = await ctx.state.blobs.open(blob)
    try {
      for (let sent = 0; sent < length; ) {
        await sending[turn]
        const wanted = Math.min(READ_BYTES, length - sent)
        const { bytesRead } = await file.read(buffers[turn], 0, wanted, start + sent)
        if (bytesRead === 0) throw new Error(`blob ${blob} is shorter than its object`)
        send(buffers[turn].subarray(0, bytesRead))
        sent += bytesRead
      }
    } finally {
      await file.close()
    }
  }

  try {
    for (const { segment, start, length } of slice(content.segments, content.start, content.length)) {
      if ('blob' in segment) await sendBlob(segment.blob, (segment.offset ?? 0) + start, length)
      if (!('phase' in segment)) continue
      for (let sent = 0; sent < length; ) {
        await sending[turn]
        const piece = syntheticPiece(segment.phase, start + sent, length - sent)
        send(piece)
        sent += piece.length
      }
    }
    await Promise.all(sending)
    if (spare.length < MAX_SPARE) spare.push(...buffers)
  } finally {
    outlet.close()
  }
}

/**
 * Writes a response's body. `write` resolves when the piece has been passed to the network. Applies the fault rules: a rate
 * cap, a flipped byte, a cut, a stall.
 *
 * @param {Context} ctx
 */
function createOutlet(ctx) {
  const { res, signal, effects } = ctx
  const { cutAfter, stallAfter, flipAt } = effects.response
  const limit = Math.min(cutAfter ?? Infinity, stallAfter ?? Infinity)
  /** @type {Set<(error: Error) => void>} */
  const waiting = new Set()
  let sent = 0
  let stopped = false

  function onGone() {
    for (const reject of waiting) reject(new Error('the client went away'))
  }
  signal.addEventListener('abort', onGone)

  /** @param {Buffer | undefined} piece undefined: only wait for the end of the connection @returns {Promise<void>} */
  function rawWrite(piece) {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new Error('the client went away'))
        return
      }
      waiting.add(reject)
      if (!piece) return
      ctx.bytesSent += piece.length
      res.write(piece, error => {
        waiting.delete(reject)
        if (error) reject(error)
        else resolve()
      })
    })
  }

  /** @param {Buffer} piece @returns {Promise<void>} */
  async function shapedWrite(piece) {
    const part = sent + piece.length >= limit ? piece.subarray(0, limit - sent) : piece
    const at = sent
    sent += part.length
    if (part.length > 0) await pacedWrite(flipAt === undefined ? part : flipped(part, flipAt - at))
    else res.flushHeaders()
    if (sent < limit) return
    stopped = true
    if (cutAfter === limit) res.socket?.destroy()
    await rawWrite(undefined)
  }

  /** @param {Buffer} piece */
  async function pacedWrite(piece) {
    const { pace } = effects
    if (!pace) return rawWrite(piece)
    for (let at = 0; at < piece.length; at += pace.pieceBytes) {
      const part = piece.subarray(at, at + pace.pieceBytes)
      await rawWrite(part)
      const ms = pace.take(part.length)
      if (ms >= 1) await delay(ms, undefined, { signal })
    }
  }

  const plain = limit === Infinity && flipAt === undefined && !effects.pace
  /** A queue, so that a piece never overtakes one that is still being written. @type {Promise<void>} */
  let last = Promise.resolve()
  return {
    /** @param {Buffer} piece @returns {Promise<void>} */
    write(piece) {
      if (plain) return rawWrite(piece)
      last = last.then(() => (stopped ? rawWrite(undefined) : shapedWrite(piece)))
      return last
    },
    close: () => signal.removeEventListener('abort', onGone),
  }
}

/** A copy of the piece with one byte inverted, if that byte is in it. @param {Buffer} data @param {number} at */
function flipped(data, at) {
  if (at < 0 || at >= data.length) return data
  const copy = Buffer.from(data)
  copy[at] ^= 0xff
  return copy
}

module.exports = { contentOf, cut, flipped, sendContent, createOutlet, READ_BYTES }
