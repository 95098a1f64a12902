'use strict'

/**
 * Signs requests, by the kind of the credentials. Control calls have the user's own rights. A data request is sent by
 * a function, so it has no more than it needs: a Shared Key header for this one request, or a SAS bound to it. A SAS that the
 * user gave is good for more: whether functions may have it says `Abilities.secret`. A token goes to no function.
 *
 * A SAS is of one blob, with the least permission, for a quarter of an hour if nobody says otherwise. It is signed with the key of
 * the account, or with a key that Entra ID gave out (a user delegation SAS). From the version 2026-04-06 on the latter also binds
 * parameters and headers of the request, so that the SAS of one block writes no other, and cannot commit.
 * https://learn.microsoft.com/rest/api/storageservices/create-service-sas
 * https://learn.microsoft.com/rest/api/storageservices/create-user-delegation-sas
 */

const { createHmac } = require('node:crypto')
const { memoize } = require('../../async')
const { XferError } = require('../../errors')
const { encodeKey } = require('../common')
const { writeXml } = require('../xml')

/** Later ones are used where a request needs them. https://learn.microsoft.com/rest/api/storageservices/previous-azure-storage-service-versions */
const VERSION = '2021-12-02'

/** Headers with a line of their own, in this order. */
const LINES = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
]

/**
 * @typedef {object} Signable
 * @property {string} method
 * @property {string} path as it is sent, encoded; in path style with the account
 * @property {Record<string, string>} query by name; not encoded
 * @property {Record<string, string>} headers names in lower case; each character of a value is one byte
 */

/**
 * @typedef {object} Unsigned
 * @property {'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'} method
 * @property {string} [key] of a blob; absent: the container
 * @property {Record<string, string | undefined>} [query] not encoded
 * @property {Record<string, string>} [headers] names in lower case
 * @property {boolean} [service] neither a blob nor the container is meant, but the account's service
 */

/** https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key */
const KEY_NAMES = /** @type {const} */ ([
  ...['SignedOid', 'SignedTid', 'SignedStart', 'SignedExpiry', 'SignedService', 'SignedVersion', 'Value'],
])

/** Of a SAS that Entra ID backs. */
const DELEGATED = '2026-04-06'

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
 * @typedef {object} UnsignedAsked a request
 * @property {string} container
 * @property {string} key of the blob
 * @property {Record<string, string | undefined>} query not encoded
 * @property {Record<string, string>} [headers] names in lower case
 * @property {string} permission letters of `sp`, in the order `racwdxltmeop`
 *
 * @typedef {object} SigningRules
 * @property {string} account
 * @property {Buffer | DelegationKey} by the key of the account, which binds no header; or one that Entra ID gave out
 * @property {number} nowMs by the store's clock
 * @property {number} [lifeMs]
 * @property {boolean} plain http is allowed
 */

/** @typedef {(operation: string, asked: { headers: Record<string, string>, body?: Buffer }) => Promise<{ values: Record<string, any> }>} Ask */

/**
 * @param {object} of
 * @param {import('./settings').AzureSettings} of.settings
 * @param {string} of.container
 * @param {() => number} of.now the store's clock
 * @param {Ask} of.call asks for the key of a user delegation SAS
 * @param {Record<string, any>} of.facts for errors
 */
