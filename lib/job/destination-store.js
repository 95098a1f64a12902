'use strict'

/** The destination's store for commands that copy nothing, such as abort and clean. */

const { XferError } = require('../errors')
const { openStore, resolveSettings, withRetry } = require('../stores')
const { abortUntilGone } = require('../destination')
const { withoutFixed } = require('../options')

/** @typedef {import('../types').Store} Store */

const RETRIES = 3
/** By then the parts in flight have arrived. */
const ABORT_LIMIT_MS = 5 * 60_000

/**
 * @param {import('../types').Place} place
 * @param {import('../types').SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ store: Store, settings: import('../types').StoreSettings }>}
 * @throws {XferError} USAGE, BAD_CREDENTIALS
 */
async function openDestination(place, options, env) {
  // These commands only find and abort uploads, whatever they were created with.
  const settings = await resolveSettings(place, 'destination', withoutFixed(options), env)
  const store = openStore(place, settings)
  return { store: withRetry(store, { retries: RETRIES }), settings }
}

/**
 * Aborts an upload until no part of it is left, within a time limit.
 *
 * @param {Store} store
 * @param {{ key: string, uploadId: string }} upload
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<'aborted' | 'gone' | 'lapses'>}
 * @throws {XferError}
 */
async function abortUpload(store, { key, uploadId }, signal) {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(stubborn(store, uploadId)), ABORT_LIMIT_MS)
  try {
    const signals = signal ? [signal, limit.signal] : [limit.signal]
    return await abortUntilGone(store, key, uploadId, AbortSignal.any(signals))
  } finally {
    clearTimeout(timer)
  }
}

/** @param {Store} store @param {string} uploadId */
function stubborn({ facts }, uploadId) {
  const reason = `The destination lists parts of an upload that was aborted for ${ABORT_LIMIT_MS / 60_000} minutes.`
  const advice = 'Look for another process that still writes to it.'
  return new XferError('UPLOAD_LEFT', { ...facts, reason, advice, uploadId })
}

module.exports = { openDestination, abortUpload }
