'use strict'

/** `xfer copy` of one object: its options, its journal, and the copy (lib/object/copy-object.js). */

const { copyObject } = require('../object')
const { runCopyJob } = require('./copy-job')

/** @typedef {import('../types').CopyOptions} CopyOptions */
/** @typedef {import('../types').Summary} Summary */

/**
 * Copies one object, or resumes the unfinished copy of the same source to the same destination.
 *
 * @param {string} source `s3://bucket/key`
 * @param {string} destination `s3://bucket/key`; without a key, or with one that ends in a slash, the source's name is added
 * @param {CopyOptions} [options]
 * @returns {Promise<Summary>} resolves once the copy is at the destination and proved; with a dry run, the summary of what would be done
 * @throws {import('../types').XferError} with `code`, `hint`, `exitCode` and `facts`; no object is visible at the destination
 *   then, and `facts.job` names the job if it can be resumed
 */
async function copy(source, destination, options = {}) {
  return await runCopyJob('copy', { source, destination }, options, {
    work: (job, given, how) => copyOne(source, job, given, how),
  })
}

/**
 * @param {string} source as it was given
 * @param {import('../job/open').Job} job
 * @param {CopyOptions} options
 * @param {{ begin: (job: import('../job/open').Job) => void, emit: import('../job/open').Job['run']['emit'] }} how as of `perform`
 */
async function copyOne(source, job, options, how) {
  const judge = options.expectSha256 === undefined ? undefined : require('../stream').sha256Judge(source, options, job)
  return await copyObject(job, { judge }).catch(async error => {
    if (error.code !== 'NO_RANGES' || !job.source.store.stream) throw error
    const { copyAsStream } = require('./copy-as-stream')
    return await copyAsStream(job, options, { ...how, reason: error.facts.reason })
  })
}

module.exports = { copy }
