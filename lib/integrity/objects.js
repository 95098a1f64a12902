'use strict'

/** Compares two objects by what their stores report, without reading them. Pure. */

const { md5EtagOf, sameForm } = require('./etag')
const { keptMd5 } = require('./source')
const { compareSums, CRCS, only, sumText } = require('./sums')

/** @typedef {import('../types').ObjectHead} ObjectHead */

/** @typedef {import('../types').Sum} Sum */

/** @type {readonly Sum[]} */
const COMPARED = [...CRCS, 'md5']

/**
 * Removes the checksums that cannot be trusted: a store that is not known to check or to compute them may only repeat what it
 * was sent.
 *
 * @template {Pick<ObjectHead, 'sums' | 'composite'>} H
 * @param {H} head as HEAD or a list tells it
 * @param {Pick<import('../types').Abilities, 'sums'>} can of its store
 * @returns {H}
 */
function trustedHead(head, { sums: { checked, computed = [] } }) {
  const { sums, composite, ...rest } = head
  const trusted = only(sums, [...checked, ...computed])
  return /** @type {H} */ ({
    ...rest,
    ...(Object.keys(trusted).length > 0 && { sums: trusted }),
    ...(composite && checked.includes('crc32') && { composite }),
  })
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
  if (compareSums(one.sums, other.sums, COMPARED).differs) return 'different'
  const stored = compareStored(one, other)
  if ((stored && stored.method !== 'composite-crc32') || sameMd5(one, other)) return 'equal'
  const [mine, theirs] = [one, other].map(keptMd5)
  const plain = mine && theirs && mine.parts === undefined && theirs.parts === undefined
  return plain ? 'different' : 'unknown'
}

/**
 * Whether the MD5s of both are known and equal: each is one that the store keeps, or the ETag.
 *
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums'>} one
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums'>} other
 */
function sameMd5(one, other) {
  return sameForm(keptMd5(one), keptMd5(other))
}

/**
 * What proves two stored objects equal without reading them.
 *
 * @typedef {{ method: Exclude<import('../types').VerifyMethod, 'read'>, value: string, layout: boolean }} Stored layout: it can
 *   be equal only if the parts of both have the same sizes
 */

/**
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums' | 'composite'>} one
 * @param {Pick<ObjectHead, 'etag' | 'encrypted' | 'sums' | 'composite'>} other
 * @returns {Stored | undefined} undefined if nothing proves them equal
 */
function compareStored(one, other) {
  const [sum] = compareSums(one.sums, other.sums, COMPARED).equal
  if (sum) return { method: `stored-${sum}`, value: sumText(sum, one.sums?.[sum]), layout: false }
  const [mine, theirs] = [one, other].map(md5EtagOf)
  if (sameForm(mine, theirs)) return { method: 'etag', value: one.etag, layout: mine?.parts !== undefined }
  // One may keep an MD5 beside its ETag, and the other's ETag is one.
  if (mine?.parts === undefined && theirs?.parts === undefined && sameMd5(one, other)) {
    return { method: 'stored-md5', value: /** @type {{ md5: string }} */ (keptMd5(one)).md5, layout: false }
  }
  const composite = one.composite?.crc32
  if (composite === undefined || composite !== other.composite?.crc32) return undefined
  return { method: 'composite-crc32', value: composite, layout: true }
}

module.exports = { compareContents, compareStored, sameMd5, trustedHead }
