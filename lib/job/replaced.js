'use strict'

/** A source that is another object than the one of which a part was copied. */

const { sameEtag } = require('../integrity')
const { giveUpUpload } = require('../destination')
const { notice } = require('../notices')

/**
 * What was begun goes on only with the very object that it was begun with.
 *
 * @param {import('../types').JobState['object']} pinned
 * @param {import('../types').ObjectHead} found
 */
function isPinned(pinned, found) {
  if (!pinned) return true
  return sameEtag(pinned.etag, found.etag) && pinned.bytes === found.bytes && pinned.versionId === found.versionId
}

/**
 * What was copied of a source that was replaced is of no use any more.
 *
 * @param {import('./open').Job} job
 * @throws {import('../types').XferError} what the store says where it cannot be aborted now
 */
async function forgetReplaced(job) {
  const { journal, cancel, emit } = job
  const { upload, left } = journal.state
  for (const id of [...left, ...(upload ? [upload.id] : [])]) await giveUpUpload(job, id, cancel)
  emit(notice('SOURCE_REPLACED'))
}

module.exports = { forgetReplaced, isPinned }
