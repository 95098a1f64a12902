'use strict'

/** Compares two objects by what their stores report, without reading them. Pure. */

const { md5EtagOf, sameEtag } = require('./etag')

/** @typedef {import('../types').ObjectHead} ObjectHead */

/**
 * Removes a checksum that cannot be trusted: a store that is not known to check checksums may only repeat what it was sent.
 *
 * @param {ObjectHead} head
 * @param {boolean} checks whether the store is known to check checksums
 * @returns {ObjectHead}
 */
function trustedHead(head, checks) {
  if (checks || !head.checksum) return head
  const { checksum, ...rest } = head
  return rest
}

/**
 * Whether two objects have equal contents, by what their stores report. Different ETags of uploads in parts say nothing,
 * because the parts may have had other sizes.
 *
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 * @returns {'equal' | 'different' | 'unknown'} unknown: what they report cannot be compared
 */
function compareContents(one, other) {
  if (one.bytes !== other.bytes) return 'different'
  if (one.checksum?.type === 'FULL_OBJECT' && other.checksum?.type === 'FULL_OBJECT') {
    return one.checksum.crc32 === other.checksum.crc32 ? 'equal' : 'different'
  }
  const [mine, theirs] = [one, other].map(md5EtagOf)
  if (mine && sameEtag(one.etag, other.etag)) return 'equal'
  const plain = mine && theirs && mine.parts === undefined && theirs.parts === undefined
  return plain ? 'different' : 'unknown'
}

/**
 * What proves two stored objects equal without reading them.
 *
 * @typedef {{ method: 'stored-crc32' | 'etag' | 'composite-crc32', value: string, layout: boolean }} Stored layout: it can be
 *   equal only if the parts of both have the same sizes
 */

/**
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 * @returns {Stored | undefined} undefined if nothing proves them equal
 */
function compareStored(one, other) {
  const [a, b] = [one, other].map(({ checksum }) => checksum?.crc32)
  const types = new Set([one, other].map(({ checksum }) => checksum?.type))
  const same = a !== undefined && a === b
  if (same && types.size === 1 && types.has('FULL_OBJECT')) return { method: 'stored-crc32', value: a, layout: false }
  const [mine, theirs] = [one, other].map(md5EtagOf)
  if (mine && theirs && mine.md5 === theirs.md5 && mine.parts === theirs.parts) {
    return { method: 'etag', value: one.etag, layout: mine.parts !== undefined }
  }
  if (same && types.size === 1 && types.has('COMPOSITE')) return { method: 'composite-crc32', value: a, layout: true }
  return undefined
}

module.exports = { compareContents, compareStored, trustedHead }
