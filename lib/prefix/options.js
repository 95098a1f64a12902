'use strict'

const { asPrefixOptions } = require('../options')
const { checkFiles } = require('./report')
const { digestNames, readSelection } = require('./selection')

/** @typedef {import('../types').JobWish} JobWish */

/**
 * The options of a copy of a prefix, once the files that they name have been checked.
 *
 * @param {JobWish} given
 * @returns {Promise<JobWish & { recursive: NonNullable<JobWish['recursive']> }>} recursive: the journal tells by it that the job is of a
 *   prefix
 * @throws {import('../types').XferError} USAGE
 */
async function prepareOptions(given) {
  const options = { ...asPrefixOptions(given), recursive: given.recursive ?? 'copy' }
  await checkFiles(readSelection(options))
  return { ...options, namesDigest: await digestNames(options.filesFrom) }
}

module.exports = { prepareOptions }
