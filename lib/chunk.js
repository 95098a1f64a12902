'use strict'

/** The size of the parts: what was asked for, or with `--chunk match` that of the source's own. */

const { asXferError } = require('./errors')

/**
 * @typedef {object} Chunk
 * @property {number} bytes
 * @property {boolean} matched whether it is that of the source's own parts
 * @property {string[]} notices sentences for the user
 */

/**
 * Equal parts give the destination the ETag that the source has. Only the first part's size is asked for: that all have
 * it shows when both ETags are there.
 *
 * @param {Pick<import('./job').Job, 'source' | 'settings' | 'stopping'>} job
 * @param {import('./types').ObjectHead} object
 * @returns {Promise<Chunk>}
 */
async function chooseChunk({ source, settings, stopping: signal }, object) {
  const usual = { bytes: settings.chunkBytes, matched: false }
  if (!settings.matchChunk) return { ...usual, notices: [] }
  const found = await source.store.partSize(source.key, { signal }).catch(cause => {
    const error = asXferError(cause)
    // A store that does not know the question; what else is wrong will show.
    if (signal?.aborted || error.code !== 'STORE_REFUSED') throw error
  })
  if (!found || found.bytes === 0) {
    const notice =
      'The source was uploaded in one piece, or its store does not tell the size of its parts: it is copied in parts of the usual size.'
    return { ...usual, notices: [notice] }
  }
  const { bytes, parts } = found
  const uneven = parts !== Math.ceil(object.bytes / bytes)
  const notice = `The source has ${parts.toLocaleString('en-US')} parts of different sizes: the copy will have another ETag.`
  // One part is one part, however much more would go into it.
  const size = parts === 1 ? Math.max(bytes, usual.bytes) : bytes
  return { bytes: size, matched: true, notices: uneven ? [notice] : [] }
}

/**
 * Once both ETags are known.
 *
 * @param {Chunk} chunk
 * @param {import('./types').Proof[]} proof
 * @returns {string | undefined} a sentence for the user, where the parts' size was matched in vain
 */
function judgeMatch({ matched, notices }, proof) {
  if (!matched || notices.length > 0 || proof.includes('source-etag')) return undefined
  return "The copy's ETag is another one than the source's: the size of the first part did not prove that all have it, or the ETags are no MD5s."
}

module.exports = { chooseChunk, judgeMatch }
