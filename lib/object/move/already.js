'use strict'

/**
 * Whether the destination has the source's object already, as after a move that was killed before it deleted the source. Only
 * what proves the contents equal counts, as in `xfer verify`, and never a time; and the metadata must be equal too, because
 * they go with the source.
 */

const { isDeepStrictEqual } = require('node:util')
const { asXferError } = require('../../errors')
const { acceptGone, look } = require('../../destination')
const { proveByStored, sideOf } = require('../../verify')
const { isOneObject, sameObject } = require('./same')

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
  if (await isOneObject({ source, destination }, [read, there], signal)) {
    throw sameObject(source, destination)
  }
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

module.exports = { findAlready }
