'use strict'

/** The ETag of a file: another size, modification time or inode is another version. Pure. */

/**
 * @param {Pick<import('node:fs').BigIntStats, 'size' | 'mtimeNs' | 'ino'>} stats
 * @returns {string} with quotes: size in bytes, modification time in nanoseconds and inode, in hex
 */
function fileEtag({ size, mtimeNs, ino }) {
  return `"${[size, mtimeNs, ino].map(number => number.toString(16)).join('-')}"`
}

module.exports = { fileEtag }
