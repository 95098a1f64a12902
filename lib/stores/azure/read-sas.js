'use strict'

/**
 * A SAS, signed with the key of the account, that reads one blob for some time. Pure.
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 */

const { createHmac } = require('node:crypto')

const VERSION = '2021-12-02'
/** It begins earlier, because no two clocks agree. */
const LEAD_MS = 5 * 60_000

/**
 * @param {{ container: string, key: string, query: Record<string, string> }} blob query: of a version or a snapshot; not encoded
 * @param {{ account: string, key: Buffer, nowMs: number, lifeMs: number, plain: boolean }} how nowMs: by the store's clock; plain: http is
 *   allowed
 * @returns {string} the query to append, without a question mark
 */
function readSas({ container, key, query }, { account, key: secret, nowMs, lifeMs, plain }) {
  const fields = {
    sv: VERSION,
    sr: query.snapshot ? 'bs' : query.versionid ? 'bv' : 'b',
    sp: 'r',
    st: timeText(nowMs - LEAD_MS),
    se: timeText(nowMs + lifeMs),
    spr: plain ? 'https,http' : 'https',
  }
  const text = [
    ...[fields.sp, fields.st, fields.se, `/blob/${account}/${container}/${key}`],
    // The stored access policy, and where from: si, sip.
    ...['', '', fields.spr, fields.sv, fields.sr, query.snapshot ?? query.versionid ?? ''],
    // The encryption scope, and headers of the answer: rscc, rscd, rsce, rscl, rsct.
    ...['', '', '', '', '', ''],
  ].join('\n')
  const sig = createHmac('sha256', secret).update(text).digest('base64')
  return Object.entries({ ...fields, sig })
    .map(([name, field]) => `${name}=${encodeURIComponent(field)}`)
    .join('&')
}

/** @param {number} ms @returns {string} to the second */
function timeText(ms) {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

module.exports = { readSas }
