'use strict'

/** The route `multipart`: create the upload, copy the parts, check them, complete; or abort. */

const { XferError, asXferError, factsOfCause } = require('./errors')
const { createMd5Check } = require('./md5')
const { complete } = require('./complete')
const { checkParts } = require('./integrity')
const { explainWith } = require('./outcome')
const { runParts } = require('./schedule')
const { findWritten } = require('./stored-parts')
const { taskMaker } = require('./tasks')
const { abortUntilGone } = require('./uploads')

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
 * @param {string} uploadId
 * @param {import('./types').XferError} error why
 * @returns {Promise<import('./types').XferError>} the same, or one that says what could not be cleared away
 */
async function abandon({ job }, uploadId, error) {
  const { store, key, text } = job.destination
  try {
    await abortUntilGone(store, key, uploadId, AbortSignal.timeout(ABORT_LIMIT_MS))
    return error
  } catch {
    return new XferError('UPLOAD_LEFT', { ...factsOfCause(error), uploadId, location: text }, { cause: error })
  }
}

module.exports = { writeMultipart }
