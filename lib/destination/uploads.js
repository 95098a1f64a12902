'use strict'

/** Aborts multipart uploads that will not be completed. Parts that no call aborts stay unseen until their store removes them. */

const { pause } = require('../async')
const { notice } = require('../notices')
const { asXferError, unlessDenied } = require('../errors')
const { neverSent } = require('./conditions')
const { uploadsOf, listStored } = require('./resumable')

/** @typedef {import('../types').Store} Store */

/**
 * Facts for people of such parts.
 *
 * @param {Store} store
 * @param {{ parts?: number, lastMs?: number }} found parts: how many; lastMs: when the last one was written, by the store's clock;
 *   both if known
 * @returns {{ part: string, words: string, parts?: number, lapsesMs?: number }} words: a clause
 */
function lapseOf({ upload: { lapse }, facts }, { parts, lastMs }) {
  const { afterMs, words } = /** @type {import('../types').Lapse} */ (lapse)
  return {
    part: facts.terms?.part ?? 'part',
    words,
    ...(parts !== undefined && { parts }),
    ...(lastMs !== undefined && { lapsesMs: lastMs + afterMs }),
  }
}

/**
 * What becomes of the parts that a job has uploaded.
 *
 * @param {{ store: Store, text: string }} destination
 * @param {number} parts how many the job knows of
 * @param {(event: import('../types').Notice) => void} emit
 */
function tellLapse({ store, text }, parts, emit) {
  if (parts > 0) emit(notice('PARTS_LAPSE', { location: text, ...lapseOf(store, { parts, lastMs: store.now() }) }))
}

/**
 * How many parts of an upload the store has. A killed job has parts that its journal does not know.
 *
 * @param {Store} store
 * @param {{ key: string, uploadId: string }} upload
 * @param {number} known by the journal: the answer, if the store does not say
 * @param {AbortSignal} [signal]
 * @returns {Promise<number>}
 */
async function countParts(store, upload, known, signal) {
  return await listStored({ store, ...upload, signal }).then(
    stored => new Set(stored.map(({ etag }) => etag)).size,
    () => known,
  )
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000
/** Of the key under which a canary has its upload: there are servers (S3Mock) where an abort deletes the object of the key. */
const CANARY = '.xfer-canary'
/** How long an abort may take, also after Ctrl-C. */
const ABORT_LIMIT_MS = 15_000
/** At the end of `--timeout` so much of that time: a run of three seconds is not kept for half a minute; */
const ABORT_SHARE = 1 / 10
/** but some requests have to fit. */
const LEAST_ABORT_MS = 1_000

/** @param {{ cancel?: AbortSignal }} run @returns {number} how long an abort may take now, in milliseconds */
function abortLimitMs({ cancel }) {
  const { code, facts } = cancel?.reason ?? {}
  if (code !== 'TIMED_OUT') return ABORT_LIMIT_MS
  return Math.min(ABORT_LIMIT_MS, Math.max(LEAST_ABORT_MS, facts.afterMs * ABORT_SHARE))
}

/** @typedef {import('../types').LeftUpload} LeftUpload */

/** The key of an upload of an object. @param {string} key of the object @param {{ canary?: true }} upload */
function keyOfUpload(key, { canary }) {
  return canary ? key + CANARY : key
}

/**
 * The uploads of an object that may still exist.
 *
 * @param {string} key of the object
 * @param {Pick<import('../types').ObjectState, 'left' | 'upload'>} state
 * @returns {Array<{ key: string, uploadId: string }>}
 */
function uploadsLeft(key, { left, upload }) {
  const all = [...left, ...(upload ? [{ id: upload.id }] : [])]
  return all.map(one => ({ key: keyOfUpload(key, one), uploadId: one.id }))
}

/**
 * Aborts an upload, again and again until no part of it is left: a part in flight can arrive after the abort. On a store
 * without such a call it does nothing. Without an id, it aborts those of the key that have no parts: only canaries have such a
 * key.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 *
 * @param {{ upload: Pick<import('../types').MultipartUpload, 'abort' | 'parts'> }} store
 * @param {string} key
 * @param {string} uploadId
 * @param {AbortSignal} [signal]
 * @returns {Promise<'aborted' | 'gone' | 'lapses'>} gone: it had already been completed or aborted; lapses: its parts stay until
 *   the store removes them
 * @throws {import('../types').XferError} the store's error, or the signal's reason: the upload may still exist
 */
async function abortUntilGone(store, key, uploadId, signal) {
  const upload = { key, uploadId }
  if (!store.upload.abort) return 'lapses'
  if (uploadId === '') return await abortWithoutParts(/** @type {Store} */ (store), key, signal)
  for (let waitMs = FIRST_WAIT_MS, found = false; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      await store.upload.abort(upload, { signal })
      found = true
    } catch (error) {
      if (isGone(/** @type {import('../types').XferError} */ (error))) return found ? 'aborted' : 'gone'
      throw error
    }
    if (!(await hasParts(store, upload, signal))) return 'aborted'
    await pause(waitMs, signal)
  }
}

