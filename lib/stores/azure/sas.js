'use strict'

/**
 * A SAS of one blob, with the least permission, for a quarter of an hour if nobody says otherwise. It is signed with the key of
 * the account, or with a key that Entra ID gave out (a user delegation SAS). From the version 2026-04-06 on the latter also binds
 * parameters and headers of the request, so that the SAS of one block writes no other, and cannot commit. Pure.
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 * https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas
 */

const { createHmac } = require('node:crypto')
const { memoize } = require('../../async')
const { XferError } = require('../../errors')
const { writeXml } = require('../xml')
const { KEY_NAMES } = require('./calls')

const OF_ACCOUNT = '2021-12-02'
const VERSION = '2026-04-06'

/** How long it is good for. It begins earlier, because no two clocks agree. */
const LIFE_MS = 15 * 60_000
const LEAD_MS = 5 * 60_000

/** Of a delegation key. Azure allows a week. A SAS ends with its key, so a new one is asked for well before. */
const KEY_LIFE_MS = 6 * 3_600_000
const KEY_SPARE_MS = 30 * 60_000
const KEY_LEAD_MS = 15 * 60_000

/** The headers that are bound, where a request has them: what is read, and on which condition; how much is written, and as what. */
const HEADERS = ['content-length', 'if-match', 'if-none-match', 'range', 'x-ms-blob-type']

/**
 * @typedef {Record<(typeof KEY_NAMES)[number], string>} DelegationKey the answer to Get User Delegation Key; Value: base64
 *
 * @typedef {object} Delegated a request
 * @property {string} container
 * @property {string} key of the blob
 * @property {Record<string, string | undefined>} query not encoded
 * @property {Record<string, string>} [headers] names in lower case
 * @property {string} permission letters of `sp`, in the order `racwdxltmeop`
 *
 * @typedef {object} How
 * @property {string} account
 * @property {Buffer | DelegationKey} by the key of the account, which binds no header; or one that Entra ID gave out
 * @property {number} nowMs by the store's clock
 * @property {number} [lifeMs]
 * @property {boolean} plain http is allowed
 */

/**
 * @param {Delegated} request
 * @param {How} how
 * @returns {string} the query to append, without a question mark
 */
function sasOf({ container, key, query, headers = {}, permission }, { account, by, nowMs, lifeMs = LIFE_MS, plain }) {
  const delegation = Buffer.isBuffer(by) ? undefined : by
  const bound = delegation ? HEADERS.filter(name => headers[name] !== undefined) : []
  // The kind of the resource signs the version already.
  const asked = delegation ? Object.keys(query).filter(name => name !== 'versionid') : []
  const fields = {
    ...{ sv: delegation ? VERSION : OF_ACCOUNT, sr: query.versionid ? 'bv' : 'b', sp: permission },
    ...{ st: timeText(nowMs - LEAD_MS), se: timeText(nowMs + lifeMs), spr: plain ? 'https,http' : 'https' },
    ...(delegation && {
      ...{ skoid: delegation.SignedOid, sktid: delegation.SignedTid },
      ...{ skt: delegation.SignedStart, ske: delegation.SignedExpiry },
      ...{ sks: delegation.SignedService, skv: delegation.SignedVersion },
    }),
    ...(bound.length > 0 && { srh: bound.join(',') }),
    ...(asked.length > 0 && { srq: asked.join(',') }),
  }
  const lines = [
    ...[fields.sp, fields.st, fields.se, `/blob/${account}/${container}/${key}`],
    // Who else may use it: saoid, suoid, scid, skdutid, sduoid. Of the account's key: the stored access policy, si.
    ...(delegation
      ? [fields.skoid, fields.sktid, fields.skt, fields.ske, fields.sks, fields.skv, '', '', '', '', '']
      : ['']),
    // The first is where from (sip), the last the encryption scope.
    ...['', fields.spr, fields.sv, fields.sr, query.versionid ?? '', ''],
    ...(delegation
      ? [
          bound.map(name => `${name}:${headers[name]}\n`).join(''),
          asked.map(name => `\n${name}:${query[name]}`).join(''),
        ]
      : []),
    // Headers of the answer: rscc, rscd, rsce, rscl, rsct.
    ...['', '', '', '', ''],
  ]
  const secret = delegation ? Buffer.from(delegation.Value, 'base64') : /** @type {Buffer} */ (by)
  const sig = createHmac('sha256', secret).update(lines.join('\n')).digest('base64')
  return Object.entries({ ...fields, sig })
    .map(([name, field]) => `${name}=${encodeURIComponent(field)}`)
    .join('&')
}

/** @param {number} ms @returns {string} to the second */
function timeText(ms) {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}

/**
 * The key with which user delegation SAS are signed. It is asked for with a token of Entra ID, which goes nowhere else.
 *
 * @param {object} of
 * @param {Pick<import('./types').AzureSettings, 'account' | 'endpoint'>} of.settings
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts' | 'now'>} of.control
 * @returns {{ sas(request: Delegated, lifeMs?: number): Promise<string> }} sas: resolves to the query to append;
 *   lifeMs: a quarter of an hour when absent
 */
function createDelegation({ settings: { account, endpoint }, control: { call, facts, now } }) {
  const plain = endpoint.startsWith('http:')
  const keys = memoize(async () => {
    const expiryMs = now() + KEY_LIFE_MS
    return { delegation: await askKey(expiryMs), expiration: new Date(expiryMs - KEY_SPARE_MS) }
  }, now)

  /**
   * https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
   *
   * @param {number} expiryMs
   * @returns {Promise<DelegationKey>}
   */
  async function askKey(expiryMs) {
    const [start, expiry] = [now() - KEY_LEAD_MS, expiryMs].map(timeText)
    const { values } = await call('Get User Delegation Key', {
      headers: { 'content-type': 'application/xml', 'x-ms-version': VERSION },
      body: writeXml({ KeyInfo: { Start: start, Expiry: expiry } }),
    })
    const missing = KEY_NAMES.find(name => !values[name])
    if (missing) {
      const reason = `it answers with a user delegation key without ${missing}`
      throw new XferError('BAD_ANSWER', { ...facts, reason })
    }
    return /** @type {DelegationKey} */ (Object.fromEntries(KEY_NAMES.map(name => [name, values[name].trim()])))
  }

  return {
    async sas(request, lifeMs) {
      // A key that lasts as long as was asked for; a SAS ends with its key.
      const long = lifeMs !== undefined && lifeMs > KEY_SPARE_MS
      const by = long ? await askKey(now() + lifeMs) : (await keys()).delegation
      return sasOf(request, { account, by, nowMs: now(), lifeMs, plain })
    },
  }
}

module.exports = { VERSION, createDelegation, sasOf }
