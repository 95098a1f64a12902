'use strict'

const { sameEtag } = require('../../integrity')

/**
 * Whether the object at the destination is made of our parts, as far as its store tells.
 *
 * @param {{ store: import('../../types').Store, key: string }} destination
 * @param {import('../../types').ObjectHead | undefined} object what is there
 * @param {Array<{ etag: string }>} parts all of them, in order
 * @param {AbortSignal} [signal]
 * @returns {Promise<'ours' | 'other' | undefined>} undefined: the store does not tell
 */
async function judgeMade({ store: { upload }, key }, object, parts, signal) {
  if (!upload.made || !object || parts.length === 0) return undefined
  try {
    const etag = await upload.made({ key, parts }, { signal })
    return etag !== undefined && sameEtag(etag, object.etag) ? 'ours' : 'other'
  } catch {
    return undefined
  }
}

module.exports = { judgeMade }
