'use strict'

/**
 * Checksums by name, and ETags: their syntax, and the form of an MD5, which need not be one (see `encrypted` of ObjectHead). Arithmetic
 * and comparison. Pure. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 */

const { createHash } = require('node:crypto')
const { SUM_WORDS } = require('../../actions/copy-range/sums')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').Sum} Sum */
/** @typedef {import('../types').Sums} Sums */
/** @typedef {'crc32' | 'crc32c' | 'crc64nvme'} Crc */

/** The checksums of which those of parts give that of the whole; the cheapest to compute first. @type {readonly Crc[]} */
const CRCS = ['crc32', 'crc32c', 'crc64nvme']

/** Whether a CRC is among them, so that a reading can be compared with it. @param {Sums} [sums] */
function hasCrc(sums = {}) {
  return sums.crc32 !== undefined || sums.crc32c !== undefined || sums.crc64nvme !== undefined
}

/** @param {Sums} sums @returns {Sum[]} */
function namesOf(sums) {
  return /** @type {Sum[]} */ (Object.keys(sums))
}

/**
 * The checksums of all parts together.
 *
 * @param {Array<{ sums: Sums, bytes: number }>} parts in order
 * @returns {Sums} the CRCs that are known of every part; and the MD5, if there is one part only
 */
function sumsOfParts(parts) {
  if (parts.length === 1) return parts[0].sums
  const known = CRCS.filter(sum => parts.every(({ sums }) => sums[sum] !== undefined))
  return Object.fromEntries(known.map(sum => [sum, combine(sum, parts)]))
}

/**
 * Compares the checksums that both have.
 *
 * @param {Sums} [one]
 * @param {Sums} [other]
 * @param {readonly Sum[]} [of] those to compare; default: all CRCs
 * @returns {{ equal: Sum[], differs?: Sum }} the names of those that are equal, and of the first that differs
 */
function compareSums(one = {}, other = {}, of = CRCS) {
  /** @type {{ equal: Sum[], differs?: Sum }} */
  const found = { equal: [] }
  for (const sum of of) {
    if (one[sum] === undefined || other[sum] === undefined) continue
    if (one[sum] === other[sum]) found.equal.push(sum)
    else found.differs ??= sum
  }
  return found
}

/** Whether two readings of the same range gave the same CRCs; false too if they have none in common. @param {Sums} [one] @param {Sums} [other] */
function sameCrcs(one, other) {
  const { equal, differs } = compareSums(one, other)
  return differs === undefined && equal.length > 0
}

/** As stores write a CRC: base64 of its bytes, most significant first. @param {string} hex */
function base64Of(hex) {
  return Buffer.from(hex, 'hex').toString('base64')
}

/**
 * The checksums as summaries and events tell them.
 *
 * @param {Sums} sums
 * @returns {{ crc32?: string, sums?: Sums }} crc32: in base64
 */
function publicSums(sums) {
  const { crc32 } = sums
  return { ...(crc32 !== undefined && { crc32: base64Of(crc32) }), ...(namesOf(sums).length > 0 && { sums }) }
}

/** For messages: a CRC in base64, an MD5 in hex. @param {Sum} sum @param {string | undefined} hex */
function sumText(sum, hex = '') {
  return sum === 'md5' ? hex : base64Of(hex)
}

/**
 * The first checksum that two do not share, for messages.
 *
 * @param {Sums | undefined} one
 * @param {Sums | undefined} other
 * @param {readonly Sum[]} [of] those to compare; default: all CRCs
 */
function differenceOf(one, other, of) {
  const { differs } = compareSums(one, other, of)
  if (!differs) return undefined
  const [ours, theirs] = [one, other].map(sums => sumText(differs, sums?.[differs]))
  return { words: SUM_WORDS[differs], one: ours, other: theirs }
}

/** @param {Sums | undefined} sums @param {readonly Sum[]} names @returns {Sums} those of these names */
function only(sums = {}, names) {
  /** @type {Sums} */
  const found = {}
  for (const sum of names) if (sums[sum] !== undefined) found[sum] = sums[sum]
  return found
}

/** How CRCs are combined: the method of zlib's `crc32_combine`. A CRC is advanced over n more bytes by the product with x^(8 n), modulo the polynomial. */

/** @typedef {{ width: bigint, bits: bigint }} Polynomial reversed: the coefficient of x^0 is the highest bit */

