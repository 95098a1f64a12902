'use strict'

/**
 * The head of an answer in HTTP/1.1 (RFC 9112 sections 2 to 5), read as its bytes come. It accepts what the standard
 * allows and nothing else: the rest may be another protocol, or an attempt to make two readers see two answers.
 */

/** As much as Node's own parser takes. */
const MAX_BYTES = 16_384

const STATUS_LINE = /^HTTP\/1\.[01] [1-9]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?$/
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

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
 *   and answers with the head once it is whole; `used`: how many of these bytes belonged to it
 */
function createHeadReader() {
  let text = ''
  return {
    /** @throws {Misfit} */
    feed(bytes) {
      const before = text.length
      // Mostly a head comes in one piece, with some of the body behind it: one byte is one character.
      const whole = before === 0 ? bytes.indexOf('\r\n\r\n') + 4 : 0
      text += bytes.toString('latin1', 0, Math.min(whole > 3 ? whole : bytes.length, MAX_BYTES + 4 - before))
      const end = text.indexOf('\r\n\r\n', Math.max(0, before - 3))
      const lineEnd = text.indexOf('\r\n')
      if (lineEnd >= 0 ? !STATUS_LINE.test(text.slice(0, lineEnd)) : !'HTTP/1.'.startsWith(text.slice(0, 7)))
        throw new Misfit('STATUS_LINE')
      if (end < 0 && text.length < MAX_BYTES) return undefined
      if (end < 0 || end > MAX_BYTES) throw new Misfit('HEAD_TOO_LONG')
      return { head: readHead(text.slice(0, end)), used: end + 4 - before }
    },
  }
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
    readField(text.slice(at + 2, next < 0 ? text.length : next), headers)
    at = next
  }
  return { status: Number(text.slice(9, 12)), persistent: isPersistent(text[7] === '1', headers), headers }
}

/** @param {boolean} usual of the version of HTTP @param {Head['headers']} headers */
function isPersistent(usual, { connection }) {
  if (connection === undefined) return usual
  const options = connection
    .toLowerCase()
    .split(',')
    .map(option => bare(option))
  return usual ? !options.includes('close') : options.includes('keep-alive')
}

/** Names of fields in lower case, by what they were written as; there are some dozens. @type {Map<string, string>} */
const keys = new Map()
const MOST_KEYS = 1_000

/** @param {string} name @returns {string} in lower case @throws {Misfit} */
function keyOf(name) {
  if (!NAME.test(name)) throw new Misfit('FIELD')
  const key = name.toLowerCase()
  if (keys.size < MOST_KEYS) keys.set(name, key)
  return key
}

/** @param {string} field @param {Head['headers']} headers to which it is added @throws {Misfit} */
function readField(field, headers) {
  const colon = field.indexOf(':')
  const name = field.slice(0, Math.max(0, colon))
  const key = keys.get(name) ?? keyOf(name)
  if (!VALUE.test(field)) throw new Misfit('FIELD')
  const value = bare(field, colon + 1)
  const earlier = headers[key]
  if (earlier === undefined) headers[key] = value
  else if (key === 'content-length') throw new Misfit('CONTENT_LENGTH')
  else if (!SINGLE.has(key)) headers[key] = `${earlier}, ${value}`
}

/**
 * Without the blanks around it. (A regular expression for both ends takes time by the square of the blanks; `trim` takes
 * more than blanks.)
 * @param {string} text
 * @param {number} [from] where it begins
 */
function bare(text, from = 0) {
  let to = text.length
  while (from < to && isBlank(text[from])) from++
  while (from < to && isBlank(text[to - 1])) to--
  return text.slice(from, to)
}

/** @param {string} character */
function isBlank(character) {
  return character === ' ' || character === '\t'
}

module.exports = { createHeadReader, MAX_BYTES, Misfit }
