'use strict'

/**
 * The body of a write that carries its checksum behind the bytes: aws-chunked with a trailer, unsigned.
 * S3 API reference, "Signature calculations: trailing headers" (sigv4-streaming-trailers).
 *
 * The bytes go in chunks of at most 8 MiB: MinIO refuses a chunk above 16 MiB, and one costs a dozen bytes.
 */
const CHUNK_BYTES = 8 * 1024 * 1024

/** Base64 of four bytes. */
const CHECKSUM_CHARACTERS = 8

/**
 * How many bytes a write's body has: `bytes` without a trailer; with one, the chunks and the checksum after them.
 * @param {number} bytes of the data
 * @param {string} [trailer] the name of the checksum header, in lower case
 * @returns {number}
 */
function framedLength(bytes, trailer) {
  if (!trailer) return bytes
  const whole = Math.floor(bytes / CHUNK_BYTES)
  const rest = bytes % CHUNK_BYTES
  const chunks = whole * chunkLength(CHUNK_BYTES) + (rest > 0 ? chunkLength(rest) : 0)
  return chunks + `0\r\n${trailer}:`.length + CHECKSUM_CHARACTERS + '\r\n\r\n'.length
}

/** @param {number} bytes */
function chunkLength(bytes) {
  return bytes.toString(16).length + bytes + 2 * '\r\n'.length
}

/**
 * Writes a body as pieces of it come, whatever their size.
 * @param {number} bytes of the data
 * @param {string | undefined} trailer without one the pieces go as they are
 * @returns {{
 *   write: (sink: Sink, piece: Buffer, slab?: Slab) => boolean,
 *   end: (crc32: number) => string,
 * }} `write` answers as a stream's does; `end` is what follows the last piece, of a CRC-32 unsigned
 * @typedef {import('../../transport/wire/slab').Slab} Slab where a piece is, if that may be used again
 * @typedef {{ write: (piece: Buffer, slab?: Slab) => boolean }} Sink
 */
function frameBody(bytes, trailer) {
  if (!trailer) return { write: (sink, piece, slab) => sink.write(piece, slab), end: () => '' }
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
    end(crc32) {
      const checksum = Buffer.alloc(4)
      checksum.writeUInt32BE(crc32)
      return `${bytes > 0 ? '\r\n' : ''}0\r\n${trailer}:${checksum.toString('base64')}\r\n\r\n`
    },
  }
}

module.exports = { CHUNK_BYTES, framedLength, frameBody }
