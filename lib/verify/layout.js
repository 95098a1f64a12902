'use strict'

/** Whether an object was uploaded in parts of certain sizes: checksums made of those of parts can be compared only then. */

const REQUESTS_AT_ONCE = 16

/**
 * The store is asked for the size of each part, which costs less than reading the object for nothing. If the store does not
 * say, the sizes may be the same.
 *
 * @param {Pick<import('../job/contract').Side, 'store' | 'key' | 'versionId'>} side
 * @param {Array<{ bytes: number }>} parts in order; their number is known to be that of the object's
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<boolean>}
 */
async function mayHaveLayout({ store, key, versionId }, parts, signal) {
  const count = parts.length
  if (count === 1) return true
  /** @param {{ bytes: number }} part @param {number} index @returns {Promise<boolean | undefined>} undefined: the store does not say */
  const isOurs = async ({ bytes }, index) => {
    const found = await store.partSize?.(key, { signal, partNumber: index + 1, versionId }).catch(error => {
      if (signal?.aborted) throw error
      return undefined
    })
    return found && found.bytes === bytes && found.parts === count
  }
  const known = await isOurs(parts[0], 0)
  // A store that does not say the size of the first part says none.
  if (known === undefined) return true
  if (!known) return false
  for (let at = 1; at < count; at += REQUESTS_AT_ONCE) {
    const asked = await Promise.all(parts.slice(at, at + REQUESTS_AT_ONCE).map((part, i) => isOurs(part, at + i)))
    if (asked.includes(false)) return false
  }
  return true
}

module.exports = { mayHaveLayout }
