'use strict'

/** The ETags of a file: another size, modification time or inode is another version. Pure. */

/** @typedef {Pick<import('node:fs').BigIntStats, 'size' | 'mtimeNs' | 'ino' | 'ctimeNs'>} Stats */

/**
 * @param {Omit<Stats, 'ctimeNs'>} stats
 * @returns {string} with quotes: size in bytes, modification time in nanoseconds and inode, in hex
 */
function fileEtag({ size, mtimeNs, ino }) {
  return `"${[size, mtimeNs, ino].map(inHex).join('-')}"`
}

/**
 * Of a file that is read. Nobody can set the time of its last change, but a rename changes it too, so what we write has none.
 *
 * @param {Stats} stats
 * @returns {string} as `fileEtag`, and the time of the last change in nanoseconds
 */
function sourceEtag(stats) {
  return `"${bare(fileEtag(stats))}-${inHex(stats.ctimeNs)}"`
}

/** @param {string} etag of either kind @param {Stats} stats */
function isEtagOf(etag, stats) {
  return etag === fileEtag(stats) || etag === sourceEtag(stats)
}

/** @param {bigint} number */
const inHex = number => number.toString(16)

/** @param {string} etag */
const bare = etag => etag.slice(1, -1)

module.exports = { fileEtag, isEtagOf, sourceEtag }
