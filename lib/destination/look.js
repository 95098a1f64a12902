'use strict'

/** What is at the destination, and whether it is the copy: asked where an answer was lost. */

const { XferError, asXferError } = require('../errors')
const { fullCrc32, sameEtag } = require('../integrity')

/** @typedef {import('../types').ObjectHead} ObjectHead */
/** @typedef {import('../types').XferError} Failure */
/** @typedef {{ object?: ObjectHead, denied: boolean }} Found denied: it may not be looked at */

/** @type {Found} */
const UNSEEN = { denied: true }

/** Answers, and no answers, that leave it open what became of a request. */
const OPEN = new Set(['STORE_ERROR', 'STORE_THROTTLED', 'STORE_UNREACHABLE', 'BAD_ANSWER', 'NOT_A_STORE'])
/** Nothing that was sent can have arrived. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

/**
 * @param {{ store: import('../types').Store, key: string }} destination
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<Found>} without the permission to list a missing object is denied too
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

/** Of an object that may be gone: to be asked for with a `catch`. @param {unknown} cause @returns {undefined} */
function acceptGone(cause) {
  if (asXferError(cause).code !== 'NO_SUCH_KEY') throw cause
}

/**
 * What is there, beside what was sent. Another ETag than the expected one says nothing, for not all are made of MD5s.
 *
 * @param {Found} found
 * @param {Found | undefined} before what was there before anything was sent
 * @param {{ bytes: number, crc32?: number, etag: string, summed?: boolean, checked?: boolean }} sent of the whole object; crc32:
 *   absent where it was not computed; etag: what it would be, made of MD5s; summed: its store shows the CRC-32 of what was sent,
 *   so what has none was there before, or is somebody else's; checked: its store is known to check the CRC-32s that it keeps,
 *   where it does not they may be an echo, and tell nothing
 * @returns {'ours' | 'other' | 'unknown'}
 */
function judge({ object, denied }, before, { bytes, crc32, etag, summed = false, checked = false }) {
  if (denied) return 'unknown'
  if (!object || object.bytes !== bytes) return 'other'
  const stored = fullCrc32(object.checksum)
  if (checked && stored !== undefined && crc32 !== undefined) return stored === crc32 ? 'ours' : 'other'
  if (sameEtag(object.etag, etag)) return 'ours'
  return summed || isUnchanged(before, object) ? 'other' : 'unknown'
}

/** Whether nobody has written the key meanwhile. @param {Found | undefined} before @param {ObjectHead} now */
function isUnchanged(before, now) {
  const { object } = before ?? {}
  return object !== undefined && sameEtag(object.etag, now.etag) && object.lastModifiedMs === now.lastModifiedMs
}

/** Whether a control call may have been carried out all the same. @param {Failure} error */
function leavesOpen(error) {
  return OPEN.has(error.code) && !neverSent(error)
}

/** Whether nothing of a request left this machine. @param {Failure} error */
function neverSent({ facts }) {
  return NEVER_SENT.has(facts.reason)
}

/**
 * @param {import('../job/open').Side} destination
 * @param {string} reason the end of a sentence
 * @param {Failure} [cause] the last that was heard
 */
function unknownOutcome({ store, text }, reason, cause) {
  return new XferError('OUTCOME_UNKNOWN', { ...store.facts, location: text, reason }, { cause })
}

module.exports = { UNSEEN, acceptGone, look, judge, isUnchanged, leavesOpen, neverSent, unknownOutcome }