/** @type {Record<Crc, Polynomial>} */
const POLYNOMIALS = {
  crc32: { width: 32n, bits: 0xedb88320n },
  crc32c: { width: 32n, bits: 0x82f63b78n },
  crc64nvme: { width: 64n, bits: 0x9a6c9329ac4bc9b5n },
}

/** The product modulo a polynomial. @param {bigint} one @param {bigint} other @param {Polynomial} polynomial */
function times(one, other, { width, bits }) {
  let product = 0n
  for (let coefficient = 1n << (width - 1n); coefficient > 0n; coefficient >>= 1n) {
    if (one & coefficient) product ^= other
    // The other times x.
    other = (other >> 1n) ^ (other & 1n ? bits : 0n)
  }
  return product
}

/** x^(8 bytes) modulo a polynomial. @param {number} bytes @param {Polynomial} polynomial */
function shiftOf(bytes, polynomial) {
  let shift = 1n << (polynomial.width - 1n)
  let power = shift >> 8n
  for (let rest = bytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = times(shift, power, polynomial)
    power = times(power, power, polynomial)
  }
  return shift
}

/**
 * The CRC of byte strings put together, from the CRC of each.
 *
 * @param {Crc} kind
 * @param {Iterable<{ sums: Sums, bytes: number }>} parts in order; sums: in hexadecimal digits, the most significant first;
 *   bytes: any number up to 2^53
 * @returns {string} likewise; that of no bytes if there are no parts
 */
function combine(kind, parts) {
  const polynomial = POLYNOMIALS[kind]
  /** Nearly all parts have the same length. @type {Map<number, bigint>} */
  const shifts = new Map()
  let crc = 0n
  for (const { sums, bytes } of parts) {
    const shift = shifts.get(bytes) ?? shiftOf(bytes, polynomial)
    shifts.set(bytes, shift)
    crc = times(crc, shift, polynomial) ^ BigInt(`0x${sums[kind]}`)
  }
  return crc.toString(16).padStart(Number(polynomial.width) / 4, '0')
}

/** An MD5, or for a multipart upload the MD5 of its parts' MD5s and the number of parts. */
const MD5_FORM = /^"?([0-9a-f]{32})(?:-([1-9]\d*))?"?$/i
/** The ASCII characters that an ETag may have (RFC 9110 section 8.8.3). */
const TEXT = /^(?:"([\x21\x23-\x7e]+)"|([\x21\x23-\x7e]+))$/

/** A valid ETag that no object has. */
const NO_ETAG = `"${'0'.repeat(32)}"`

/** A date as in Last-Modified (RFC 9110 section 5.6.7). No ETag has spaces. */
const DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * What pins an object without an ETag: its Last-Modified, which stands for the ETag everywhere. Its size is compared in any case.
 *
 * @param {string | undefined} lastModified
 * @returns {string} empty if it is not a date
 */
function timePinOf(lastModified = '') {
  return DATE.test(lastModified) ? lastModified : ''
}

/** Whether an object is pinned by its Last-Modified, because its store tells no ETag. @param {{ etag: string }} object */
function isPinnedByTime({ etag }) {
  return DATE.test(etag)
}

/** The ETag for messages and summaries: empty where a time stands for it. @param {string} etag */
const etagText = etag => (isPinnedByTime({ etag }) ? '' : etag)

/**
 * ETags that a proxy has changed, so that its store takes them for another object's: weak ones never fit If-Match (RFC 9110
 * section 13.1.1), and a proxy that compresses may append the coding (mod_deflate and mod_brotli, Jetty).
 */
