'use strict'

/** `xfer copy` of one object: its options, its journal, and the copy (lib/object/copy-object.js). */

const { withHandler } = require('../async')
const { openJob, openUnfinished, perform } = require('../job')
const { copyObject } = require('../object')
const { checkArguments, optionsToKeep } = require('../options')

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
  return await withHandler('onEvent', options, given => run(source, destination, given))
}

/** @type {typeof copy} */
async function run(source, destination, options = {}) {
  return await perform(options, async (begin, emit) => {
    checkArguments('copy', { source, destination }, options)
    const env = options.env ?? process.env
    const job = await openJob(source, destination, options, emit, {
      journal: opened => openUnfinished({ env, emit }).begin(opened, optionsToKeep(opened, options)),
    })
    begin(job)
    const judge =
      options.expectSha256 === undefined ? undefined : require('../stream').sha256Judge(source, options, job)
    return await copyObject(job, { judge }).catch(async error => {
      const { store } = job.source
      if (error.code !== 'NO_RANGES' || !store.stream) throw error
      const { copyAsStream } = require('./copy-as-stream')
      return await copyAsStream(job, options, { begin, emit, reason: error.facts.reason })
    })
  })
}

module.exports = { copy }
