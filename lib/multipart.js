'use strict'

/** The route `multipart`: create the upload, copy the parts, check them, complete; or abort. */

const { setTimeout: delay } = require('node:timers/promises')
const { XferError, asXferError, factsOfCause } = require('./errors')
const { createMd5Check } = require('./md5')
const { checkParts, checkStored, multipartEtag, sameEtag } = require('./integrity')
const { crc32ToBase64 } = require('./crc32')
const { explainWith } = require('./outcome')
const { runParts } = require('./schedule')
const { findWritten, refreshEtags } = require('./stored-parts')
const { taskMaker } = require('./tasks')

/** @typedef {import('./types').Written} Written */
/** @typedef {import('./types').WriteWork} WriteWork */
/** @typedef {import('./types').Upload} Upload */
/** @typedef {import('./types').TaskSuccess} TaskSuccess */

/** What an abort may take, after Ctrl-C too. */
const ABORT_LIMIT_MS = 15_000

/**
 * With checksums where the store takes them. One that announces them and then refuses a part's gets a new upload
 * without.
 *
 * @param {WriteWork} work
 * @returns {Promise<Written>}
 */
async function writeMultipart(work) {
  try {
    return await upload(work, true)
  } catch (error) {
    if (/** @type {import('./types').XferError} */ (error).code !== 'TRAILER_REFUSED') throw error
    work.restart()
    return await upload(work, false)
  }
}

/** @param {WriteWork} work @param {boolean} checksum @returns {Promise<Written>} */
async function upload(work, checksum) {
  const { job, object } = work
  const { store, key } = job.destination
  const { metadata } = object
  const created = await store.createUpload({ key, metadata, checksum }, { signal: job.signal })
  try {
    const outcomes = await copyParts(work, created)
    const crc32 = checkParts(outcomes, work.plan.parts, object)
    const completed = await complete(work, created, outcomes, crc32)
    return { outcomes, crc32, ...completed }
  } catch (error) {
    throw await abandon(work, created.id, asXferError(error))
  }
}

/** @param {WriteWork} work @param {Upload} created @returns {Promise<TaskSuccess[]>} */
function copyParts({ job, object, plan, concurrency, limits }, { id: uploadId, checksums }) {
  const { source, destination, engine, settings, signal, emit } = job
  const { store, key } = destination
  const compareMd5 = createMd5Check(store.facts, settings.retries)
  let taken = false
  return runParts(plan.parts, {
    sign: taskMaker({
      source,
      object,
      md5: !checksums,
      write: ({ partNumber, bytes }) => store.partRequest({ key, uploadId, partNumber, bytes, checksum: checksums }),
    }),
    run: engine.run,
    explain: explainWith({ source: source.store, destination: store, trailer: () => checksums && !taken }),
    check(outcome, attempt) {
      taken = true
      return compareMd5(outcome, attempt)
    },
    // Without the checksum that was sent along nothing tells what was written.
    ...(checksums && { settle: (parts, signal) => findWritten({ store, key, uploadId, signal }, parts) }),
    limits,
    concurrency,
    partsPerInvocation: settings.partsPerInvocation,
    hedge: true,
    retries: settings.retries,
    signal,
    emit,
  })
}

/**
 * @param {WriteWork} work
 * @param {Upload} created
 * @param {TaskSuccess[]} outcomes
 * @param {number} crc32
 */
async function complete({ job, object }, { id: uploadId, checksums }, outcomes, crc32) {
  const { destination, settings, signal } = job
  const { store, key } = destination
  const options = { signal }
  const input = {
    key,
    uploadId,
    bytes: object.bytes,
    ifNoneMatch: !settings.clobber,
    ...(checksums && { crc32 }),
  }
  const place = { store, key, uploadId, signal }
  let stored = outcomes
  const completion = completeWith(stored).catch(async error => {
    const refreshed =
      error.facts?.storeCode === 'InvalidPart' ? await refreshEtags(place, outcomes).catch(() => undefined) : undefined
    if (!refreshed) throw error
    stored = refreshed
    return await completeWith(stored)
  })
  const completed = await completion.catch(async error => {
    // A completion that was repeated finds the upload gone, or its own object in the way, when it was the answer that
    // got lost.
    const settle = error.code === 'UPLOAD_GONE' || error.code === 'DESTINATION_EXISTS'
    const found = settle ? await store.head(key, options).catch(() => undefined) : undefined
    if (found && found.bytes === object.bytes && isOurs(found, stored, crc32)) return found
    throw error
  })
  /** @param {TaskSuccess[]} written */
  function completeWith(written) {
    const parts = written.map(({ partNumber, etag, bytes, crc32 }) => ({ partNumber, etag, bytes, crc32 }))
    return store.completeUpload({ ...input, parts }, options)
  }
  const { etag, versionId, checksum } = completed
  const sent = { bytes: object.bytes, crc32 }
  checkStored({ checksum }, sent)
  if (etag !== '' && checksum) return { etag, versionId, storedCrc32: fullObject(checksum) }
  // Some answer without the ETag or the checksum, and keep them all the same; others keep none, and the size is told.
  const head = await store.head(key, options).catch(() => undefined)
  if (etag === '' && !head) {
    throw new XferError('BAD_ANSWER', { ...store.facts, reason: 'it completed the upload, and shows no object' })
  }
  if (!head || (etag !== '' && !sameEtag(head.etag, etag))) return { etag, versionId, storedCrc32: undefined }
  checkStored(head, sent)
  return { etag: head.etag, versionId, storedCrc32: fullObject(head.checksum) }
}

/** @param {{ crc32: string, type: string } | undefined} checksum */
function fullObject(checksum) {
  return checksum?.type === 'FULL_OBJECT' ? checksum.crc32 : undefined
}

/** @param {import('./types').ObjectHead} found @param {TaskSuccess[]} outcomes @param {number} crc32 */
function isOurs(found, outcomes, crc32) {
  return fullObject(found.checksum) === crc32ToBase64(crc32) || sameEtag(found.etag, multipartEtag(outcomes))
}

/**
 * Aborts until no part is left: one that was on its way can land after the abort.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 *
 * @param {WriteWork} work
 * @param {string} uploadId
 * @param {import('./types').XferError} error why
 * @returns {Promise<import('./types').XferError>} the same, or one that says what could not be cleared away
 */
async function abandon({ job }, uploadId, error) {
  const { store, key, text } = job.destination
  const options = { signal: AbortSignal.timeout(ABORT_LIMIT_MS) }
  const gone = (/** @type {import('./types').XferError} */ { code }) => code === 'UPLOAD_GONE' || code === 'NO_SUCH_KEY'
  try {
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
      await store.abortUpload({ key, uploadId }, options)
      const { parts } = await store.listParts({ key, uploadId }, options).catch(denied => {
        // Who may abort and not list has done what can be done.
        if (denied.code !== 'ACCESS_DENIED') throw denied
        return { parts: [] }
      })
      if (parts.length === 0) return error
      await delay(waitMs, undefined, options)
    }
  } catch (cause) {
    if (gone(asXferError(cause))) return error
    return new XferError('UPLOAD_LEFT', { ...factsOfCause(error), uploadId, location: text }, { cause: error })
  }
}

module.exports = { writeMultipart }
