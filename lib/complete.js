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
    const found = settle ? await store.head(key, options).catch(() => undefined) : undefined
    if (found && found.bytes === object.bytes && isOurs(found, stored, crc32)) return found
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

/** @param {import('./types').ObjectHead} found @param {TaskSuccess[]} outcomes @param {number} crc32 */
function isOurs(found, outcomes, crc32) {
  return fullObject(found.checksum) === crc32ToBase64(crc32) || sameEtag(found.etag, multipartEtag(outcomes))
}

module.exports = { complete }
