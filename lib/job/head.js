'use strict'

/** Asks for the object of a side. Many who name none mean a prefix. */

const { XferError } = require('../errors')

/**
 * @param {Pick<import('./contract').Side, 'store' | 'key' | 'versionId'>} side
 * @param {AbortSignal | undefined} signal
 * @param {object} [how]
 * @param {true | 'list'} [how.below] what to advise where objects are below this key: `-r`, or to list them
 * @returns {Promise<import('../types').ObjectHead>}
 * @throws {XferError} NO_SUCH_KEY, whose fact `below` says that objects are below this key; the store's other errors
 */
async function headObject({ store, key, versionId }, signal, { below = true } = {}) {
  try {
    return await store.head(key, { signal, versionId })
  } catch (cause) {
    const { code, facts } = /** @type {import('../types').XferError} */ (cause)
    if (code !== 'NO_SUCH_KEY' || versionId !== undefined || !(await hasObjectsBelow(store, key, signal))) throw cause
    throw new XferError('NO_SUCH_KEY', { ...facts, below }, { cause })
  }
}

/** One request. Without permission to list, nothing is known. @param {import('./contract').Side['store']} store @param {string} key @param {AbortSignal | undefined} signal */
async function hasObjectsBelow(store, key, signal) {
  const prefix = key.endsWith('/') ? key : `${key}/`
  const page = await store.list?.({ prefix, most: 1 }, { signal }).catch(() => undefined)
  return page !== undefined && page.objects.length > 0
}

module.exports = { headObject }
