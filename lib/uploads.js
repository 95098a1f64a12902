'use strict'

/** Multipart uploads that nobody will complete. */

const { setTimeout: delay } = require('node:timers/promises')
const { abortReason } = require('./errors')

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000

/**
 * Aborts an upload until no part of it is left: one that was on its way can land after the abort.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 *
 * @param {Pick<import('./types').Store, 'abortUpload' | 'listParts'>} store
 * @param {string} key
 * @param {string} uploadId
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} whether it was there; false where somebody had completed or aborted it
 * @throws {import('./types').XferError} what the store says, or the signal's reason: it may be there still
 */
async function abortUntilGone(store, key, uploadId, signal) {
  const upload = { key, uploadId }
  for (let waitMs = FIRST_WAIT_MS, found = false; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      await store.abortUpload(upload, { signal })
      found = true
      const { parts } = await store.listParts({ ...upload, most: 1 }, { signal }).catch(acceptDenial)
      if (parts.length === 0) return true
    } catch (error) {
      if (isGone(/** @type {import('./types').XferError} */ (error))) return found
      throw error
    }
    await delay(waitMs, undefined, { signal }).catch(error => {
      throw signal ? abortReason(signal) : error
    })
  }
}

/** Older Ceph names the key where it means the upload. @param {import('./types').XferError} error */
function isGone({ code }) {
  return code === 'UPLOAD_GONE' || code === 'NO_SUCH_KEY'
}

/** Who may abort and not list has done what can be done. @param {import('./types').XferError} error @returns {{ parts: [] }} */
function acceptDenial(error) {
  if (error.code !== 'ACCESS_DENIED') throw error
  return { parts: [] }
}

module.exports = { abortUntilGone }
