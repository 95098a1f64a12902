'use strict'

/** Arithmetic and comparison of checksums by name. Pure. */

const { SUM_WORDS } = require('../../actions/copy-range/sums')

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
}
