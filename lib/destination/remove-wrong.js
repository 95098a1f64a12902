'use strict'

/**
 * Removes an object that we wrote and know to be wrong, and no other object: by its version id if that is known, else on the
 * condition that it has our ETag. If the store does not support that condition, the ETag is checked first. Then an object that
 * somebody writes between the check and the removal is removed too (see docs/integrity.md).
 */

const { asXferError } = require('../errors')
const { sameEtag } = require('../integrity')
const { repeat } = require('../async')
const { look } = require('./conditions')

/** How long the removal may take, also after Ctrl-C. */
const LIMIT_MS = 15_000
const RETRIES = 5
/** The version id of objects written while versioning is suspended: the next write replaces such an object. */
const NO_VERSION = 'null'
const REPLACED = 'somebody else has replaced it meanwhile, and that object was left alone'

/** @typedef {Pick<import('../job/open').Side, 'store' | 'key'>} Place */

/**
 * @param {Place} place
 * @param {{ etag: string, versionId?: string }} written from the answer to the write; etag: empty if the answer had none
 * @returns {Promise<string>} the state of the destination now, as half a sentence
 */
async function removeWrong(place, written) {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    if (isVersion(written.versionId)) return await removeFound(place, written, signal)
    const { object, denied } = await withRetries(signal, () => look(place, signal))
    if (denied) return 'it was left there, for the destination does not let it be looked at'
    if (!object) return 'nothing is there now'
    return sameEtag(object.etag, written.etag) ? await removeFound(place, object, signal) : REPLACED
  } catch (cause) {
    return stillThere(cause)
  }
}

/**
 * @param {Place} place
 * @param {{ etag: string, versionId?: string }} wrong
 * @param {AbortSignal} signal
 */
async function removeFound({ store, key }, { etag, versionId }, signal) {
  const versioned = isVersion(versionId)
  let refused = false
  try {
    // Where the store does not support the condition, the ETag was checked a moment ago.
    const remove = () => removeIfSame(store, versioned ? { key, versionId } : { key, etag }, { signal })
    await withRetries(signal, remove)
  } catch (cause) {
    if (versioned) {
      return `${stillThere(cause)}; deleting its version ${versionId} brings back the version before it, if there is one`
    }
    // Azurite says so, too, of an object that an attempt before has removed, whose answer was lost.
    refused = asXferError(cause).code === 'DESTINATION_EXISTS'
    if (!refused) throw cause
  }
  const now = await look({ store, key }, signal).catch(() => undefined)
  if (refused && (!now || now.denied || now.object)) return REPLACED
  if (versioned && (!now || now.denied)) return 'its version was removed'
  if (!now?.object)
    return `it was removed, so that nothing is there now${versioned ? '' : ', nor what it may have replaced'}`
  const same = sameEtag(now.object.etag, etag) && (!versioned || now.object.versionId === versionId)
  if (same) return 'the wrong object is still there, though its store answered that it was removed'
  return versioned
    ? 'it was removed, and the version before it, or a newer one of somebody else, is there now'
    : 'it was removed, and somebody else has written another one since'
}

/**
 * Removes an object on the condition that it has this ETag; without a condition where the store takes none.
 *
 * @param {Pick<import('../types').Store, 'remove'>} store
 * @param {{ key: string, etag?: string, versionId?: string }} object
 * @param {Parameters<import('../types').Store['remove']>[1]} how
 * @throws {import('../types').XferError} DESTINATION_EXISTS if it has another one; the store's errors
 */
async function removeIfSame(store, object, how) {
  try {
    await store.remove(object, how)
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    if (object.etag === undefined || code !== 'STORE_REFUSED' || (facts.status !== 501 && facts.status !== 400))
      throw cause
    await store.remove({ key: object.key }, how)
  }
}

/** Retries whatever `--retries` says: an object that stays would be taken for right. @template T @param {AbortSignal} signal @param {() => Promise<T>} call */
async function withRetries(signal, call) {
  return await repeat(call, { retries: RETRIES, signal })
}

/** @param {string | undefined} versionId @returns {versionId is string} */
function isVersion(versionId) {
  return versionId !== undefined && versionId !== NO_VERSION
}

/** @param {unknown} cause */
function stillThere(cause) {
  const { code, message } = asXferError(cause)
  if (code === 'NO_SUCH_KEY') return 'nothing is there now'
  return `the wrong object is still there, for it could not be removed (${message.replace(/\.$/, '')})`
}

module.exports = { removeIfSame, removeWrong }
