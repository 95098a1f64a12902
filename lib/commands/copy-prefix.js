'use strict'

/** `xfer copy -r` and `xfer sync`: their options, their journal, and the copy of the objects (lib/prefix). */

const { copyObjects, prepareOptions } = require('../prefix')
const { runCopyJob } = require('./copy-job')

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
  const how = { prefixes: true, prepare: prepareOptions, work: copyObjects }
  return await runCopyJob('copyPrefix', { source, destination }, options, how)
}

module.exports = { copyPrefix }
