'use strict'

/**
 * An answer in HTTP/1.1, its head (RFC 9112 sections 2 to 5) and its body (sections 6 and 7), read as its bytes come. Only what
 * the standard allows is accepted: the rest may be another protocol, or an attempt to make two readers see two answers.
 */

/** Four times what Node's own parser takes by itself: some servers keep much metadata. */
const MAX_BYTES = 65_536

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Among the options of `Connection`. */
const CLOSE = /(?:^|[\s,])close(?:[\s,]|$)/i

/** Of these the first counts, as for Node; of others all do, parted by commas. */
const SINGLE = new Set(['content-type', 'etag', 'last-modified', 'location', 'retry-after', 'server'])

/**
 * @typedef {object} Head
 * @property {number} status
 * @property {boolean} persistent whether the connection may be used again after the answer (RFC 9112 section 9.3)
 * @property {Record<string, string | undefined>} headers by their names in lower case
 */

/** An answer that is no HTTP; `code` says in what. */
class Misfit extends Error {
  /** @param {string} code */
  constructor(code) {
    super(`The answer is no HTTP (${code}).`)
    this.code = code
  }
}

/**
 * @returns {{ feed: (bytes: Buffer) => { head: Head, used: number } | undefined }} `feed` wants every byte once, in order,
 *   and answers with the head once it is whole; `used`: how many of these bytes belonged to it. Then it can read the next head.
 */
function createHeadReader() {
  let text = ''
  return {
    /** @throws {Misfit} */
    feed(bytes) {
      const before = text.length
      // Mostly a head comes in one piece, with some of the body behind it: one byte is one character.
      const length = before === 0 ? bytes.indexOf('\r\n\r\n') + 4 : 0
      text += bytes.toString('latin1', 0, Math.min(length > 3 ? length : bytes.length, MAX_BYTES + 4 - before))
      const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3))
      const lineEnd = text.indexOf('\r\n')
      if (lineEnd >= 0 ? !STATUS_LINE.test(text.slice(0, lineEnd)) : !'HTTP/1.'.startsWith(text.slice(0, 7)))
        throw new Misfit('STATUS_LINE')
      if (end < 0 && text.length < MAX_BYTES) return undefined
      if (end < 0 || end > MAX_BYTES) throw new Misfit('HEAD_TOO_LONG')
      const whole = text.slice(0, end)
      text = ''
      return { head: readHead(whole), used: end + 4 - before }
    },
  }
}

/** Names of fields in lower case, by what they were written as; there are some dozens. @type {Map<string, string>} */
const keys = new Map()
const MOST_KEYS = 1_000
const MOST_CHARACTERS = 64

/** @param {string} name @returns {string} in lower case @throws {Misfit} */
function keyOf(name) {
  if (!NAME.test(name)) throw new Misfit('FIELD')
  const key = name.toLowerCase()
  // The name is a slice of its head, and would keep all of that.
  if (keys.size < MOST_KEYS && name.length <= MOST_CHARACTERS) keys.set(Buffer.from(name).toString(), key)
  return key
}

/**
 * @param {string} given all but the empty line; its status line is right
 * @returns {Head}
 * @throws {Misfit}
 */
function readHead(given) {
  // A field that goes on in the next line is read as one (RFC 9112 section 5.2).
  const text = /\n[ \t]/.test(given) ? given.replace(/\r\n[ \t]+/g, ' ') : given
  /** @type {Head['headers']} */
  const headers = Object.create(null)
  for (let at = text.indexOf('\r\n'); at >= 0; ) {
    const next = text.indexOf('\r\n', at + 2)
    const field = text.slice(at + 2, next < 0 ? text.length : next)
    at = next
    const colon = field.indexOf(':')
    const name = field.slice(0, Math.max(0, colon))
    const key = keys.get(name) ?? keyOf(name)
    if (!VALUE.test(field)) throw new Misfit('FIELD')
    // Without the blanks around it. A regular expression for both ends takes time by the square of the blanks; `trim` takes more.
    let from = colon + 1
    let to = field.length
    while (from < to && ' \t'.includes(field[from])) from++
    while (from < to && ' \t'.includes(field[to - 1])) to--
    const value = field.slice(from, to)
    const earlier = headers[key]
    if (earlier === undefined) headers[key] = value
    else if (key === 'content-length') throw new Misfit('CONTENT_LENGTH')
    else if (!SINGLE.has(key)) headers[key] = `${earlier}, ${value}`
  }
  const persistent = text[7] === '1' && !CLOSE.test(headers.connection ?? '')
  return { status: Number(text.slice(9, 12)), persistent, headers }
}

/** The longest line between two chunks, and all of the trailer fields. */
const MAX_LINE = 16_384

/**
 * `feed` takes every byte once, in order. It passes those of the body on to the taker, without a copy, and returns how
 * many it used: fewer than it got if the body ended among them.
 * @typedef {object} BodyReader
 * @property {(bytes: Buffer, to: { taker?: Taking }, slab?: import('./slab').Slab) => number} feed slab: where the bytes
 *   are; throws Misfit
 * @property {boolean} ended
 * @property {boolean} delimited whether the body shows its own end: only then may another answer follow it; else the end of the
 *   connection is its end
 *
 * @typedef {Pick<import('./transport').Taker, 'data'>} Taking
 */

/**
 * How long a body is, and how the head says it (RFC 9112 section 6.3).
 * @param {Head} head
 * @returns {BodyReader}
 * @throws {Misfit}
 */
function createBodyReader({ status, headers }) {
  const coding = headers['transfer-encoding']
  const length = headers['content-length']
  if (coding !== undefined && length !== undefined) throw new Misfit('CONTENT_LENGTH')
  const isEmpty = status === 204 || status === 304
  if (coding !== undefined && !isEmpty) {
    if (coding.toLowerCase() !== 'chunked') throw new Misfit('TRANSFER_ENCODING')
    return chunked()
  }
  if (length !== undefined && !isEmpty && !/^\d{1,15}$/.test(length)) throw new Misfit('CONTENT_LENGTH')
  /** Bytes; Infinity: until the connection is closed. */
  let left = isEmpty ? 0 : Number(length ?? Number.POSITIVE_INFINITY)
  return {
    delimited: left < Number.POSITIVE_INFINITY,
    ended: left === 0,
    feed(bytes, { taker }, slab) {
      const used = Math.min(left, bytes.length)
      left -= used
      this.ended = left === 0
      if (used > 0) taker?.data(used === bytes.length ? bytes : bytes.subarray(0, used), slab)
      return used
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
    ended: false,
    feed(bytes, to, slab) {
      let at = 0
      while (at < bytes.length && state !== 'end') {
        if (state === 'data') {
          const end = Math.min(bytes.length, at + left)
          // It may have taken its leave with the piece before.
          to.taker?.data(bytes.subarray(at, end), slab)
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
      this.ended = state === 'end'
      return at
    },
  }
}

module.exports = { createBodyReader, createHeadReader, MAX_BYTES, Misfit }
