'use strict'

const { crc32FromBase64 } = require('../crc32')
const { asXferError } = require('../errors')
const { storedCrc32 } = require('./through-engine')

/** @typedef {import('./types').Sent} Sent */
/** @typedef {import('./types').Granted} Granted */
/** @typedef {import('../types').XferError} Failure */

/** @param {Pick<Sent, 'outcome' | 'told'> & Granted} attempt @param {import('../types').ObjectHead | undefined} stored */
function resultOf({ outcome, told, attributes, granted }, stored) {
  const { bytes } = outcome
  const versionId = told.versionId ?? stored?.versionId
  const kept = storedCrc32({ ...told, checksum: stored?.checksum ?? told.checksum })
  const crc32 = outcome.crc32 ?? (kept === undefined ? undefined : crc32FromBase64(kept))
  return {
    ...{ bytes, etag: told.etag, outcome, attributes, granted },
    ...(versionId !== undefined && { versionId }),
    ...(crc32 !== undefined && { crc32 }),
    ...(kept !== undefined && { storedCrc32: kept }),
    ...(stored && { stored }),
  }
}

/** What ended the attempts of a part, and not that they ended. @param {Failure} error */
function rootOf(error) {
  return error.code === 'PART_FAILED' ? asXferError(error.cause) : error
}

module.exports = { resultOf, rootOf }
