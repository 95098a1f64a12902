'use strict'

/** The end of a multipart upload: the object becomes visible, or the store says why not, and what is there is looked at. */

const { XferError } = require('./errors')
const { checkStored, multipartEtag, sameEtag } = require('./integrity')
const { crc32ToBase64 } = require('./crc32')
const { refreshEtags } = require('./stored-parts')

/** @typedef {import('./types').WriteWork} WriteWork */
/** @typedef {import('./types').Upload} Upload */
/** @typedef {import('./types').TaskSuccess} TaskSuccess */

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} outcomes
 * @param {number} crc32
 */
async function complete({ job, object }, { id: uploadId, checksums }, outcomes, crc32) {
  const { destination, settings, signal } = job
  const { store, key } = destination
  const options = { signal }
  const input = {
    key,
    uploadId,
    bytes: object.bytes,
    condition: settings.condition,
    ...(checksums && { crc32 }),
  }
  const place = { store, key, uploadId, signal }
  let stored = outcomes
  const completion = completeWith(stored).catch(async error => {
    const refreshed =
      error.facts?.storeCode === 'InvalidPart' ? await refreshEtags(place, outcomes).catch(() => undefined) : undefined
    if (!refreshed) throw error
    stored = refreshed
    return await completeWith(stored)
  })
  const completed = await completion.catch(async error => {
    // A completion that was repeated finds the upload gone, or its own object in the way, when it was the answer that
    // got lost.
    const settle = error.code === 'UPLOAD_GONE' || error.code === 'DESTINATION_EXISTS'
    const place = { store, key, bytes: object.bytes, crc32, parts: stored, signal }
    const found = settle ? await settleCompletion(place).catch(() => undefined) : undefined
    if (found) return found
    throw error
  })
  /** @param {TaskSuccess[]} written */
  function completeWith(written) {
    const parts = written.map(({ partNumber, etag, bytes, crc32 }) => ({ partNumber, etag, bytes, crc32 }))
    return store.completeUpload({ ...input, parts }, options)
  }
  const { etag, versionId, checksum } = completed
  const sent = { bytes: object.bytes, crc32 }
  checkStored({ checksum }, sent)
  if (etag !== '' && checksum) return { etag, versionId, storedCrc32: fullObject(checksum) }
  // Some answer without the ETag or the checksum, and keep them all the same; others keep none, and the size is told.
  const head = await store.head(key, options).catch(() => undefined)
  if (etag === '' && !head) {
    throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'it completed the upload, and shows no object' })
  }
  if (!head || (etag !== '' && !sameEtag(head.etag, etag))) return { etag, versionId, storedCrc32: undefined }
  checkStored(head, sent)
  return { etag: head.etag, versionId, storedCrc32: fullObject(head.checksum) }
}

/** @param {{ crc32: string, type: string } | undefined} checksum */
function fullObject(checksum) {
  return checksum?.type === 'FULL_OBJECT' ? checksum.crc32 : undefined
}

/**
 * Whether the object at the destination is the one that these parts make: what a completion whose answer was lost comes to.
 *
 * @param {object} sent
 * @param {import('./types').Store} sent.store
 * @param {string} sent.key
 * @param {number} sent.bytes of the whole object
 * @param {number} sent.crc32 of the whole object, an unsigned 32-bit integer
 * @param {Array<{ etag: string }>} sent.parts all of them in order
 * @param {AbortSignal} [sent.signal]
 * @returns {Promise<import('./types').CompletedObject | undefined>} undefined where nothing is there, or something else
 * @throws {XferError} where the store does not let it be looked at: nothing is known then
 */
async function settleCompletion({ store, key, bytes, crc32, parts, signal }) {
  const found = await store.head(key, { signal }).catch(error => {
    if (error.code !== 'NO_SUCH_KEY') throw error
  })
  if (!found || found.bytes !== bytes) return undefined
  const ours = fullObject(found.checksum) === crc32ToBase64(crc32) || sameEtag(found.etag, multipartEtag(parts))
  return ours ? { etag: found.etag, versionId: found.versionId, checksum: found.checksum } : undefined
}

module.exports = { complete, settleCompletion }
