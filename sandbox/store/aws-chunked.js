'use strict'

const { S3Error } = require('./errors')

/**
 * Decodes the `aws-chunked` framing: chunks that each begin with a head line, a last chunk of size 0, then trailers. Signed
 * chunks are not known.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html
 */

/** Every chunk but the last has at least this many bytes. */
const MIN_CHUNK_BYTES = 8192

/**
 * @param {(data: Buffer) => void} onData gets each piece of data, not copied
 * @returns both functions throw S3Error
 */
function createChunkedDecoder(onData) {
  /** @type {'head' | 'data' | 'dataEnd' | 'trailer' | 'done'} */
  let state = 'head'
  /** The beginning of a line whose rest has not come yet. */
  let line = ''
  let left = 0
  /** Whether a chunk below the minimum has come: only the last chunk may follow. */
  let wasShort = false
  /** @type {Map<string, string>} */
  const trailers = new Map()

  /** @param {string} head */
  function startChunk(head) {
    if (!/^[0-9a-fA-F]{1,12}$/.test(head)) {
      throw new S3Error('InvalidRequest', { message: 'The chunk header is not well-formed.' })
    }
    left = Number.parseInt(head, 16)
    if (left > 0 && wasShort) throw new S3Error('InvalidChunkSizeError')
    wasShort = left < MIN_CHUNK_BYTES
    state = left > 0 ? 'data' : 'trailer'
  }

  /** @param {string} text one line of the trailers, empty at their end */
  function takeTrailer(text) {
    if (text === '') {
      state = 'done'
      return
    }
    const colon = text.indexOf(':')
    if (colon < 1) throw new S3Error('MalformedTrailerError')
    trailers.set(text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim())
  }

  /** @param {Buffer} raw @param {number} at @returns {number} where the rest starts; the line is complete or all is taken */
  function takeLine(raw, at) {
    const end = raw.indexOf(10, at)
    line += raw.toString('latin1', at, end === -1 ? raw.length : end)
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
    /** @param {Buffer} raw */
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
        onData(data)
        if (left === 0) state = 'dataEnd'
      }
    },
    /** @returns {Map<string, string>} the trailers, names in lower case */
    end() {
      if (state !== 'done') throw new S3Error('IncompleteBody')
      return trailers
    },
  }
}

module.exports = { createChunkedDecoder }
