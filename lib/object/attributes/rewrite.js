'use strict'

/**
 * Content headers and user metadata that a store did not keep as they were sent: the object is copied onto itself, with
 * them in place of what is there. No byte is sent again, and none can be lost: only an object whose ETag is the MD5 of
 * its bytes is written anew, and its ETag must be the same afterwards.
 */

const { XferError, asXferError } = require('../../errors')
const { CRCS, md5EtagOf, sameEtag } = require('../../integrity')

/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} Place */

/** Of a CopyObject: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
const MOST_BYTES = 5 * 1024 ** 3

/**
 * Not where another version would come to be, nor under a condition or a lock, which the second write would have to keep
 * too; nor with an encryption key of the user, with which ETags are no MD5s.
 *
 * @param {Place} place
 * @param {ObjectHead} found
 * @param {{ versionId?: string, md5?: boolean, conditional?: boolean }} written md5: its ETag is the MD5 of what was sent
 */
function mayRewrite({ store }, found, { versionId, md5 = false, conditional = false }) {
  const etag = md5EtagOf(found)
  return (
    md5 &&
    etag !== undefined &&
    etag.parts === undefined &&
    !conditional &&
    store.can.secret === undefined &&
    versionId === undefined &&
    found.versionId === undefined &&
    found.unkept === undefined &&
    found.bytes <= MOST_BYTES
  )
}

/**
 * @param {Place} place
 * @param {ObjectHead} found
 * @param {import('../../types').ObjectAttributes} attributes as they were to be; the tags stay as they are
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ now?: ObjectHead, refused: boolean }>} now: as it is afterwards; absent where somebody else has written
 *   it since, or it cannot be looked at; refused: the store copies nothing onto itself
 * @throws {XferError} INTEGRITY: the store says that other bytes came of it
 */
async function rewriteMetadata({ store, key, text }, found, attributes, signal) {
  const { serverCopy } = store
  if (!serverCopy) return { refused: true }
  const copy = {
    from: serverCopy.source({ key, etag: found.etag }),
    key,
    attributes,
    keep: { metadata: false, tags: true },
    checksum: CRCS.find(sum => found.sums?.[sum] !== undefined),
    // Where the store heeds it, nobody else's object is replaced.
    ...(serverCopy.conditional && { condition: { ifMatch: found.etag } }),
  }
  const { answer, error } = await serverCopy.object(copy, { signal }).then(
    answer => ({ answer, error: undefined }),
    cause => ({ answer: undefined, error: asXferError(cause) }),
  )
  if (answer && !sameEtag(answer.etag, found.etag)) {
    const reason = `${text} was copied onto itself to mend its metadata, and has another ETag now`
    const facts = { ...store.facts, reason, expected: found.etag, found: answer.etag }
    throw new XferError('INTEGRITY', { ...facts, now: 'it is still there, and not proved' })
  }
  const now = await store.head(key, { signal }).catch(() => undefined)
  const same = now && sameEtag(now.etag, found.etag) && now.bytes === found.bytes
  return { ...(same && { now }), refused: error?.code === 'COPY_REFUSED' }
}

module.exports = { mayRewrite, rewriteMetadata }
