'use strict'

/** What checksums look like: everywhere in the program, and in the headers of stores. Pure. */

/** @typedef {import('../../lib/types').Sum} Sum */
/** @typedef {import('../../lib/types').Sums} Sums */

/** How many bytes each has. @type {Record<Sum, number>} */
const SUM_BYTES = { crc32: 4, crc32c: 4, crc64nvme: 8, md5: 16 }

/** @type {Sum[]} */
const SUM_NAMES = /** @type {any} */ (Object.keys(SUM_BYTES))

/** For messages. @type {Record<Sum, string>} */
const SUM_WORDS = { crc32: 'CRC-32', crc32c: 'CRC-32C', crc64nvme: 'CRC-64/NVME', md5: 'MD5' }

/** @param {unknown} value @returns {value is Sum} */
function isSumName(value) {
  return typeof value === 'string' && Object.hasOwn(SUM_BYTES, value)
}

/** Whether a text is such a checksum: lower-case hex of its width. @param {Sum} sum @param {unknown} value */
function isSum(sum, value) {
  return typeof value === 'string' && value.length === 2 * SUM_BYTES[sum] && /^[0-9a-f]+$/.test(value)
}

/** @param {unknown} value @returns {value is Sums} */
function isSums(value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.entries(value).every(([sum, text]) => isSumName(sum) && isSum(sum, text))
}

/**
 * @param {Sum} sum
 * @param {string} text as a store writes it
 * @param {'base64' | 'base64le' | 'hex'} encoding `base64le`: of the bytes in reverse order
 * @returns {string | undefined} undefined if it is no such checksum
 */
function decodeSum(sum, text, encoding) {
  const hex = encoding === 'hex' ? text.toLowerCase() : hexOf(text, encoding === 'base64le')
  return isSum(sum, hex) ? hex : undefined
}

/** @param {string} base64 @param {boolean} reversed @returns {string} empty if it is not base64 */
function hexOf(base64, reversed) {
  if (base64 === '') return ''
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return ''
  return (reversed ? bytes.reverse() : bytes).toString('hex')
}

module.exports = { decodeSum, isSum, isSumName, isSums, SUM_BYTES, SUM_NAMES, SUM_WORDS }
