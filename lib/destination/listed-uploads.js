'use strict'

/** Lists the multipart uploads of a container, also on stores with peculiar lists. */

const { XferError } = require('../errors')
const { notice } = require('../notices')
const { acceptUnlisted, uploadsOf } = require('./uploads')

/** @typedef {import('../types').Store} Store */
/** @typedef {import('../types').StoredUpload} StoredUpload */
/** @typedef {{ uploads: StoredUpload[], next?: { key: string, id?: string } }} Page */

/**
 * Yields every upload below a prefix, once.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 *
 * @param {Store} store
 * @param {string} prefix of keys
 * @param {AbortSignal} [signal]
 * @throws {import('../types').XferError}
 */
async function* listUploads(store, prefix, signal) {
  let found = false
  for await (const upload of listPages(store, prefix, signal)) {
    // Some stores ignore the prefix.
    if (!upload.key.startsWith(prefix)) continue
    found = true
    yield upload
  }
  if (found || prefix === '' || store.can.listsUploadsByPrefix) return
  // Some stores (MinIO) list the uploads of an exact key or of the whole container, but none for a partial key.
  try {
    for await (const upload of listPages(store, '', signal)) if (upload.key.startsWith(prefix)) yield upload
  } catch (error) {
    // These credentials may list only that prefix, which had no uploads.
    if (/** @type {import('../types').XferError} */ (error).code !== 'ACCESS_DENIED') throw error
  }
}

/** @param {Store} store @param {string} prefix @param {AbortSignal} [signal] */
async function* listPages(store, prefix, signal) {
  /** Some stores list an upload twice, on two pages. @type {Set<string>} */
  const seen = new Set()
  /** @type {Page['next']} */
  let marker
  do {
    const { uploads, next } = await askPage(store, prefix, marker, signal)
    const fresh = uploads.filter(({ key, id }) => !seen.has(`${id} ${key}`))
    if (next !== undefined && fresh.length === 0) {
      throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'its listing of uploads does not move on' })
    }
    for (const { key, id } of fresh) seen.add(`${id} ${key}`)
    yield* fresh
    marker = next
  } while (marker !== undefined)
}

/**
 * @param {Store} store
 * @param {string} prefix
 * @param {Page['next']} marker
 * @param {AbortSignal} [signal]
 * @returns {Promise<Page>}
 */
async function askPage(store, prefix, marker, signal) {
  const options = { signal }
  try {
    return await store.upload.pending({ prefix, marker }, options)
  } catch (cause) {
    const error = /** @type {import('../types').XferError} */ (cause)
    if (error.code !== 'STORE_REFUSED' || marker?.id === undefined) throw explainRefusal(error)
    // versitygw refuses the upload id that it returned as a marker. The key alone as a marker could skip uploads of that key.
    const { key } = marker
    const lists = [{ prefix: key }, { prefix, marker: { key } }].map(list => store.upload.pending(list, options))
    const [same, rest] = await Promise.all(lists)
    return { uploads: [...same.uploads, ...rest.uploads], next: rest.next }
  }
}

/** @param {import('../types').XferError} error @returns {import('../types').XferError} */
function explainRefusal(error) {
  const { code, facts } = error
  if (code === 'ACCESS_DENIED') {
    const advice = `The credentials need ${facts.needsToClear}.`
    return new XferError(code, { ...facts, advice }, { cause: error })
  }
  if (code === 'STORE_REFUSED' || facts.noSuchKey) {
    const reason = `it does not list the multipart uploads of a ${facts.terms?.container ?? 'container'}`
    return new XferError('STORE_REFUSED', { ...facts, reason }, { cause: error })
  }
  return error
}

/** How old a new upload may look: the store's clock is known only to within minutes. */
const CLOCK_SLACK_MS = 2 * 60_000
/** The longest time that creating an upload takes, retries included. */
const CREATION_MS = 15 * 60_000

/**
 * Lost uploads: the answer to the creation of an upload was lost, and with it the upload id. Such an upload is reported, not
 * aborted. A list of uploads shows only when and by whom each was created, and another program with the same credentials may
 * create one for the same key in the same second. Aborting that one would end its copy. An upload without parts costs nothing.
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
  // A job looks more than once, and tells each notice once.
  for (const uploadId of found ?? [undefined]) emit(notice('LOST_UPLOAD', { location: text, uploadId }))
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

module.exports = { findLost, listUploads, reportLost }
