'use strict'

/** Multipart uploads that nobody will complete. */

const { setTimeout: delay } = require('node:timers/promises')
const { abortReason, asXferError } = require('../errors')
const { notice } = require('../notices')
const { neverSent } = require('./look')

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000
/** What an abort may take, after Ctrl-C too. */
const ABORT_LIMIT_MS = 15_000
/** How old an upload may look that was created just now: its store's clock is known to minutes. */
const CLOCK_SLACK_MS = 2 * 60_000
/** Within which a call to create an upload has ended, however often it was repeated. */
const CREATION_MS = 15 * 60_000

/** @typedef {import('../types').Store} Store */

/**
 * Aborts an upload until no part of it is left: one that was on its way can land after the abort.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 *
 * @param {Pick<import('../types').Store, 'abortUpload' | 'listParts'>} store
 * @param {string} key
 * @param {string} uploadId
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} whether it was there; false where somebody had completed or aborted it
 * @throws {import('../types').XferError} what the store says, or the signal's reason: it may be there still
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
      if (isGone(/** @type {import('../types').XferError} */ (error))) return found
      throw error
    }
    await delay(waitMs, undefined, { signal }).catch(error => {
      throw signal ? abortReason(signal) : error
    })
  }
}

/**
 * Gives up an upload of a job that goes on without it. Where it may not be aborted it is told, and stays the job's, for whoever
 * may abort it.
 *
 * @param {object} job
 * @param {{ store: Store, key: string, text: string }} job.destination
 * @param {{ journal: Pick<import('../types').JobJournal, 'write'>, emit: (event: import('../types').Notice) => void }} job.run
 * @param {string} uploadId
 * @param {AbortSignal} [signal]
 * @throws {import('../types').XferError} what else the store says, or the signal's reason: it may be there still
 */
async function giveUpUpload({ destination: { store, key, text }, run: { journal, emit } }, uploadId, signal) {
  const denied = await abortUntilGone(store, key, uploadId, signal).then(() => false, unlessDenied)
  await journal.write({ type: 'gone', upload: uploadId })
  if (!denied) return
  await journal.write({ type: 'left', upload: uploadId })
  emit(notice('UPLOAD_NOT_ABORTED', { uploadId, location: text }))
}

/** @param {unknown} cause @returns {true} */
function unlessDenied(cause) {
  const error = asXferError(cause)
  if (error.code !== 'ACCESS_DENIED') throw error
  return true
}

/** Older Ceph names the key where it means the upload. @param {import('../types').XferError} error */
function isGone({ code }) {
  return code === 'UPLOAD_GONE' || code === 'NO_SUCH_KEY'
}

/** Whether an upload may be there, though none was told. @param {import('../types').XferError} error */
function mayHaveCreated(error) {
  const { code, exitCode } = error
  const refused = code === 'STORE_REFUSED' || exitCode === 3 || exitCode === 4
  return !refused && !neverSent(error)
}

/** Who may abort and not list has done what can be done. @param {import('../types').XferError} error @returns {{ parts: [] }} */
function acceptDenial(error) {
  if (error.code !== 'ACCESS_DENIED') throw error
  return { parts: [] }
}

/**
 * Uploads that may be of a creation whose answer was lost: of the same key, without a part, known to nobody, and neither
 * begun at another time nor, where the store tells by whom, by somebody else.
 *
 * @param {object} lost
 * @param {Store} lost.store
 * @param {string} lost.key
 * @param {number} lost.createdMs by the store's clock
 * @param {Set<string>} lost.known ids of uploads that somebody knows
 * @param {string[]} [lost.ours] ids of uploads that were begun with the same credentials
 * @param {AbortSignal} [lost.signal]
 * @returns {Promise<string[]>} ids: which of them it is, if any, nothing tells
 * @throws {import('../types').XferError} ACCESS_DENIED, STORE_REFUSED where they cannot be listed; what else the store says
 */
async function findLost({ store, key, createdMs, known, ours = [], signal }) {
  /** @type {import('../types').StoredUpload[]} */
  const listed = []
  for await (const upload of uploadsOf({ store, key, signal })) listed.push(upload)
  const us = listed.find(({ id }) => ours.includes(id))?.initiator
  const found = []
  for (const { id, initiatedMs = createdMs, initiator } of listed) {
    if (known.has(id) || ours.includes(id)) continue
    if (us !== undefined && initiator !== undefined && initiator !== us) continue
    if (initiatedMs < createdMs - CLOCK_SLACK_MS || initiatedMs > createdMs + CREATION_MS) continue
    const { parts } = await store.listParts({ key, uploadId: id, most: 1 }, { signal }).catch(acceptUnlisted)
    if (parts?.length === 0) found.push(id)
  }
  return found
}

/** @param {import('../types').XferError} error @returns {{ parts?: [] }} without parts, as far as is known; nothing where somebody has ended it */
function acceptUnlisted(error) {
  return isGone(error) ? {} : acceptDenial(error)
}

/** Of one key, all pages. @param {{ store: Store, key: string, signal?: AbortSignal }} place */
async function* uploadsOf({ store, key, signal }) {
  /** @type {{ key: string, id?: string } | undefined} */
  let marker
  do {
    /** @type {Awaited<ReturnType<Store['listUploads']>>} */
    const { uploads, next } = await store.listUploads({ prefix: key, marker }, { signal })
    for (const upload of uploads) if (upload.key === key) yield upload
    // Keys come in order: behind the first page there may be longer ones alone, and a store that does not move on.
    marker = next !== undefined && next.key === key && next.id !== marker?.id ? next : undefined
  } while (marker !== undefined)
}

module.exports = { ABORT_LIMIT_MS, abortUntilGone, findLost, giveUpUpload, isGone, mayHaveCreated }
