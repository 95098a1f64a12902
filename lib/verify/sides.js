'use strict'

/** Two objects that are compared, as their stores report them. */

const { XferError } = require('../errors')
const { keptMd5, only, trustedHead } = require('../integrity')

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
  throw new XferError('OBJECTS_DIFFER', {
    source,
    destination,
    by: 'size',
    reason: `one has ${bytes.toLocaleString('en-US')} bytes and the other ${others.toLocaleString('en-US')}`,
  })
}

module.exports = { checkSizes, factsOf, sideOf }
