'use strict'

/** Reads the checksums that stores report. Pure. */

const { crc32FromBase64 } = require('./crc32')

/**
 * @param {{ crc32: string, type: string } | undefined} checksum as a store reports it
 * @returns {number | undefined} the CRC-32 of the whole object; undefined if there is none
 */
function fullCrc32(checksum) {
  return checksum?.type === 'FULL_OBJECT' ? crc32FromBase64(checksum.crc32) : undefined
}

module.exports = { fullCrc32 }
