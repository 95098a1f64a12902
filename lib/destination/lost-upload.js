'use strict'

/**
 * Lost uploads: the answer to the creation of an upload was lost, and with it the upload id. Such an upload is reported, not
 * aborted. A list of uploads shows only when and by whom each was created, and another program with the same credentials may
 * create one for the same key in the same second. Aborting that one would end its copy. An upload without parts costs nothing.
 */

const { notice } = require('../notices')
const { acceptUnlisted, uploadsOf } = require('./uploads')

/** How old a new upload may look: the store's clock is known only to within minutes. */
const CLOCK_SLACK_MS = 2 * 60_000
/** The longest time that creating an upload takes, retries included. */
const CREATION_MS = 15 * 60_000

/** @typedef {import('../types').Store} Store */

/** What was reported already: a job looks more than once. @type {WeakMap<import('../types').Store, Set<string>>} */
const reported = new WeakMap()

/**
 * Looks for a lost upload, and reports each upload that may be it.
 *
 * @param {object} job
 * @param {{ store: import('../types').Store, key: string, text: string }} job.destination
 * @param {{ journal: Pick<import('../types').JobJournal, 'uploads'>, emit: (event: import('../types').Notice) => void }} job.run
 * @param {{ createdMs: number, ours?: string[], signal?: AbortSignal }} lost createdMs: when its creation was requested, by the
 *   store's clock; ours: ids of our uploads that the journal does not have yet
 * @throws {import('../types').XferError} the store's error, if a retry may help
 */
async function reportLost({ destination, run: { journal, emit } }, { createdMs, ours = [], signal }) {
  const { store, key, text } = destination
  const known = new Set(await journal.uploads())
  const found = await findLost({ store, key, createdMs, known, ours, signal }).catch(error => {
    // Nothing more can be done if the credentials may not list uploads, or the store cannot.
    if (error.code !== 'ACCESS_DENIED' && error.code !== 'STORE_REFUSED') throw error
    return undefined
  })
  const seen = reported.get(store) ?? new Set()
  reported.set(store, seen)
  if (found === undefined && !seen.has(text)) emit(notice('LOST_UPLOAD', { location: text }))
  seen.add(found === undefined ? text : '')
  for (const id of found ?? []) {
    if (!seen.has(id)) emit(notice('LOST_UPLOAD', { location: text, uploadId: id }))
    seen.add(id)
  }
}

/**
 * Finds uploads that may come from a creation whose answer was lost: unknown uploads of the key, without parts, created at
 * that time and, if the store lists initiators, by the same one.
 *
 * @param {object} lost
 * @param {Store} lost.store
 * @param {string} lost.key
 * @param {number} lost.createdMs when the creation was requested, by the store's clock
 * @param {Set<string>} lost.known ids of known uploads
 * @param {string[]} [lost.ours] ids of uploads created with the same credentials
 * @param {AbortSignal} [lost.signal]
 * @returns {Promise<string[]>} ids of the candidates: nothing shows which of them is the lost one, if any
 * @throws {import('../types').XferError} ACCESS_DENIED, STORE_REFUSED if uploads cannot be listed; any other error of the store
 */
async function findLost({ store, key, createdMs, known, ours = [], signal }) {
  // Where parts lapse, an upload without parts is nothing that is there.
  if (store.upload.lapse) return []
  /** @type {import('../types').StoredUpload[]} */
  const listed = []
  for await (const upload of uploadsOf({ store, key, signal })) listed.push(upload)
  const us = listed.find(({ id }) => ours.includes(id))?.initiator
  const found = []
  for (const { id, initiatedMs = createdMs, initiator } of listed) {
    if (known.has(id) || ours.includes(id)) continue
    if (us !== undefined && initiator !== undefined && initiator !== us) continue
    if (initiatedMs < createdMs - CLOCK_SLACK_MS || initiatedMs > createdMs + CREATION_MS) continue
    const { parts } = await store.upload.parts({ key, uploadId: id, most: 1 }, { signal }).catch(acceptUnlisted)
    if (parts?.length === 0) found.push(id)
  }
  return found
}

module.exports = { findLost, reportLost }
