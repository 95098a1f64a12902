'use strict'

/**
 * Whether two ends are one object under two names: one store may have two addresses, and a file system may not tell the case
 * of letters. Such an object would be copied onto itself, and then deleted.
 */

const { randomBytes } = require('node:crypto')
const { XferError } = require('../../errors')
const { sameEtag } = require('../../integrity')

/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} End */

/** Some stores tell milliseconds, and only in lists. @param {{ lastModifiedMs?: number }} object */
const secondOf = ({ lastModifiedMs }) => lastModifiedMs !== undefined && Math.floor(lastModifiedMs / 1000)

/**
 * Whether both may be the same object: a copy has another time, unless it was written in the second in which its source was.
 *
 * @param {ObjectHead} one
 * @param {ObjectHead} other
 */
function looksSame(one, other) {
  if (one.identity !== undefined && other.identity !== undefined) return one.identity === other.identity
  const versions = one.versionId === undefined || other.versionId === undefined || one.versionId === other.versionId
  return one.bytes === other.bytes && sameEtag(one.etag, other.etag) && secondOf(one) === secondOf(other) && versions
}

/**
 * Begins an upload at the destination, and looks whether the source lists it. Where an upload is begun without a request the
 * ETag of every write is another one, so that equal ones are of one object.
 *
 * @param {{ source: End, destination: End }} ends of one object, or of a prefix
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} also true if nobody can tell
 */
async function isSamePlace({ source, destination }, signal) {
  const { upload } = destination.store
  if (!upload.abort) return true
  const mark = `.xfer-${randomBytes(8).toString('hex')}`
  const key = destination.key + mark
  const attributes = { metadata: { headers: {}, user: {} } }
  const { id } = await upload.create({ key, attributes, checksum: false }, { signal })
  try {
    const { uploads } = await source.store.upload.pending({ prefix: source.key + mark }, { signal })
    return uploads.some(found => found.id === id)
  } catch {
    return true
  } finally {
    await upload.abort({ key, uploadId: id }, { signal: AbortSignal.timeout(15_000) }).catch(() => {})
  }
}

/** @param {End} source @param {End} destination @returns {Error} */
function sameObject(source, { text, store }) {
  return new XferError('SAME_OBJECT', { location: source.text, other: text, terms: store.facts.terms })
}

/**
 * Whether what two ends tell is one object under two names.
 *
 * @param {{ source: End, destination: End }} ends
 * @param {[source: ObjectHead, destination: ObjectHead]} heads
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} also true if nobody can tell
 */
async function isOneObject(ends, [one, other], signal) {
  // Where the stores tell what an object is, no name of it has to be tried.
  return looksSame(one, other) && (one.identity !== undefined || (await isSamePlace(ends, signal)))
}

module.exports = { isOneObject, sameObject, secondOf }
