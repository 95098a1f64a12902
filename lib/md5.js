'use strict'

/**
 * Whether a part's ETag, at a store that knows no checksums, says that it arrived right. Most such stores answer the
 * MD5; some answer something else of the same form (encryption, --no-compat), and nothing tells them apart but trying.
 */

const { XferError } = require('./errors')

const MD5 = /^"?([0-9a-f]{32})"?$/i

/**
 * @param {Record<string, any>} facts of the destination
 * @param {number} retries of a part: without any, the first that differs has to do
 * @returns {(outcome: import('./types').TaskSuccess, attempt: number) => import('./types').XferError | undefined}
 */
function createMd5Check(facts, retries) {
  let speaksMd5 = false
  let speaksOther = false
  return ({ md5, etag }, attempt) => {
    const found = MD5.exec(etag)?.[1].toLowerCase()
    if (md5 === undefined || found === undefined) return undefined
    if (found === md5) {
      speaksMd5 = true
      return undefined
    }
    // A part that differs is sent once more; one that differs again, where none was ever equal, is no proof of harm.
    if (!speaksMd5 && (speaksOther || attempt > Math.min(1, retries))) {
      speaksOther = true
      return undefined
    }
    return new XferError('PART_CORRUPTED', {
      ...facts,
      reason: `MD5 ${md5} was sent, ${found} stored`,
      expected: md5,
      found,
    })
  }
}

module.exports = { createMd5Check }
