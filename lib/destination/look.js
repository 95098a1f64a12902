'use strict'

/** Which object the destination holds, and whether it is our copy. Used when the answer to a write was lost. */

const { XferError, asXferError } = require('../errors')
const { compareSums, sameEtag } = require('../integrity')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {{ object?: ObjectHead, denied: boolean }} Found denied: the credentials do not allow to read it */

/** @type {Found} */
const UNSEEN = { denied: true }

/** Failures after which the request may have been carried out. */
const UNCERTAIN = new Set(['STORE_ERROR', 'STORE_THROTTLED', 'STORE_UNREACHABLE', 'BAD_ANSWER', 'NOT_A_STORE'])
/** Failures after which the request cannot have arrived. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

/**
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Found>} without the permission to list, a missing object is `denied` too
 */
async function look({ store, key }, signal) {
  try {
    return { object: await store.head(key, { signal }), denied: false }
  } catch (cause) {
    const error = asXferError(cause)
    if (error.code !== 'NO_SUCH_KEY' && error.code !== 'ACCESS_DENIED') throw error
    return { denied: error.code === 'ACCESS_DENIED' }
  }
}

/**
 * The first look at a store that is not known by its host: by its answer it tells its name, and so what it takes.
 *
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Found | undefined>} undefined: it is known already
 */
async function meet(destination, signal) {
  return (destination.store.named?.() ?? true) ? undefined : await lookFirst(destination, signal)
}

/**
 * A look at a store that has not answered this process yet: of many calls at once one asks, and the others wait for its answer.
 *
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Found | undefined>} undefined: it has answered another call
 */
async function lookFirst(destination, signal) {
  const { introduce } = destination.store
  const ask = () => look(destination, signal)
  return introduce ? await introduce(ask) : await ask()
}

/** For `catch`: undefined if the object does not exist, else throws the error again. @param {unknown} cause @returns {undefined} */
function acceptGone(cause) {
  if (asXferError(cause).code !== 'NO_SUCH_KEY') throw cause
}

/**
 * Compares the object at the destination with what was sent. A different ETag proves nothing, because not all ETags are MD5s.
 *
 * @param {Found} found
 * @param {Found | undefined} before the object before anything was sent
 * @param {{ bytes: number, sums: import('../types').Sums, etag: string, summed?: boolean, kept?: readonly import('../types').Sum[] }} sent
 *   the whole object; sums: those that were computed; etag: the expected one, if the store makes ETags of MD5s; summed: the store
 *   keeps the checksum of what we sent, so an object without one is not ours; kept: the checksums that the store is known to
 *   check or to compute; others may only echo what was sent, and prove nothing
 * @returns {'ours' | 'other' | 'unknown'}
 */
function judge({ object, denied }, before, { bytes, sums, etag, summed = false, kept = [] }) {
  if (denied) return 'unknown'
  if (!object || object.bytes !== bytes) return 'other'
  const { equal, differs } = compareSums(object.sums, sums, kept)
  if (differs) return 'other'
  if (equal.length > 0) return 'ours'
  if (sameEtag(object.etag, etag)) return 'ours'
  return summed || isUnchanged(before, object) ? 'other' : 'unknown'
}

/** Whether the key still has the object from before. @param {Found | undefined} before @param {ObjectHead} now */
function isUnchanged(before, now) {
  const { object } = before ?? {}
  return object !== undefined && sameEtag(object.etag, now.etag) && object.lastModifiedMs === now.lastModifiedMs
}

/** Whether a control call may have been carried out although it failed. @param {Failure} error */
function leavesOpen(error) {
  return UNCERTAIN.has(error.code) && !neverSent(error)
}

/** Whether the request cannot have reached the store. @param {Failure} error */
function neverSent({ facts }) {
  return NEVER_SENT.has(facts.reason)
}

/**
 * @param {import('../job/open').Side} destination
 * @param {string} reason the end of a sentence
 * @param {Failure} [cause] the last error
 */
function unknownOutcome({ store, text }, reason, cause) {
  return new XferError('OUTCOME_UNKNOWN', { ...store.facts, location: text, reason }, { cause })
}

module.exports = {
  UNSEEN,
  acceptGone,
  look,
  judge,
  isUnchanged,
  leavesOpen,
  lookFirst,
  meet,
  neverSent,
  unknownOutcome,
}
