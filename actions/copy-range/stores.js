'use strict'

/** What is one store's own: the only place of the action where stores are told apart. */

const { SUM_BYTES } = require('./sums')

/** @typedef {import('../../lib/types').Sum} Sum */
/** @typedef {import('../../lib/types').Sums} Sums */
/** @typedef {import('./slab').Slab} Slab */
/**
 * The body of a write, piece by piece. `write` answers as a stream's does; `end` is what follows the last piece, of the
 * checksums of all of them.
 * @typedef {{
 *   write: (sink: { write: (piece: Buffer, slab?: Slab) => boolean }, piece: Buffer, slab?: Slab) => boolean,
 *   end: (sums: Sums) => string,
 * }} Frame
 *
 * What is sent behind the bytes: a checksum, under the name of a header in lower case.
 * @typedef {{ trailer: string, sum: Sum }} Trailer
 *
 * A way to send it. Lengths in bytes.
 * @typedef {{
 *   framedLength: (bytes: number, behind: Trailer) => number, frameBody: (bytes: number, behind: Trailer) => Frame
 * }} Framing
 */

/**
 * The body of a write that carries its checksum behind the bytes: aws-chunked with a trailer, unsigned.
 * S3 API reference, "Signature calculations: trailing headers" (sigv4-streaming-trailers).
 *
 * The bytes go in chunks of at most 8 MiB: MinIO refuses a chunk above 16 MiB, and one costs a dozen bytes.
 */
const CHUNK_BYTES = 8 * 1024 * 1024

/** Its name; some stores keep it in Content-Encoding, as if it were the object's. */
const FRAMING = 'aws-chunked'

/**
 * How many bytes a write's body has: the chunks, and the checksum after them.
 * @param {number} bytes of the data
 * @param {Trailer} behind
 * @returns {number}
 */
function framedLength(bytes, { trailer, sum }) {
  const whole = Math.floor(bytes / CHUNK_BYTES)
  const rest = bytes % CHUNK_BYTES
  const chunks = whole * chunkLength(CHUNK_BYTES) + (rest > 0 ? chunkLength(rest) : 0)
  return chunks + `0\r\n${trailer}:`.length + base64Length(SUM_BYTES[sum]) + '\r\n\r\n'.length
}

/** @param {number} bytes */
function base64Length(bytes) {
  return 4 * Math.ceil(bytes / 3)
}

/** @param {number} bytes */
function chunkLength(bytes) {
  return bytes.toString(16).length + bytes + 2 * '\r\n'.length
}

/**
 * Writes a body as pieces of it come, whatever their size.
 * @param {number} bytes of the data
 * @param {Trailer} behind
 * @returns {Frame}
 */
function frameBody(bytes, { trailer, sum }) {
  let ahead = bytes
  let inChunk = 0
  return {
    write(sink, piece, slab) {
      let more = true
      for (let at = 0; at < piece.length; ) {
        if (inChunk === 0) {
          inChunk = Math.min(ahead, CHUNK_BYTES)
          sink.write(Buffer.from(`${ahead === bytes ? '' : '\r\n'}${inChunk.toString(16)}\r\n`))
          ahead -= inChunk
        }
        const end = Math.min(piece.length, at + inChunk)
        more = sink.write(at === 0 && end === piece.length ? piece : piece.subarray(at, end), slab)
        inChunk -= end - at
        at = end
      }
      return more
    },
    end(sums) {
      const checksum = Buffer.from(sums[sum] ?? '', 'hex').toString('base64')
      return `${bytes > 0 ? '\r\n' : ''}0\r\n${trailer}:${checksum}\r\n\r\n`
    },
  }
}

/** By name. @type {Record<string, Framing>} */
const FRAMINGS = { [FRAMING]: { framedLength, frameBody } }

module.exports = { FRAMINGS, CHUNK_BYTES, FRAMING, framedLength, frameBody }