/**
 * Aborts an upload that the job does not need any more. If the credentials do not allow that, emits a notice and keeps the
 * upload in the journal, so that other credentials can abort it later. A notice also says it if the parts stay for a while.
 *
 * @param {object} job
 * @param {{ store: Store, key: string, text: string }} job.destination
 * @param {{ journal: Pick<import('../types').JobJournal, 'write' | 'state'>, emit: (event: import('../types').Notice) => void }} job.run
 * @param {LeftUpload} upload
 * @param {AbortSignal} [signal]
 * @throws {import('../types').XferError} any other error of the store, or the signal's reason: the upload may still exist
 */
async function abortOwnUpload({ destination: { store, key, text }, run: { journal, emit } }, { id, canary }, signal) {
  const outcome = await abortUntilGone(store, keyOfUpload(key, { canary }), id, signal).catch(acceptDenial)
  if (outcome === 'lapses') tellLapse({ store, text }, journal.state.parts.size, emit)
  await journal.write({ type: 'gone', upload: id })
  if (outcome) return
  await journal.write({ type: 'left', upload: id, ...(canary && { canary }) })
  emit(notice('UPLOAD_NOT_ABORTED', { uploadId: id || undefined, location: text }))
}

/**
 * Creates an upload that is never completed, to find something out by it. Afterwards it is aborted, and so is what a creation without
 * an answer left under this key.
 *
 * @template T
 * @param {object} at
 * @param {Store} at.store control calls are retried
 * @param {string} at.key a name that no object has
 * @param {boolean} at.checksum whether it is to take parts with checksums; without, it gets no parts, and one call aborts it
 * @param {Pick<import('../types').JobJournal, 'write'>} [at.journal] of the copy whose canary it is
 * @param {(event: import('../types').Notice) => void} at.emit
 * @param {AbortSignal} [at.signal] does not keep the upload from being aborted
 * @param {(created: Awaited<ReturnType<Store['upload']['create']>>) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function tryUpload({ store, key, checksum, journal, emit, signal }, use) {
  let uploadId = ''
  /** A creation may have happened whose answer did not come. */
  let lost = false
  /** @param {import('../types').XferError} error */
  const onRetry = error => {
    lost ||= mayHaveCreated(error)
  }
  async function end() {
    const limit = AbortSignal.timeout(abortLimitMs({ cancel: signal }))
    if (uploadId !== '') {
      if (checksum) await abortUntilGone(store, key, uploadId, limit)
      else await store.upload.abort?.({ key, uploadId }, { signal: limit })
      await journal?.write({ type: 'gone', upload: uploadId })
    }
    if (lost) await abortUntilGone(store, key, '', limit)
    await journal?.write({ type: 'gone', upload: '' })
  }
  try {
    await journal?.write({ type: 'left', upload: '', canary: true })
    const attributes = { metadata: { headers: {}, user: {} } }
    const created = await store.upload.create({ key, attributes, checksum }, { signal, onRetry }).catch(error => {
      onRetry(error)
      throw error
    })
    uploadId = created.id
    await journal?.write({ type: 'left', upload: uploadId, canary: true })
    return await use(created)
  } finally {
    await end().catch(cause => {
      const reason = asXferError(cause).message
      emit(notice('UPLOAD_NOT_ABORTED', { uploadId: uploadId || undefined, reason }))
    })
  }
}

/**
 * @param {Store} store
 * @param {string} key
 * @param {AbortSignal} [signal]
 * @returns {Promise<'aborted' | 'gone'>} gone as well: the store lists no uploads, so nothing finds it
 */