function createSigner({ settings, container, now, call, facts }) {
  const { credentials, account } = settings
  const base = new URL(settings.endpoint)
  const root = base.pathname.replace(/\/$/, '')
  const plain = settings.endpoint.startsWith('http:')

  /**
   * @param {Unsigned} request
   * @returns {{ method: string, path: string, query: Record<string, string>, headers: Record<string, string> }}
   */
  function complete({ method, key, query = {}, headers = {}, service = false }) {
    const path = service ? `${root}/` : `${root}/${container}${key === undefined ? '' : `/${encodeKey(key)}`}`
    const asked = Object.entries(query).filter(([, value]) => value !== undefined)
    return {
      method,
      path,
      query: /** @type {Record<string, string>} */ (Object.fromEntries(asked)),
      headers: { host: base.host, 'x-ms-date': new Date(now()).toUTCString(), 'x-ms-version': VERSION, ...headers },
    }
  }

  /** @param {ReturnType<typeof complete>} request @param {string} [sas] */
  function addressed({ method, path, query, headers }, sas) {
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    const all = [...search, ...(sas ? [sas] : [])].join('&')
    return { method, url: `${base.origin}${path}${all && `?${all}`}`, headers }
  }

  /** With the user's own rights. @param {ReturnType<typeof complete>} request */
  async function authorized(request) {
    if (credentials.kind === 'sas') return addressed(request, credentials.token())
    if (credentials.kind === 'anonymous') return addressed(request)
    const authorization =
      credentials.kind === 'sharedKey'
        ? sharedKeyHeader(request, { account, key: credentials.key() })
        : `Bearer ${(await credentials.get()).token}`
    return addressed({ ...request, headers: { ...request.headers, authorization } })
  }

  /** The key with which user delegation SAS are signed. It is asked for with a token of Entra ID, which goes nowhere else. */
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
      headers: { 'content-type': 'application/xml', 'x-ms-version': DELEGATED },
      body: writeXml({ KeyInfo: { Start: start, Expiry: expiry } }),
    })
    const missing = KEY_NAMES.find(name => !values[name])
    if (missing) {
      const reason = `it answers with a user delegation key without ${missing}`
      throw new XferError('BAD_ANSWER', { ...facts, reason })
    }
    return /** @type {DelegationKey} */ (Object.fromEntries(KEY_NAMES.map(name => [name, values[name].trim()])))
  }

  /**
   * A SAS of one blob, of the account's key or by Entra ID.
   *
   * @param {Omit<UnsignedAsked, 'container'>} request
   * @param {number} [lifeMs] a quarter of an hour when absent
   * @returns {Promise<string>} the query to append
   */
  async function sas(request, lifeMs) {
    const by = credentials.kind === 'sharedKey' ? credentials.key() : await delegationKey(lifeMs)
    return sasOf({ container, ...request }, { account, by, nowMs: now(), lifeMs, plain })
  }

  /** One that lasts as long as was asked for: a SAS ends with its key. @param {number} [lifeMs] */
  async function delegationKey(lifeMs = 0) {
    return lifeMs > KEY_SPARE_MS ? await askKey(now() + lifeMs) : (await keys()).delegation
  }

  return {
    sas,

    /** The address of a blob. @param {string} key @param {Record<string, string | undefined>} query @param {string} [sas] */
    url: (key, query, sas) => addressed(complete({ method: 'GET', key, query }), sas).url,

    /** A control call. @param {Unsigned} unsigned */
    control: async unsigned => await authorized(complete(unsigned)),

    /**
     * A data request.
     *
     * @param {Unsigned & { method: 'GET' | 'PUT', key: string }} unsigned
     * @param {string} permission of a SAS that is bound to it, as in `sp`
     * @returns {Promise<{ method: 'GET' | 'PUT', url: string, headers: Record<string, string> }>}
     */
    async data(unsigned, permission) {
      const request = complete(unsigned)
      const { method, key } = unsigned
      if (credentials.kind !== 'token') return { ...(await authorized(request)), method }
      const { query, headers } = request
      return { ...addressed(request, await sas({ key, query, headers, permission })), method }
    },
  }
}

/** @param {Signable} request @param {string} account @returns {string} */
function stringToSign({ method, path, query, headers }, account) {
  const lines = LINES.map(name => (name === 'content-length' && headers[name] === '0' ? '' : (headers[name] ?? '')))
  const resource = Object.keys(query)
    .map(name => ({ name: name.toLowerCase(), value: query[name] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => `\n${name}:${value}`)
  return `${[method, ...lines].join('\n')}\n${canonicalHeaders(headers)}/${account}${path}${resource.join('')}`
}

/** @param {Record<string, string>} headers */
function canonicalHeaders(headers) {
  return Object.keys(headers)
    .filter(name => name.startsWith('x-ms-'))
    .sort(byServersOrder)
    .map(name => `${name}:${headers[name].trim()}\n`)
    .join('')
}

/** The service sorts `_` before digits and letters; only names of user metadata have one. @param {string} one @param {string} other */
function byServersOrder(one, other) {
  return one.replaceAll('_', '!') < other.replaceAll('_', '!') ? -1 : 1
}

/**
 * The Shared Key signature: an HMAC of what a request says, with the key of the account. The header pins method, path, query,
 * range, conditions, length, content headers and every x-ms-*, and is good for 15 minutes.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 *
 * @param {Signable} request
 * @param {{ account: string, key: Buffer }} credentials
 * @returns {string} the value of the header `authorization`
 */
function sharedKeyHeader(request, { account, key }) {
  const signature = createHmac('sha256', key).update(stringToSign(request, account)).digest('base64')
  return `SharedKey ${account}:${signature}`
}

/**
 * @param {UnsignedAsked} request
 * @param {SigningRules} how
 * @returns {string} the query to append, without a question mark
 */
function sasOf({ container, key, query, headers = {}, permission }, { account, by, nowMs, lifeMs = LIFE_MS, plain }) {
  const delegation = Buffer.isBuffer(by) ? undefined : by
  const bound = delegation ? HEADERS.filter(name => headers[name] !== undefined) : []
  // The kind of the resource signs the version already.
  const asked = delegation ? Object.keys(query).filter(name => name !== 'versionid') : []
  const fields = {
    sv: delegation ? DELEGATED : VERSION,
    sr: query.versionid ? 'bv' : 'b',
    sp: permission,
    st: timeText(nowMs - LEAD_MS),
    se: timeText(nowMs + lifeMs),
    spr: plain ? 'https,http' : 'https',
    ...(delegation && {
      skoid: delegation.SignedOid,
      sktid: delegation.SignedTid,
      skt: delegation.SignedStart,
      ske: delegation.SignedExpiry,
      sks: delegation.SignedService,
      skv: delegation.SignedVersion,
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

module.exports = { DELEGATED, KEY_NAMES, createSigner, sasOf, sharedKeyHeader, stringToSign }
