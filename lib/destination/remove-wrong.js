'use strict'

/**
 * Removes an object that we wrote and know to be wrong, and no other object: by its version id if that is known, else on the
 * condition that it has our ETag. If the store does not support that condition, the ETag is checked first. Then an object that
 * somebody writes between the check and the removal is removed too (see docs/integrity.md).
 */

const { asXferError } = require('../errors')
const { sameEtag } = require('../integrity')
const { repeat } = require('../async')
const { look } = require('./look')

/** How long the removal may take, also after Ctrl-C. */
const LIMIT_MS = 15_000
const RETRIES = 5
/** The version id of objects written while versioning is suspended: the next write replaces such an object. */
const NO_VERSION = 'null'

/** @typedef {Pick<import('../job/open').Side, 'store' | 'key'>} Place */

/**
 * @param {Place} place
 * @param {{ etag: string, versionId?: string }} written from the answer to the write; etag: empty if the answer had none
 * @returns {Promise<string>} the state of the destination now, as half a sentence
 */
async function removeWrong(place, written) {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const version = isVersion(written.versionId) ? written.versionId : undefined
    if (version !== undefined) return await removeVersion(place, { etag: written.etag, versionId: version }, signal)
    const { object, denied } = await withRetries(signal, () => look(place, signal))
    if (denied) return 'it was left there, for the destination does not let it be looked at'
    if (!object) return 'nothing is there now'
    if (!sameEtag(object.etag, written.etag)) {
      return 'somebody else has replaced it meanwhile, and that object was left alone'
    }
    const { etag, versionId } = object
    if (isVersion(versionId)) return await removeVersion(place, { etag, versionId }, signal)
    return await removeByEtag(place, etag, signal)
  } catch (cause) {
    return stillThere(cause)
  }
}

/**
 * @param {Place} place
 * @param {{ etag: string, versionId: string }} version
 * @param {AbortSignal} signal
 */
async function removeVersion({ store, key }, { etag, versionId }, signal) {
  try {
    await withRetries(signal, () => store.remove({ key, versionId }, { signal }))
  } catch (cause) {
    return `${stillThere(cause)}; deleting its version ${versionId} brings back the version before it, if there is one`
  }
  const now = await look({ store, key }, signal).catch(() => undefined)
  if (!now || now.denied) return 'its version was removed'
  if (!now.object) return 'it was removed, so that nothing is there now'
  if (now.object.versionId === versionId && sameEtag(now.object.etag, etag)) return NOT_REMOVED
  return 'it was removed, and the version before it, or a newer one of somebody else, is there now'
}

/**
 * @param {Place} place
 * @param {string} etag
 * @param {AbortSignal} signal
 */
async function removeByEtag({ store, key }, etag, signal) {
  try {
    // Where the store does not support the condition, the ETag was checked a moment ago.
    await withRetries(signal, () => removeIfSame(store, { key, etag }, { signal }))
  } catch (cause) {
    if (asXferError(cause).code !== 'DESTINATION_EXISTS') throw cause
    return 'somebody else has replaced it meanwhile, and that object was left alone'
  }
  const now = await look({ store, key }, signal).catch(() => undefined)
  if (!now || now.denied || !now.object) {
    return 'it was removed, so that nothing is there now, nor what it may have replaced'
  }
  return sameEtag(now.object.etag, etag)
    ? NOT_REMOVED
    : 'it was removed, and somebody else has written another one since'
}

/**
 * Removes an object on the condition that it has this ETag; without a condition where the store takes none.
 *
 * @param {Pick<import('../types').Store, 'remove'>} store
 * @param {{ key: string, etag?: string }} object
 * @param {Parameters<import('../types').Store['remove']>[1]} how
 * @throws {import('../types').XferError} DESTINATION_EXISTS if it has another one; the store's errors
 */
async function removeIfSame(store, { key, etag }, how) {
  try {
    await store.remove({ key, etag }, how)
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    if (etag === undefined || code !== 'STORE_REFUSED' || (facts.status !== 501 && facts.status !== 400)) throw cause
    await store.remove({ key }, how)
  }
}

const NOT_REMOVED = 'the wrong object is still there, though its store answered that it was removed'

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
