'use strict'

/** Two objects that are compared, as their stores report them, and what that proves: nothing is read. */

const { XferError } = require('../errors')
const { keptMd5, isCrc, only, trustedHead, compareStored, CRCS, differenceOf } = require('../integrity')
const { notice } = require('../notices')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/**
 * @typedef {import('./read').Reading & { text: string, object: ObjectHead, reported: ObjectHead, md5?: string, md5ByWriter?: true }} Side reported:
 *   as its store reports it; object: what of that can be trusted; md5: of the whole object; md5ByWriter: it may be only what the
 *   object's writer said
 */

/**
 * @param {Pick<Side, 'store' | 'key' | 'versionId' | 'text'>} place
 * @param {ObjectHead} reported
 * @returns {Side}
 */
function sideOf({ store, key, versionId, text }, reported) {
  // A checksum that the store is not known to check may be an echo of what was sent, and proves nothing.
  const object = trustedHead(reported, store.can)
  return { store, key, versionId, text, object, reported, ...md5Of({ store, object, reported }) }
}

/** @param {Pick<Side, 'store' | 'object' | 'reported'>} side @returns {Pick<Side, 'md5' | 'md5ByWriter'>} */
function md5Of({ store, object, reported }) {
  const known = keptMd5(object)
  if (known) return known.parts === undefined ? { md5: known.md5 } : {}
  const { md5 } = only(reported.sums, store.can.sums.byWriter ?? [])
  return md5 === undefined ? {} : { md5, md5ByWriter: true }
}

/** @param {Side[]} sides of equal size @returns {{ source: string, destination: string, bytes: number }} */
function factsOf([one, other]) {
  return { source: one.text, destination: other.text, bytes: one.object.bytes }
}

/** @param {Side[]} sides @throws {XferError} OBJECTS_DIFFER */
function checkSizes(sides) {
  const [bytes, others] = sides.map(({ object }) => object.bytes)
  if (bytes === others) return
  const { source, destination } = factsOf(sides)
  const reason = `one has ${bytes.toLocaleString('en-US')} bytes and the other ${others.toLocaleString('en-US')}`
  throw new XferError('OBJECTS_DIFFER', { source, destination, by: 'size', reason })
}

/**
 * What the stores keep of both objects, as far as it proves them equal. Parts of other sizes may have the same composite
 * checksum, so their sizes are asked for.
 *
 * @param {Side[]} sides of equal size
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../integrity/objects').Stored | undefined>} undefined: nothing proves it
 * @throws {XferError} OBJECTS_DIFFER if both stores have the same checksum of the full object, and they differ
 */
async function proveByStored([one, other], signal) {
  const difference = differenceOf(one.object.sums, other.object.sums, [...CRCS, 'md5'])
  if (difference) {
    const reason = `one keeps the ${difference.words} ${difference.one} and the other ${difference.other}`
    throw new XferError('OBJECTS_DIFFER', { source: one.text, destination: other.text, by: 'checksum', reason })
  }
  const stored = compareStored(one.object, other.object)
  if (!stored?.layout) return stored
  const [mine, theirs] = await Promise.all([askPartSize(one, signal), askPartSize(other, signal)])
  return mine && mine.bytes === theirs?.bytes && mine.parts === theirs.parts ? stored : undefined
}

/**
 * Equal MD5s of whole objects, also where one may be only what the object's writer said.
 *
 * @param {Side[]} sides of equal size
 * @returns {import('../integrity/objects').Stored | undefined}
 */
function proveByMd5([{ md5 }, other]) {
  return md5 === undefined || md5 !== other.md5 ? undefined : { method: 'stored-md5', value: md5, layout: false }
}

/** What to tell of MD5s that were compared. @param {Side[]} sides @returns {import('../types').Notice[]} */
function noticesOfMd5s(sides) {
  const said = sides.find(({ md5ByWriter }) => md5ByWriter)
  return said ? [notice('MD5_BY_WRITER', { location: said.text })] : []
}

/** @param {Pick<Side, 'store' | 'key' | 'versionId'>} side @param {AbortSignal} [signal] @param {number} [partNumber] */
async function askPartSize({ store, key, versionId }, signal, partNumber) {
  return await store.partSize?.(key, { signal, partNumber, versionId }).catch(error => {
    if (signal?.aborted) throw error
    return undefined
  })
}

const REQUESTS_AT_ONCE = 16

/**
 * Whether evidence about a source that differs means anything. What is made of the checksums of parts differs, too, if the
 * object was uploaded in parts of other sizes. The store is asked for the size of each part, which costs less than reading the object for nothing. If the store does not
 * say, the sizes may be the same.
 *
 * @param {Pick<import('../integrity/source').Evidence, 'by'>} evidence
 * @param {Pick<import('../job/contract').Side, 'store' | 'key' | 'versionId'>} side
 * @param {Array<{ bytes: number }>} parts in order; their number is known to be that of the object's
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<boolean>}
 */
async function isComparable({ by }, side, parts, signal) {
  const count = parts.length
  if (isCrc(by) || count === 1) return true
  /** @param {{ bytes: number }} part @param {number} index @returns {Promise<boolean | undefined>} undefined: the store does not say */
  const isOurs = async ({ bytes }, index) => {
    const found = await askPartSize(side, signal, index + 1)
    return found && found.bytes === bytes && found.parts === count
  }
  const known = await isOurs(parts[0], 0)
  // A store that does not say the size of the first part says none.
  if (!known) return known === undefined
  for (let at = 1; at < count; at += REQUESTS_AT_ONCE) {
    const asked = await Promise.all(parts.slice(at, at + REQUESTS_AT_ONCE).map((part, i) => isOurs(part, at + i)))
    if (asked.includes(false)) return false
  }
  return true
}

module.exports = { checkSizes, factsOf, isComparable, noticesOfMd5s, proveByMd5, proveByStored, sideOf }
