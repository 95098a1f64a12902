'use strict'

/** The body of an answer in HTTP/1.1 (RFC 9112 sections 6 and 7), read as its bytes come. */

const { Misfit } = require('./head')

/** The longest line between two chunks, and all of the trailer fields. */
const MAX_LINE = 16_384

/**
 * `feed` takes every byte once, in order. It passes those of the body on, without a copy, and returns how many it used: fewer
 * than it got if the body ended among them. `closed` is called at the end of the connection.
 * @typedef {object} BodyReader
 * @property {(bytes: Buffer, take: (piece: Buffer) => void) => number} feed throws Misfit
 * @property {() => boolean} ended
 * @property {() => boolean} closed whether that is a good end
 * @property {boolean} delimited whether the body shows its own end: only then may another answer follow it
 */

/**
 * How long a body is, and how the head says it (RFC 9112 section 6.3).
 * @param {import('./head').Head} head
 * @returns {BodyReader}
 * @throws {Misfit}
 */
function createBodyReader({ status, headers }) {
  const coding = headers['transfer-encoding']
  const length = headers['content-length']
  if (coding !== undefined && length !== undefined) throw new Misfit('CONTENT_LENGTH')
  if (status === 204 || status === 304) return counted(0)
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked') throw new Misfit('TRANSFER_ENCODING')
    return chunked()
  }
  if (length === undefined) return untilClosed()
  if (!/^\d{1,15}$/.test(length)) throw new Misfit('CONTENT_LENGTH')
  return counted(Number(length))
}

/** @param {number} left bytes @returns {BodyReader} */
function counted(left) {
  return {
    delimited: true,
    ended: () => left === 0,
    closed: () => left === 0,
    feed(bytes, take) {
      const used = Math.min(left, bytes.length)
      left -= used
      if (used > 0) take(used === bytes.length ? bytes : bytes.subarray(0, used))
      return used
    },
  }
}

/** @returns {BodyReader} */
function untilClosed() {
  return {
    delimited: false,
    ended: () => false,
    closed: () => true,
    feed(bytes, take) {
      if (bytes.length > 0) take(bytes)
      return bytes.length
    },
  }
}

/**
 * RFC 9112 section 7.1: chunks, each after a line with its size in hexadecimal digits; then fields, which are of no
 * interest, and an empty line.
 * @returns {BodyReader}
 */
function chunked() {
  /** @type {'size' | 'data' | 'dataEnd' | 'trailer' | 'end'} */
  let state = 'size'
  let line = ''
  let trailerBytes = 0
  let left = 0

  /** @param {string} text a whole line */
  function onLine(text) {
    if (state === 'dataEnd') {
      if (text !== '') throw new Misfit('CHUNK')
      state = 'size'
    } else if (state === 'size') {
      const [, digits] = /^([0-9A-Fa-f]{1,12})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/.exec(text) ?? []
      if (digits === undefined) throw new Misfit('CHUNK_SIZE')
      left = Number.parseInt(digits, 16)
      state = left > 0 ? 'data' : 'trailer'
    } else if (text === '') {
      state = 'end'
    } else {
      trailerBytes += text.length
      if (trailerBytes > MAX_LINE) throw new Misfit('TRAILER_TOO_LONG')
    }
  }

  return {
    delimited: true,
    ended: () => state === 'end',
    closed: () => state === 'end',
    feed(bytes, take) {
      let at = 0
      while (at < bytes.length && state !== 'end') {
        if (state === 'data') {
          const end = Math.min(bytes.length, at + left)
          take(bytes.subarray(at, end))
          left -= end - at
          at = end
          if (left === 0) state = 'dataEnd'
          continue
        }
        const feed = bytes.indexOf(10, at)
        const end = feed < 0 ? bytes.length : feed + 1
        line += bytes.toString('latin1', at, Math.min(end, at + MAX_LINE + 2))
        at = end
        if (line.length > MAX_LINE) throw new Misfit('CHUNK_LINE_TOO_LONG')
        if (feed < 0) break
        if (!line.endsWith('\r\n')) throw new Misfit('LINE_END')
        const text = line.slice(0, -2)
        line = ''
        onLine(text)
      }
      return at
    },
  }
}

module.exports = { createBodyReader }
