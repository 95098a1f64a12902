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

/** Whether a store is known to refuse bytes that do not fit the CRC-32 sent with them. @param {{ can: import('../types').Abilities }} store */
function checksCrc32({ can }) {
  return can.sums.checked.includes('crc32')
}

module.exports = { checksCrc32, fullCrc32 }
