'use strict'

/**
 * A user delegation SAS for one request: of one blob, with the least permission, for a quarter of an hour. From the version
 * 2026-04-06 on it also binds parameters and headers of the request, so that the SAS of one block writes no other, and
 * cannot commit. Pure. https://learn.microsoft.com/en-us/rest/api/storageservices/create-user-delegation-sas
 */

const { createHmac } = require('node:crypto')

const VERSION = '2026-04-06'

/** How long it is good for. It begins earlier, because no two clocks agree. */
const LIFE_MS = 15 * 60_000
const LEAD_MS = 5 * 60_000

/** The headers that are bound, where a request has them: what is read, and on which condition; how much is written, and as what. */
const HEADERS = ['content-length', 'if-match', 'if-none-match', 'range', 'x-ms-blob-type']
/** Parameters that the kind of the resource signs already. */
const OF_RESOURCE = ['versionid', 'snapshot']

/**
 * The answer to Get User Delegation Key; all but `value` as the service wrote it.
 *
 * @typedef {object} DelegationKey
 * @property {string} signedOid
 * @property {string} signedTid
 * @property {string} signedStart
 * @property {string} signedExpiry
 * @property {string} signedService
 * @property {string} signedVersion
 * @property {string} value base64
 *
 * @typedef {object} Delegated a request
 * @property {string} container
 * @property {string} key of the blob
 * @property {Record<string, string>} query not encoded
 * @property {Record<string, string>} headers names in lower case
 * @property {string} permission letters of `sp`, in the order `racwdxltmeop`
 */

/**
 * @param {Delegated} request
 * @param {{ account: string, delegation: DelegationKey, nowMs: number, lifeMs?: number, plain: boolean }} how nowMs: by the store's clock;
 *   lifeMs: a quarter of an hour when absent; plain: http is allowed
 * @returns {string} the query to append, without a question mark
 */
function delegationSas(
  { container, key, query, headers, permission },
  { account, delegation, nowMs, lifeMs = LIFE_MS, plain },
) {
  const bound = HEADERS.filter(name => headers[name] !== undefined)
  const asked = Object.keys(query).filter(name => !OF_RESOURCE.includes(name))
  const resource = query.snapshot ? 'bs' : query.versionid ? 'bv' : 'b'
  const { signedOid, signedTid, signedStart, signedExpiry, signedService, signedVersion, value } = delegation
  const fields = {
    sv: VERSION,
    sr: resource,
    sp: permission,
    st: timeText(nowMs - LEAD_MS),
    se: timeText(nowMs + lifeMs),
    spr: plain ? 'https,http' : 'https',
    ...{
      skoid: signedOid,
      sktid: signedTid,
      skt: signedStart,
      ske: signedExpiry,
      sks: signedService,
      skv: signedVersion,
    },
    ...(bound.length > 0 && { srh: bound.join(',') }),
    ...(asked.length > 0 && { srq: asked.join(',') }),
  }
  const text = [
    ...[fields.sp, fields.st, fields.se, `/blob/${account}/${container}/${key}`],
    ...[fields.skoid, fields.sktid, fields.skt, fields.ske, fields.sks, fields.skv],
    // Who else may use it, and where from: saoid, suoid, scid, skdutid, sduoid, sip.
    ...['', '', '', '', '', ''],
    ...[fields.spr, fields.sv, fields.sr, query.snapshot ?? query.versionid ?? ''],
    // The encryption scope.
    '',
    bound.map(name => `${name}:${headers[name]}\n`).join(''),
    asked.map(name => `\n${name}:${query[name]}`).join(''),
    // Headers of the answer: rscc, rscd, rsce, rscl, rsct.
    ...['', '', '', '', ''],
  ].join('\n')
  const sig = createHmac('sha256', Buffer.from(value, 'base64')).update(text).digest('base64')
  return Object.entries({ ...fields, sig })
    .map(([name, field]) => `${name}=${encodeURIComponent(field)}`)
    .join('&')
}

/** @param {number} ms @returns {string} to the second */
function timeText(ms) {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

module.exports = { VERSION, delegationSas }
