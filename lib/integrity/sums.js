'use strict'

/** What the sums that stores tell look like. Pure. */

const { crc32FromBase64 } = require('./crc32')

/**
 * @param {{ crc32: string, type: string } | undefined} checksum as a store tells it
 * @returns {number | undefined} of the whole object; undefined where it says nothing of that
 */
function fullCrc32(checksum) {
  return checksum?.type === 'FULL_OBJECT' ? crc32FromBase64(checksum.crc32) : undefined
}

module.exports = { fullCrc32 }
