'use strict'

/** The copy of an object whose store sends no ranges: it is read once, in order, by this machine. */

const { notice } = require('../notices')
const { uploadStream } = require('../stream')

/** @typedef {import('../job/open').Job} Job */

/**
 * @param {Job} job of which nothing was copied; it is ended here
 * @param {import('../types').CopyOptions} options
 * @param {{ begin: (job: Job) => void, emit: Job['run']['emit'], reason: string }} how begin, emit: as of `perform`; reason: why it
 *   has no ranges, to follow `its server`
 * @returns {Promise<import('../types').Summary>}
 * @throws {import('../types').XferError} as `upload`
 */
async function copyAsStream(job, options, { begin, emit, reason }) {
  const { source, destination, run, settings } = job
  try {
    const { body, bytes, sums, ...description } = await /** @type {any} */ (source.store).stream(source.key, {
      signal: run.cancel,
    })
    const notices = [notice('SOURCE_AS_STREAM', { location: source.text, reason })]
    // What is not to be compared is not compared with this either.
    const told = { bytes, ...(settings.proved && { sums }) }
    const from = { text: source.text, description, notices, told }
    if (!settings.dryRun) await run.journal.over()
    return await uploadStream(body, destination.text, forStream(options, settings), {
      begin,
      emit,
      from,
    })
  } finally {
    await job.close()
  }
}

/**
 * The options of the copy, without those that a stream cannot have.
 *
 * @param {import('../types').CopyOptions} options
 * @param {Job['settings']} settings
 * @returns {import('../types').UploadOptions}
 */
function forStream({ onFailure: _, route: __, chunk, ...options }, { usualChunk, matchChunk }) {
  return {
    ...options,
    ...(chunk !== undefined && !usualChunk && !matchChunk && { chunk }),
  }
}

module.exports = { copyAsStream }
