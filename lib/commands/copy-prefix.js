'use strict'

/** `xfer copy -r` and `xfer sync`: their options, their journal, and the copy of the objects (lib/prefix). */

const { withHandler } = require('../async')
const { openJob, openUnfinished, perform } = require('../job')
const { checkArguments, optionsToKeep } = require('../options')
const { copyObjects, prepareOptions } = require('../prefix')

/** @typedef {import('../types').PrefixOptions} PrefixOptions */
/** @typedef {import('../types').PrefixSummary} PrefixSummary */

/**
 * Copies the objects below a prefix, or resumes the unfinished copy of the same prefixes.
 *
 * @param {string} source `s3://bucket/prefix`; a slash is added where there is none
 * @param {string} destination as `source`
 * @param {PrefixOptions} [options]
 * @returns {Promise<PrefixSummary>} resolves once every chosen object is at the destination
 * @throws {import('../types').XferError} OBJECTS_FAILED if some are not; any error that ends a job
 */
async function copyPrefix(source, destination, options = {}) {
  return await withHandler('onEvent', options, given => run(source, destination, given))
}

/** @type {typeof copyPrefix} */
async function run(source, destination, given = {}) {
  return await perform(given, async (begin, emit) => {
    checkArguments('copyPrefix', { source, destination }, given)
    const options = await prepareOptions(given)
    const env = options.env ?? process.env
    const job = await openJob(source, destination, options, emit, {
      prefixes: true,
      journal: opened => openUnfinished({ env, emit }).begin(opened, optionsToKeep(opened, options)),
    })
    begin(job)
    return await copyObjects(job, options)
  })
}

module.exports = { copyPrefix }
