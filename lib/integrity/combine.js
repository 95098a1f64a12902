'use strict'

/**
 * The CRC of byte strings put together, from the CRC of each: the method of zlib's `crc32_combine`. A CRC is advanced over n
 * more bytes by the product with x^(8 n), modulo the polynomial.
 */

/**
 * Up to 64 bits in two halves, `high` being 0 for a CRC of 32 bits. Reversed: the coefficient of x^0 is the highest bit.
 * @typedef {{ high: number, low: number }} Bits
 */

/** The polynomials. @type {Record<Crc, Bits & { width: 32 | 64 }>} */
const POLYNOMIALS = {
  crc32: { width: 32, high: 0, low: 0xedb88320 },
  crc32c: { width: 32, high: 0, low: 0x82f63b78 },
  crc64nvme: { width: 64, high: 0x9a6c9329, low: 0xac4bc9b5 },
}

/** @typedef {'crc32' | 'crc32c' | 'crc64nvme'} Crc */

/** @param {32 | 64} width @param {number} exponent less than 32 @returns {Bits} x^exponent */
function powerOfX(width, exponent) {
  const half = 2 ** (31 - exponent)
  return width === 64 ? { high: half, low: 0 } : { high: 0, low: half }
}

/** The product modulo a polynomial. @param {Bits} one @param {Bits} other @param {Bits & { width: 32 | 64 }} polynomial @returns {Bits} */
function times(one, other, polynomial) {
  let { high, low } = other
  let productHigh = 0
  let productLow = 0
  for (let bit = polynomial.width - 1; bit >= 0; bit--) {
    if ((bit < 32 ? one.low >>> bit : one.high >>> (bit - 32)) & 1) {
      productHigh ^= high
      productLow ^= low
    }
    // The other times x.
    const carry = low & 1
    low = (low >>> 1) | (high << 31)
    high >>>= 1
    if (carry) {
      high ^= polynomial.high
      low ^= polynomial.low
    }
  }
  return { high: productHigh, low: productLow }
}

/** x^(8 bytes) modulo a polynomial. @param {number} bytes @param {Bits & { width: 32 | 64 }} polynomial */
function shiftOf(bytes, polynomial) {
  let shift = powerOfX(polynomial.width, 0)
  let power = powerOfX(polynomial.width, 8)
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
  /** Nearly all parts have the same length. @type {Map<number, Bits>} */
  const shifts = new Map()
  let crc = { high: 0, low: 0 }
  for (const { sum, bytes } of parts) {
    const shift = shifts.get(bytes) ?? shiftOf(bytes, polynomial)
    shifts.set(bytes, shift)
    crc = times(crc, shift, polynomial)
    crc.high ^= parseInt(sum.slice(0, -8) || '0', 16)
    crc.low ^= parseInt(sum.slice(-8), 16)
  }
  const digits = (/** @type {number} */ half) => (half >>> 0).toString(16).padStart(8, '0')
  return polynomial.width === 64 ? digits(crc.high) + digits(crc.low) : digits(crc.low)
}

module.exports = { combine }
