'use strict'

/**
 * Removes an object that we wrote and know to be wrong, and no other one: by its version where that is known; else on the
 * condition that it has our ETag; and where the store takes no such condition, after a look, so that what somebody else
 * writes between the look and the removal would be removed too (docs/integrity.md says so).
 */

const { asXferError } = require('../errors')
const { sameEtag } = require('../integrity')
const { repeat } = require('../async')
const { look } = require('./look')

/** What removing may take, after Ctrl-C too. */
const LIMIT_MS = 15_000
const RETRIES = 5
/** A version of a bucket whose versions are suspended: the next write replaces it. */
const NO_VERSION = 'null'

/** @typedef {Pick<import('../job/open').Side, 'store' | 'key'>} Place */

/**
 * @param {Place} place
 * @param {{ etag: string, versionId?: string }} written as the answer to the write told it; an empty ETag: it told none
 * @returns {Promise<string>} what is at the destination now, as half a sentence
 */
async function removeWrong(place, written) {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const version = isVersion(written.versionId) ? written.versionId : undefined
    if (version !== undefined) return await removeVersion(place, { etag: written.etag, versionId: version }, signal)
    const { object, denied } = await patiently(signal, () => look(place, signal))
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
    await patiently(signal, () => store.remove({ key, versionId }, { signal }))
  } catch (cause) {
    return `${stillThere(cause)}; deleting its version ${versionId} brings back the version before it, if there is one`
  }
  const now = await look({ store, key }, signal).catch(() => undefined)
  if (!now || now.denied) return 'its version was removed'
  if (!now.object) return 'it was removed, so that nothing is there now'
  if (now.object.versionId === versionId && sameEtag(now.object.etag, etag)) return UNMOVED
  return 'it was removed, and the version before it, or a newer one of somebody else, is there now'
}

/**
 * @param {Place} place
 * @param {string} etag
 * @param {AbortSignal} signal
 */
async function removeByEtag({ store, key }, etag, signal) {
  try {
    await patiently(signal, () => store.remove({ key, etag }, { signal }))
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    if (code === 'DESTINATION_EXISTS') return 'somebody else has replaced it meanwhile, and that object was left alone'
    if (code !== 'STORE_REFUSED' || (facts.status !== 501 && facts.status !== 400)) throw cause
    // It takes no condition, and was looked at a moment ago.
    await patiently(signal, () => store.remove({ key }, { signal }))
  }
  const now = await look({ store, key }, signal).catch(() => undefined)
  if (!now || now.denied || !now.object) {
    return 'it was removed, so that nothing is there now, nor what it may have replaced'
  }
  return sameEtag(now.object.etag, etag) ? UNMOVED : 'it was removed, and somebody else has written another one since'
}

const UNMOVED = 'the wrong object is still there, though its store answered that it was removed'

/** Whatever `--retries` says: what stays would be taken for right. @template T @param {AbortSignal} signal @param {() => Promise<T>} call */
async function patiently(signal, call) {
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

module.exports = { removeWrong }
