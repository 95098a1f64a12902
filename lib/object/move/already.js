'use strict'

/**
 * Whether the destination has the source's object already, as after a move that was killed before it deleted the source. Only
 * what proves the contents equal counts, as in `xfer verify`, and never a time; and the metadata must be equal too, because
 * they go with the source.
 */

const { isDeepStrictEqual } = require('node:util')
const { randomBytes } = require('node:crypto')
const { asXferError, XferError } = require('../../errors')
const { acceptGone, look } = require('../../destination')
const { proveByStored, sideOf } = require('../../verify')
const { sameEtag } = require('../../integrity')

/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {{ read: ObjectHead, there: ObjectHead, proof: import('../../types').Proof[] }} Already */

/**
 * @param {Pick<import('../../job/open').Context, 'source' | 'destination' | 'settings' | 'run'>} job of the object
 * @returns {Promise<{ already?: Already, apart: boolean, gone?: true }>} apart: both ends are known not to be one object; gone:
 *   there is no source
 * @throws {import('../../types').XferError} SAME_OBJECT; the stores' errors
 */
async function findAlready({ source, destination, settings, run: { cancel: signal } }) {
  const [read, found] = await Promise.all([
    source.store.head(source.key, { signal, versionId: source.versionId }).catch(acceptGone),
    look(destination, signal),
  ])
  if (!read) return { apart: true, gone: true }
  const there = found.object
  if (!there) return { apart: !found.denied }
  await checkApart({ source, destination }, [read, there], signal)
  const plain = settings.verify !== 'full' && keepsAll(settings.attributes)
  if (!plain || read.bytes !== there.bytes || !sameAttributes(read, there)) return { apart: true }
  const stored = await proveByStored([sideOf(source, read), sideOf(destination, there)], signal).catch(cause => {
    if (asXferError(cause).code !== 'OBJECTS_DIFFER') throw cause
  })
  return { apart: true, ...(stored && { already: { read, there, proof: [proofOf(stored.method)] } }) }
}

/** Whether no option sets an attribute of the copy. @param {import('../../types').AttributeWish} wish */
function keepsAll({ metadata, given, tags, storageClass, encryption, mtime }) {
  const none = Object.keys(given.headers).length + Object.keys(given.user).length === 0
  return metadata === 'copy' && none && tags === 'copy' && 'copy' in storageClass && !encryption && !mtime
}

/** @param {ObjectHead} one @param {ObjectHead} other */
function sameAttributes(one, other) {
  const tagged = (one.tags ?? 0) + (other.tags ?? 0) > 0
  return !tagged && isDeepStrictEqual(one.metadata, other.metadata)
}

/** @param {import('../../integrity/objects').Stored['method']} method @returns {import('../../types').Proof} */
function proofOf(method) {
  if (method === 'etag' || method === 'stored-md5') return 'source-md5'
  if (method === 'stored-crc32c') return 'source-crc32c'
  return method === 'stored-crc64nvme' ? 'source-crc64nvme' : 'source-crc32'
}

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

/**
 * Refuses two ends that are one object under two names: one store may have two addresses, and a file system may not tell the
 * case of letters. Such an object would be copied onto itself, and then deleted.
 *
 * @param {{ source: End, destination: End }} ends
 * @param {[source: ObjectHead, destination: ObjectHead]} heads
 * @param {AbortSignal} [signal]
 * @throws {XferError} SAME_OBJECT; also if nobody can tell
 */
async function checkApart(ends, [one, other], signal) {
  if (!looksSame(one, other)) return
  // Where the stores tell what an object is, no name of it has to be tried.
  if (one.identity === undefined && !(await isSamePlace(ends, signal))) return
  const { source, destination } = ends
  const { terms } = destination.store.facts
  throw new XferError('SAME_OBJECT', { location: source.text, other: destination.text, terms })
}

module.exports = { checkApart, findAlready, secondOf }
