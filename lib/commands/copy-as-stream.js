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
    const {
      body,
      bytes,
      sha256,
      sums: _,
      ...description
    } = await /** @type {any} */ (source.store).stream(source.key, {
      signal: run.cancel,
    })
    const notices = [notice('SOURCE_AS_STREAM', { location: source.text, reason })]
    const from = { text: source.text, description, notices }
    if (!settings.dryRun) await run.journal.over()
    return await uploadStream(body, destination.text, forStream(options, settings, { bytes, sha256 }), {
      begin,
      emit,
      from,
    })
  } finally {
    await job.close()
  }
}

/**
 * The options of the copy, without those that a stream cannot have. What the store tells beforehand has to come.
 *
 * @param {import('../types').CopyOptions} options
 * @param {Job['settings']} settings
 * @param {{ bytes?: number, sha256?: string }} told
 * @returns {import('../types').UploadOptions}
 */
function forStream({ onFailure: _, route: __, chunk, ...options }, { usualChunk, matchChunk }, { bytes, sha256 }) {
  return {
    ...options,
    // The key is complete.
    exactKey: true,
    ...(chunk !== undefined && !usualChunk && !matchChunk && { chunk }),
    ...(bytes !== undefined && { expectSize: bytes }),
    ...(sha256 !== undefined && options.expectSha256 === undefined && { expectSha256: sha256 }),
  }
}

module.exports = { copyAsStream }
