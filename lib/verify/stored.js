'use strict'

/** Compares two objects by what their stores keep of them: nothing is read. */

const { XferError } = require('../errors')
const { compareStored, compareSums, CRCS, sumText, SUM_WORDS } = require('../integrity')
const { notice } = require('../notices')

/** @typedef {import('./sides').Side} Side */

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
  const { differs } = compareSums(one.object.sums, other.object.sums, [...CRCS, 'md5'])
  if (differs) {
    const [a, b] = [one, other].map(({ object }) => sumText(differs, object.sums?.[differs]))
    const reason = `one keeps the ${SUM_WORDS[differs]} ${a} and the other ${b}`
    throw new XferError('OBJECTS_DIFFER', { source: one.text, destination: other.text, by: 'checksum', reason })
  }
  const stored = compareStored(one.object, other.object)
  if (!stored?.layout) return stored
  const ask = (/** @type {Side} */ { store, key, versionId }) =>
    store.partSize?.(key, { signal, versionId }).catch(error => {
      if (signal?.aborted) throw error
    })
  const [mine, theirs] = await Promise.all([ask(one), ask(other)])
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

module.exports = { noticesOfMd5s, proveByMd5, proveByStored }
