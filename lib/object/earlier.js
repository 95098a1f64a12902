'use strict'

/** What earlier runs of a job left of an object: uploads, and the request for an upload whose id they did not receive. */

const { sameEtag } = require('../integrity')

/** @typedef {Pick<import('../job/open').Job, 'destination' | 'run'>} Job */
/** @typedef {import('../types').ObjectHead} ObjectHead */

/**
 * Whether earlier runs began to copy another object than the one that is at the source now. Parts of both must not be mixed.
 *
 * @param {import('../types').JobState['object']} begun undefined: no run began to copy one
 * @param {ObjectHead | undefined} found undefined: the source has none
 * @param {{ versions: boolean }} how versions: another version counts as another object, even if it has equal bytes
 */
function isReplaced(begun, found, { versions }) {
  if (!begun) return false
  if (!found || !sameEtag(begun.etag, found.etag) || begun.bytes !== found.bytes) return true
  return versions && begun.versionId !== found.versionId
}

/**
 * Aborts the uploads of earlier runs for this object: they are of no use any more. A dry run only leaves them out.
 *
 * @param {Job & Pick<import('../job/open').Job, 'settings'>} job
 * @throws {import('../types').XferError} the store's error if an upload cannot be aborted now
 */
async function abortEarlierUploads(job) {
  const { abortOwnUpload } = require('../destination')
  const { journal, cancel } = job.run
  const { upload, left } = journal.state
  for (const one of [...left, ...(upload ? [upload] : [])]) {
    if (job.settings.dryRun) await journal.write({ type: 'gone', upload: one.id })
    else await abortOwnUpload(job, one, cancel)
  }
}

/** Handles an upload whose creation an earlier run requested without receiving its id. @param {Job} job */
async function clearCreating({ destination, run }) {
  const { journal, cancel } = run
  const { creatingMs } = journal.state
  if (creatingMs === undefined) return
  const { reportLost } = require('../destination')
  await reportLost({ destination, run }, { createdMs: creatingMs, signal: cancel })
  await journal.write({ type: 'cleared' })
}

/**
 * For a dry run: what the journal says that earlier runs have uploaded. An upload that was begun without checksums is not
 * resumed by a copy that is to be proved.
 *
 * @param {Pick<import('../job/open').Job, 'settings' | 'run'>} job
 * @returns {Extract<import('../types').JobEvent, { type: 'resume' }> | undefined} undefined: there is nothing to resume
 */
function resumable({ settings, run }) {
  const { id, upload, parts } = run.journal.state
  if (!upload || (upload.plain && settings.proved)) return undefined
  const bytes = [...parts.values()].reduce((sum, part) => sum + part.bytes, 0)
  return { type: 'resume', job: id, parts: parts.size, bytes }
}

module.exports = { abortEarlierUploads, clearCreating, isReplaced, resumable }
