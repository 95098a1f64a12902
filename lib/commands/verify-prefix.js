'use strict'

/** `xfer verify -r`: its options, and the comparison of what is below two prefixes (lib/prefix/compare). */

const { openJob } = require('../job')
const { checkArguments } = require('../options')
const { checkFiles, compareObjects, readSelection } = require('../prefix')
const { runJob } = require('./copy-job')

/** @typedef {import('../types').VerifyPrefixOptions} VerifyPrefixOptions */
/** @typedef {import('../types').PrefixVerification} PrefixVerification */

/**
 * @param {string} source `s3://bucket/prefix`; a slash is added where there is none
 * @param {string} destination as `source`
 * @param {VerifyPrefixOptions} [options]
 * @returns {Promise<PrefixVerification>} what proved the pairs equal; every difference is an event
 * @throws {import('../types').XferError} OBJECTS_DIFFER, OBJECTS_FAILED; any error that ends a job
 */
async function verifyPrefix(source, destination, options = {}) {
  return await runJob(options, async (given, { begin, emit }) => {
    checkArguments('verifyPrefix', { source, destination }, given)
    await checkFiles(readSelection({ ...given, recursive: 'sync' }))
    const { read, oneWay, onEvent, ...rest } = given
    const job = await openJob(source, destination, rest, emit, { prefixes: true, reads: true })
    begin(job)
    return await compareObjects(job, given)
  })
}

module.exports = { verifyPrefix }
