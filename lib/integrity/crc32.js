'use strict'

/**
 * CRC-32 (ISO-HDLC, the one of zip and of the stores) as arithmetic on checksums. The action
 * computes the checksums of the bytes as they pass through it.
 */

const POLYNOMIAL = 0xedb88320

/** A 32x32 matrix over GF(2), each column a number. @typedef {Uint32Array} Matrix */

/** @param {Matrix} matrix @param {number} vector */
function times(matrix, vector) {
  let sum = 0
  for (let bit = 0; vector !== 0; bit++, vector >>>= 1) {
    if (vector & 1) sum ^= matrix[bit]
  }
  return sum >>> 0
}

/** @param {Matrix} matrix @returns {Matrix} */
function square(matrix) {
  return matrix.map(column => times(matrix, column))
}

/** What one more zero bit does to a CRC register. */
const ONE_ZERO_BIT = Uint32Array.from({ length: 32 }, (_, bit) => (bit === 0 ? POLYNOMIAL : 2 ** (bit - 1)))

/** `ZERO_BYTES[n]`: what 2^n zero bytes do to it; 2^63 bytes are more than any object has. */
const ZERO_BYTES = [square(square(square(ONE_ZERO_BIT)))]
for (let n = 1; n < 53; n++) ZERO_BYTES.push(square(ZERO_BYTES[n - 1]))

/**
 * The CRC-32 of two byte strings put together, from the CRC-32 of each: the method of zlib's `crc32_combine`.
 *
 * @param {number} first CRC-32 of the first, unsigned
 * @param {number} second CRC-32 of the second, unsigned
 * @param {number} secondBytes length of the second
 * @returns {number} unsigned
 */
function crc32Combine(first, second, secondBytes) {
  let register = first
  for (let n = 0, rest = secondBytes; rest > 0; n++, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) register = times(ZERO_BYTES[n], register)
  }
  return (register ^ second) >>> 0
}

/**
 * @template {{ crc32?: number, bytes: number }} T
 * @param {Iterable<T>} parts in order
 * @returns {T['crc32']} the CRC-32 of all of them together; undefined if one of theirs is not known
 */
function crc32OfParts(parts) {
  let crc = 0
  for (const { crc32, bytes } of parts) {
    if (crc32 === undefined) return undefined
    crc = crc32Combine(crc, crc32, bytes)
  }
  return crc
}

/** As stores write it: base64 of the four bytes, most significant first. @param {number} crc32 */
function crc32ToBase64(crc32) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32)
  return bytes.toString('base64')
}

/** @param {string} base64 @returns {number | undefined} undefined if it is no CRC-32 */
function crc32FromBase64(base64) {
  // A composite checksum ends with the number of its parts.
  return /^[A-Za-z0-9+/]{6}==$/.test(base64) ? Buffer.from(base64, 'base64').readUInt32BE() : undefined
}

module.exports = { crc32Combine, crc32OfParts, crc32ToBase64, crc32FromBase64 }
