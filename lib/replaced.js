'use strict'

/** A source that is another object than the one of which a part was copied. */

const { asXferError } = require('./errors')
const { sameEtag } = require('./integrity')
const { abortUntilGone } = require('./uploads')

/**
 * What was begun goes on only with the very object that it was begun with.
 *
 * @param {import('./types').JobState['object']} pinned
 * @param {import('./types').ObjectHead} found
 */
function isPinned(pinned, found) {
  if (!pinned) return true
  return sameEtag(pinned.etag, found.etag) && pinned.bytes === found.bytes && pinned.versionId === found.versionId
}

/**
 * What was copied of a source that was replaced is of no use any more.
 *
 * @param {import('./job').Job} job
 * @throws {import('./types').XferError} what the store says where it cannot be aborted now
 */
async function forgetReplaced({ destination: { store, key, text }, journal, stopping, emit }) {
  const { upload, left } = journal.state
  for (const id of [...left, ...(upload ? [upload.id] : [])]) {
    const denied = await abortUntilGone(store, key, id, stopping).then(() => undefined, unlessDenied)
    await journal.write({ type: 'gone', upload: id })
    if (!denied) continue
    // It stays the job's, for whoever may abort it.
    await journal.write({ type: 'left', upload: id })
    emit({ type: 'notice', message: `The upload ${id} of ${text} is left there, for it may not be aborted.` })
  }
  const message =
    'The source was replaced since the copy was begun: it is copied anew, and nothing of the old one is used.'
  emit({ type: 'notice', message })
}

/** @param {unknown} cause @returns {import('./types').XferError} */
function unlessDenied(cause) {
  const error = asXferError(cause)
  if (error.code !== 'ACCESS_DENIED') throw error
  return error
}

module.exports = { forgetReplaced, isPinned }
