'use strict'

/**
 * The CRCs, as the catalogue of parametrised CRC algorithms has them (https://reveng.sourceforge.io/crc-catalogue/).
 * All of them are reflected, begin with all bits set, and are complemented at the end; so width and polynomial say it all.
 *
 * @typedef {'crc32' | 'crc32c' | 'crc64nvme'} CrcKind
 * @typedef {object} Polynomial
 * @property {number} width in bits
 * @property {number} high the upper 32 bits of the reversed polynomial; 0 for a CRC of 32 bits
 * @property {number} low
 */

/** @type {Record<CrcKind, Polynomial>} */
const POLYNOMIALS = {
  crc32: { width: 32, high: 0, low: 0xedb88320 },
  crc32c: { width: 32, high: 0, low: 0x82f63b78 },
  crc64nvme: { width: 64, high: 0x9a6c9329, low: 0xac4bc9b5 },
}

module.exports = { POLYNOMIALS }