const ALTERATIONS = /^W\/|-(?:gzip|br|deflate|zstd)(?="?$)/g

/** @param {{ etag: string }} object */
function isAltered({ etag }) {
  return etag.replace(ALTERATIONS, '') !== etag
}

/**
 * The object, pinned by its Last-Modified in place of its ETag; as it is, if its store tells no time.
 *
 * @template {{ etag: string, lastModifiedMs?: number }} T
 * @param {T} object
 * @returns {T}
 */
function pinByTime(object) {
  const { lastModifiedMs } = object
  return lastModifiedMs === undefined ? object : { ...object, etag: new Date(lastModifiedMs).toUTCString() }
}

/**
 * Whether both are one object: if its Last-Modified pins one of them, it is compared, and else the ETags.
 *
 * @typedef {{ etag: string, bytes: number, lastModifiedMs?: number }} Pinned
 * @param {Pinned} one
 * @param {Pinned} other
 */
function isSamePinned(one, other) {
  const byTime = isPinnedByTime(one) !== isPinnedByTime(other)
  const [a, b] = byTime ? [pinByTime(one), pinByTime(other)] : [one, other]
  return sameEtag(a.etag, b.etag) && one.bytes === other.bytes
}

/**
 * @param {{ etag: string, encrypted?: boolean }} object
 * @returns {{ md5: string, parts?: number } | undefined} undefined if its ETag cannot be an MD5; md5: lower-case hex; parts: the
 *   number of parts of a multipart upload
 */
function md5EtagOf({ etag, encrypted }) {
  const found = encrypted ? null : MD5_FORM.exec(etag)
  if (!found) return undefined
  const md5 = found[1].toLowerCase()
  return found[2] === undefined ? { md5 } : { md5, parts: Number(found[2]) }
}

/** @param {string} etag @returns {string | undefined} lower-case hex; undefined if it is not in the form of a plain MD5 */
function plainMd5Of(etag) {
  const { md5, parts } = md5EtagOf({ etag }) ?? {}
  return parts === undefined ? md5 : undefined
}

/** The number of parts of the object's multipart upload, if its ETag has that form. @param {string} etag @returns {number | undefined} */
function partsOfEtag(etag) {
  return md5EtagOf({ etag })?.parts
}

/** @param {string} one @param {string} other ETags, with or without their quotes; a proxy may have changed them */
function sameEtag(one, other) {
  return one === other || unquoted(one.replace(ALTERATIONS, '')) === unquoted(other.replace(ALTERATIONS, ''))
}

/**
 * Whether both ETags have the form of MD5s and are equal. Then the bytes are equal too, also of different stores.
 *
 * @param {string} one
 * @param {string} other
 */
function sameDigest(one, other) {
  return sameForm(md5EtagOf({ etag: one }), md5EtagOf({ etag: other }))
}

/** Whether both are known and equal. @param {ReturnType<typeof md5EtagOf>} one @param {ReturnType<typeof md5EtagOf>} other */
function sameForm(one, other) {
  return one !== undefined && one.md5 === other?.md5 && one.parts === other.parts
}

/** @param {string} etag */
function unquoted(etag) {
  return etag.replace(/^"|"$/g, '')
}

/** Parses an ETag that a user typed. @param {string} text @returns {string | undefined} with its quotes; undefined if it is none */
function parseEtag(text) {
  const [, quoted, bare] = TEXT.exec(text) ?? []
  const etag = quoted ?? bare
  return etag === undefined || etag === '*' ? undefined : `"${etag}"`
}

/**
 * The MD5 that a source is known by: one that its store keeps, or its ETag.
 *
 * @param {Pick<ObjectHead, 'sums' | 'etag' | 'encrypted'>} source
 * @returns {{ md5: string, parts?: number } | undefined} parts: the number of parts, if it is made of their MD5s
 */
function keptMd5(source) {
  const md5 = source.sums?.md5
  return md5 === undefined ? md5EtagOf(source) : { md5 }
}

/** @param {string[]} md5s hex */
function md5OfMd5s(md5s) {
  const hash = createHash('md5')
  for (const md5 of md5s) hash.update(Buffer.from(md5, 'hex'))
  return hash.digest('hex')
}

/** Some stores tell milliseconds, and only in lists. @param {{ lastModifiedMs?: number }} object @returns {number | undefined} */
const secondOf = ({ lastModifiedMs: ms }) => (ms === undefined ? undefined : Math.floor(ms / 1000))

module.exports = {
  base64Of,
  combine,
  compareSums,
  CRCS,
  differenceOf,
  hasCrc,
  namesOf,
  only,
  publicSums,
  sameCrcs,
  sumsOfParts,
  sumText,
  SUM_WORDS,
  isAltered,
  etagText,
  isPinnedByTime,
  isSamePinned,
  secondOf,
  keptMd5,
  md5EtagOf,
  md5OfMd5s,
  NO_ETAG,
  parseEtag,
  partsOfEtag,
  pinByTime,
  plainMd5Of,
  sameDigest,
  sameEtag,
  sameForm,
  timePinOf,
  unquoted,
}
