'use strict'

/** What two stored objects tell of themselves that proves them equal, before anything is read. Pure. */

const { md5EtagOf, sameEtag } = require('./etag')

/** @typedef {import('../types').ObjectHead} ObjectHead */

/**
 * What is believed of what a store tells: a checksum that it is not known to check may be an echo of what it was sent.
 *
 * @param {ObjectHead} head
 * @param {boolean} checks whether its store is known to check
 * @returns {ObjectHead}
 */
function believed(head, checks) {
  if (checks || !head.checksum) return head
  const { checksum, ...rest } = head
  return rest
}

/**
 * Whether two objects have equal contents, as far as their stores tell: false where they tell nothing to compare.
 *
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 */
function isSameObject(one, other) {
  if (one.bytes !== other.bytes) return false
  if (one.checksum?.type === 'FULL_OBJECT' && other.checksum?.type === 'FULL_OBJECT') {
    return one.checksum.crc32 === other.checksum.crc32
  }
  return md5EtagOf(one) !== undefined && sameEtag(one.etag, other.etag)
}

/**
 * What two stored objects tell that proves them equal, before anything is read.
 *
 * @typedef {{ method: 'stored-crc32' | 'etag' | 'composite-crc32', value: string, layout: boolean }} Stored layout: it holds only
 *   where their parts are of the same sizes
 */

/**
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 * @returns {Stored | undefined} what is equal of them
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

module.exports = { believed, compareStored, isSameObject }