async function abortWithoutParts(store, key, signal) {
  const found = await uploadsOf({ store, key, signal }).catch(error => {
    if (error.code !== 'STORE_REFUSED') throw error
    return []
  })
  for (const { id } of found) {
    if ((await hasParts(store, { key, uploadId: id }, signal)) === false) await abortUntilGone(store, key, id, signal)
  }
  return found.length > 0 ? 'aborted' : 'gone'
}

/** Whether the upload does not exist. Older Ceph answers NO_SUCH_KEY for it. @param {import('../types').XferError} error */
function isGone({ code }) {
  return code === 'UPLOAD_GONE' || code === 'NO_SUCH_KEY'
}

/** Whether a failed creation may have created an upload. @param {import('../types').XferError} error */
function mayHaveCreated(error) {
  const { code, exitCode } = error
  const refused = code === 'STORE_REFUSED' || exitCode === 3 || exitCode === 4
  return !refused && !neverSent(error)
}

/** @param {import('../types').XferError} error @returns {undefined} */
function acceptDenial(error) {
  if (error.code !== 'ACCESS_DENIED') throw error
}

/**
 * With credentials that may abort but not list, nothing more can be done: none is seen.
 *
 * @param {{ upload: Pick<import('../types').MultipartUpload, 'parts'> }} store
 * @param {{ key: string, uploadId: string }} upload
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean | undefined>} undefined: the upload is gone
 */
async function hasParts(store, upload, signal) {
  try {
    const { parts } = await store.upload.parts({ ...upload, most: 1 }, { signal })
    return parts.length > 0
  } catch (cause) {
    const error = /** @type {import('../types').XferError} */ (cause)
    return isGone(error) ? undefined : (acceptDenial(error) ?? false)
  }
}

/**
 * Ends what earlier runs left of an object that nobody goes on with: aborts its uploads, and reports one whose creation was not
 * answered.
 *
 * @param {Parameters<typeof reportLost>[0]} job of the object
 * @param {Pick<import('../types').ObjectState, 'left' | 'upload' | 'creatingMs' | 'parts'>} object
 * @param {AbortSignal | undefined} signal
 * @param {(error: unknown) => void} [onRefusal] what to do about an upload that cannot be aborted; it may throw, as it does when absent
 * @throws {import('../types').XferError} the store's error: the uploads may still exist
 */
async function abortLeft({ destination, run }, { creatingMs, parts, ...uploads }, signal, onRefusal) {
  const { store, key } = destination
  for (const left of uploadsLeft(key, uploads)) {
    const outcome = await abortUntilGone(store, left.key, left.uploadId, signal).catch(onRefusal)
    if (outcome === 'lapses') tellLapse(destination, parts.size, run.emit)
  }
  if (creatingMs !== undefined) await reportLost({ destination, run }, { createdMs: creatingMs, signal })
}

/**
 * Reports an upload whose creation an earlier run requested without receiving its id.
 *
 * @param {Pick<import('../job/open').Job, 'destination' | 'run'>} job of the object
 * @param {string[]} [ours] ids of our uploads that the journal does not have yet
 */
async function clearCreating({ destination, run }, ours) {
  const { journal, cancel: signal } = run
  const { creatingMs } = journal.state
  if (creatingMs === undefined) return
  await reportLost({ destination, run }, { createdMs: creatingMs, ours, signal })
  await journal.write({ type: 'cleared' })
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
  // Nothing more can be done if the credentials may not list uploads, or the store cannot.
  const found = await findLost({ store, key, createdMs, known, ours, signal }).catch(unlessDenied)
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
  const listed = await uploadsOf({ store, key, signal })
  const us = listed.find(({ id }) => ours.includes(id))?.initiator
  const found = []
  for (const { id, initiatedMs = createdMs, initiator } of listed) {
    if (known.has(id) || ours.includes(id)) continue
    if (us !== undefined && initiator !== undefined && initiator !== us) continue
    if (initiatedMs < createdMs - CLOCK_SLACK_MS || initiatedMs > createdMs + CREATION_MS) continue
    if ((await hasParts(store, { key, uploadId: id }, signal)) === false) found.push(id)
  }
  return found
}

module.exports = {
  ABORT_LIMIT_MS,
  abortLimitMs,
  abortLeft,
  abortOwnUpload,
  abortUntilGone,
  clearCreating,
  countParts,
  findLost,
  isGone,
  keyOfUpload,
  lapseOf,
  mayHaveCreated,
  reportLost,
  tellLapse,
  tryUpload,
  uploadsLeft,
}
