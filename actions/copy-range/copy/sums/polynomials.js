'use strict'

/**
 * The CRCs. All of them are reflected, begin with all bits set, and are complemented at the end:
 * https://reveng.sourceforge.io/crc-catalogue/
 *
 * @typedef {'crc32' | 'crc32c' | 'crc64nvme'} CrcKind
 * @typedef {object} Polynomial
 * @property {number} bytes of the CRC
 * @property {number} high the upper 32 bits of the reversed polynomial; 0 for a CRC of 32 bits
 * @property {number} low
 * @property {string} ones in hexadecimal digits, the message after which a register that began with all bits clear has
 *   all bits set; a CRC that begins with all bits set is that of this message and the bytes
 * @property {number[]} lags see fold.js; the first is the largest. None is below a thousand, or the processor would wait for
 *   bytes that it has just written.
 */

/** @type {Record<CrcKind, Polynomial>} */
const POLYNOMIALS = {
  crc32: { bytes: 4, high: 0, low: 0xedb88320, ones: '62f52692', lags: [4018, 2181, 1927] },
  crc32c: { bytes: 4, high: 0, low: 0x82f63b78, ones: '54641f64', lags: [5321, 2830, 1747] },
  crc64nvme: {
    bytes: 8,
    high: 0x9a6c9329,
    low: 0xac4bc9b5,
    ones: '2e553992f98a0752',
    lags: [5286, 5239, 4086, 2702, 2445, 2062, 1790],
  },
}

/** @type {CrcKind[]} */
const CRC_KINDS = ['crc32', 'crc32c', 'crc64nvme']

module.exports = { CRC_KINDS, POLYNOMIALS }
