'use strict'

const crypto = require('node:crypto')
const { S3Error } = require('./errors')
const { chunkStringToSign, sign, trailerStringToSign } = require('../common/sigv4')

/**
 * Decodes the `aws-chunked` framing: chunks that each begin with a head line, a last chunk of size 0, then trailers.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

/** Every chunk but the last has at least this many bytes. */
const MIN_CHUNK_BYTES = 8192
const MAX_LINE_BYTES = 16_384

/**
 * @typedef {object} ChunkedDecoder
 * @property {(raw: Buffer) => void} push passes each piece of data on, without copying it
 * @property {() => Map<string, string>} end the trailers, names in lower case
 */

/**
 * @param {{ onData: (data: Buffer) => void, signed?: import('./auth').Identity, trailers: boolean }} options with
 *   `signed` every chunk (and the trailers) must carry the next signature of the chain
 * @returns {ChunkedDecoder} which throws S3Error from push and end
 */
function createChunkedDecoder({ onData, signed, trailers: trailersExpected }) {
  /** @type {'head' | 'data' | 'dataEnd' | 'trailer' | 'done'} */
  let state = 'head'
  /** The beginning of a line whose rest has not come yet. */
  let line = ''
  let left = 0
  let chunkBytes = 0
  /** Whether a chunk below the minimum has come: only the last chunk may follow. */
  let wasShort = false
  let previous = signed?.signature ?? ''
  let claimed = ''
  let hash = crypto.createHash('sha256')
  /** @type {Map<string, string>} */
  const trailers = new Map()

  /** @param {string} head */
  function startChunk(head) {
    const match = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(head)
    if (!match || (signed !== undefined) !== (match[2] !== undefined)) {
      throw new S3Error('InvalidRequest', { message: 'The chunk header is not well-formed.' })
    }
    chunkBytes = left = Number.parseInt(match[1], 16)
    claimed = match[2] ?? ''
    if (chunkBytes > 0 && wasShort) throw new S3Error('InvalidChunkSizeError')
    wasShort = chunkBytes < MIN_CHUNK_BYTES
    if (chunkBytes > 0) {
      state = 'data'
      return
    }
    endChunk()
    state = 'trailer'
  }

  function endChunk() {
    if (!signed) return
    const text = chunkStringToSign(signed.amzDate, signed.scope, previous, hash.digest('hex'))
    hash = crypto.createHash('sha256')
    if (sign(signed.signingKey, text) !== claimed) throw new S3Error('SignatureDoesNotMatch', { StringToSign: text })
    previous = claimed
  }

  /** @param {string} text one line of the trailers, empty at their end */
  function takeTrailer(text) {
    if (text === '') {
      // AWS's own example, and minio-go, have an empty line between the trailers and their signature.
      if (signed && trailersExpected && !trailers.has('x-amz-trailer-signature')) return
      endTrailers()
      state = 'done'
      return
    }
    const colon = text.indexOf(':')
    if (!trailersExpected || colon < 1) throw new S3Error('MalformedTrailerError')
    trailers.set(text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim())
  }

  function endTrailers() {
    const signature = trailers.get('x-amz-trailer-signature')
    trailers.delete('x-amz-trailer-signature')
    if (!signed || !trailersExpected) return
    const canonical = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('')
    const text = trailerStringToSign(signed.amzDate, signed.scope, previous, canonical)
    if (sign(signed.signingKey, text) !== signature) throw new S3Error('SignatureDoesNotMatch', { StringToSign: text })
  }

  /** @param {Buffer} raw @param {number} at @returns {number} where the rest starts; the line is complete or all is taken */
  function takeLine(raw, at) {
    const end = raw.indexOf(10, at)
    line += raw.toString('latin1', at, end === -1 ? raw.length : end)
    if (line.length > MAX_LINE_BYTES) throw new S3Error('InvalidRequest', { message: 'A chunk header is too long.' })
    if (end === -1) return raw.length
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    line = ''
    if (state === 'head') startChunk(text)
    else if (state === 'trailer') takeTrailer(text)
    else if (text === '') state = 'head'
    else throw new S3Error('IncompleteBody', { message: 'A chunk is longer than its header says.' })
    return end + 1
  }

  return {
    push(raw) {
      let at = 0
      while (at < raw.length) {
        if (state === 'done') throw new S3Error('InvalidRequest', { message: 'There are bytes after the last chunk.' })
        if (state !== 'data') {
          at = takeLine(raw, at)
          continue
        }
        const data = raw.subarray(at, at + left)
        at += data.length
        left -= data.length
        if (signed) hash.update(data)
        onData(data)
        if (left > 0) continue
        endChunk()
        state = 'dataEnd'
      }
    },
    end() {
      if (state !== 'done') throw new S3Error('IncompleteBody')
      return trailers
    },
  }
}

module.exports = { createChunkedDecoder }
