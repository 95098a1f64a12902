'use strict'

/** What happens to an upload when its copy ends early. */

const { XferError, factsOfCause } = require('../../errors')
const { ABORT_LIMIT_MS, abortUntilGone, tellLapse } = require('../../destination')

/** @typedef {import('../../types').WriteWork} WriteWork */

/** How long to wait for detached invocations after the upload is gone. */
const DETACHED_LIMIT_MS = 5_000

/**
 * Whether any part was sent more than once: an abandoned request may still arrive.
 *
 * @param {import('../../job/open').Run['emit']} emit
 */
function watchTwins(emit) {
  let seen = false
  return {
    twice: () => seen,
    /** @type {typeof emit} */
    emit(event) {
      seen ||= event.type === 'hedge' || event.type === 'retry'
      emit(event)
    },
  }
}

/**
 * Keeps the parts of a copy that ends early if the job can be resumed, otherwise aborts the upload.
 *
 * @param {WriteWork} work
 * @param {string} uploadId
 * @param {import('../../types').DetachedCalls} detached
 * @param {import('../../types').XferError} error why
 * @returns {Promise<import('../../types').XferError>} the same, or one that says what could not be removed
 */
async function leave({ job }, uploadId, detached, error) {
  const { store, key, text } = job.destination
  const { journal } = job.run
  if (job.keepsUploads() && !error.final && !isAnew(error)) {
    await detached.ended(0)
    return error
  }
  const signal = AbortSignal.timeout(ABORT_LIMIT_MS)
  try {
    const outcome = await abortUntilGone(store, key, uploadId, signal)
    if (outcome === 'lapses') tellLapse(job.destination, journal.state.parts.size, job.run.emit)
    if (detached.count() > 0) {
      await detached.ended(DETACHED_LIMIT_MS)
      await abortUntilGone(store, key, uploadId, signal)
    }
    await journal.write({ type: 'gone', upload: uploadId })
    return error
  } catch {
    return new XferError('UPLOAD_LEFT', { ...factsOfCause(error), uploadId, location: text }, { cause: error })
  }
}

/**
 * Failures that a new upload may avoid: a part is damaged, and nothing else is wrong.
 *
 * @param {import('../../types').XferError} error
 */
function isAnew({ code, facts }) {
  if (!facts.completes) return false
  return code === 'INTEGRITY' || (code === 'STORE_REFUSED' && facts.status === 400 && !facts.ofTheRequest)
}

module.exports = { isAnew, leave, watchTwins }
