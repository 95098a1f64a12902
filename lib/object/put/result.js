'use strict'

const { asXferError } = require('../../errors')

/** @typedef {import('./types').Sent} Sent */
/** @typedef {import('../../types').XferError} Failure */

/** @param {Pick<Sent, 'outcome' | 'told' | 'attributes'>} attempt @param {import('../../types').ObjectHead | undefined} stored */
function resultOf({ outcome, told, attributes }, stored) {
  const { bytes } = outcome
  const versionId = told.versionId ?? stored?.versionId
  const sums = { ...(stored?.sums ?? told.sums), ...outcome.sums }
  return {
    ...{ bytes, etag: told.etag, outcome, sums, attributes },
    ...(versionId !== undefined && { versionId }),
    ...(stored && { stored }),
  }
}

/** The cause of a part's failed attempts, without the error that wraps it. @param {Failure} error */
function rootOf(error) {
  return error.code === 'PART_FAILED' ? asXferError(error.cause) : error
}

module.exports = { resultOf, rootOf }
