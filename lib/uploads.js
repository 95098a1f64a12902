'use strict'

/** Multipart uploads that nobody will complete. */

const { setTimeout: delay } = require('node:timers/promises')
const { abortReason } = require('./errors')
const { neverSent } = require('./settle')

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000
/** How old an upload may look that was created just now: its store's clock is known to minutes. */
const CLOCK_SLACK_MS = 2 * 60_000
/** Within which a call to create an upload has ended, however often it was repeated. */
const CREATION_MS = 15 * 60_000

/** @typedef {import('./types').Store} Store */

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

/** Whether an upload may be there, though none was told. @param {import('./types').XferError} error */
function mayHaveCreated(error) {
  const { code, exitCode } = error
  const refused = code === 'STORE_REFUSED' || exitCode === 3 || exitCode === 4
  return !refused && !neverSent(error)
}

/** Who may abort and not list has done what can be done. @param {import('./types').XferError} error @returns {{ parts: [] }} */
function acceptDenial(error) {
  if (error.code !== 'ACCESS_DENIED') throw error
  return { parts: [] }
}

/** Somebody has ended it since it was listed. @param {import('./types').XferError} error @returns {{ parts?: undefined }} */
function acceptGone(error) {
  if (!isGone(error)) throw error
  return {}
}

/**
 * Aborts uploads whose creation succeeded and whose answer was lost: of the same key, created at about that time, without
 * a part, and known to nobody. Who may not list uploads can't, and leaves them.
 *
 * @param {{ store: Store, key: string, createdMs: number, known: Set<string>, signal?: AbortSignal }} lost createdMs: by the store's
 *   clock; known: the ids of uploads that somebody knows
 */
async function clearOrphans({ store, key, createdMs, known, signal }) {
  for await (const { id, initiatedMs } of uploadsOf({ store, key, signal })) {
    if (known.has(id) || initiatedMs === undefined) continue
    if (initiatedMs < createdMs - CLOCK_SLACK_MS || initiatedMs > createdMs + CREATION_MS) continue
    const { parts } = await store.listParts({ key, uploadId: id, most: 1 }, { signal }).catch(acceptGone)
    if (parts?.length === 0) await abortUntilGone(store, key, id, signal)
  }
}

/** Of one key, all pages. @param {{ store: Store, key: string, signal?: AbortSignal }} place */
async function* uploadsOf({ store, key, signal }) {
  /** @type {{ key: string, id: string } | undefined} */
  let marker
  do {
    /** @type {Awaited<ReturnType<Store['listUploads']>>} */
    const { uploads, next } = await store.listUploads({ prefix: key, marker }, { signal })
    for (const upload of uploads) if (upload.key === key) yield upload
    // Keys come in order: behind the first page there may be longer ones alone, and a store that does not move on.
    marker = next !== undefined && next.key === key && next.id !== marker?.id ? next : undefined
  } while (marker !== undefined)
}

module.exports = { abortUntilGone, clearOrphans, isGone, mayHaveCreated }
