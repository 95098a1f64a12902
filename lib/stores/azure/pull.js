'use strict'

/** Blocks that Azure reads from a URL by itself: https://learn.microsoft.com/rest/api/storageservices/put-block-from-url */

const { randomBytes } = require('node:crypto')
const { XferError } = require('../../errors')
const { isPinnedByTime } = require('../../integrity')
const { readWritten } = require('./attributes')
const { newBlockId, readUploadId } = require('./block-ids')

/**
 * Errors of a store that cannot or may not read the source, or does not take the request: an engine that reads and writes
 * may still succeed. A code that says the source's status has any.
 */
const REFUSALS = new Set([
  ...['ACCESS_DENIED', 'STORE_REFUSED', 'NO_SUCH_BUCKET', 'NO_SUCH_KEY', 'NOT_A_STORE'],
  ...['CREDENTIALS_REFUSED', 'UPLOAD_CONFLICT'],
])

/**
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call'>} control
 * @returns {import('../contract').Pull}
 */
function createPull({ call }) {
  return {
    async part({ from, range, key, uploadId, partNumber }, { signal } = {}) {
      const tag = newBlockId(readUploadId(uploadId), partNumber, randomBytes)
      const url = await from.lend()
      const headers = {
        'x-ms-copy-source': url,
        [isPinnedByTime(from) ? 'x-ms-source-if-unmodified-since' : 'x-ms-source-if-match']: from.etag,
        ...(range && { 'x-ms-source-range': `bytes=${range.start}-${range.end}` }),
      }
      const answer = await call(
        {
          ...{ operation: 'Put Block From URL', kind: 'write', long: true, secrets: [url, ...url.split(/[?&]/)] },
          ...{ method: 'PUT', key, query: { comp: 'block', blockid: tag }, headers, statuses: [201] },
        },
        signal,
      ).catch(error => {
        throw asPullError(error)
      })
      const { answered } = readWritten(answer.headers)
      return { etag: tag, ...(answered && { answered }) }
    },
  }
}

/** @param {import('../../types').XferError} error */
function asPullError(error) {
  const { code, facts, exitCode } = error
  // The destination has no condition.
  if (code === 'DESTINATION_EXISTS') return new XferError('SOURCE_CHANGED', facts, { cause: error })
  const refused = REFUSALS.has(code) || facts.storeCode === 'CannotVerifyCopySource'
  return refused ? new XferError('COPY_REFUSED', { ...facts, exit: exitCode }, { cause: error }) : error
}

module.exports = { createPull }
