'use strict'

/**
 * The CRC of byte strings put together, from the CRC of each: the method of zlib's `crc32_combine`. A CRC is advanced over n
 * more bytes by the product with x^(8 n), modulo the polynomial.
 */

/** @typedef {'crc32' | 'crc32c' | 'crc64nvme'} Crc */
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
 * @param {Crc} kind
 * @param {Iterable<{ sum: string, bytes: number }>} parts in order; sum: in hexadecimal digits, the most significant first;
 *   bytes: any number up to 2^53
 * @returns {string} likewise; that of no bytes if there are no parts
 */
function combine(kind, parts) {
  const polynomial = POLYNOMIALS[kind]
  /** Nearly all parts have the same length. @type {Map<number, bigint>} */
  const shifts = new Map()
  let crc = 0n
  for (const { sum, bytes } of parts) {
    const shift = shifts.get(bytes) ?? shiftOf(bytes, polynomial)
    shifts.set(bytes, shift)
    crc = times(crc, shift, polynomial) ^ BigInt(`0x${sum}`)
  }
  return crc.toString(16).padStart(Number(polynomial.width) / 4, '0')
}

module.exports = { combine }
