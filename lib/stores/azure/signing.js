'use strict'

/**
 * Signs requests, by the kind of the credentials. Control calls have the user's own rights. A data request is sent by
 * a function, so it has no more than it needs: a Shared Key header for this one request, or a SAS bound to it. A SAS that the
 * user gave is good for more: whether functions may have it says `Abilities.secret`. A token goes to no function.
 */

const { createHmac } = require('node:crypto')
const { encodeKey } = require('../common')

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
 *
 * @typedef {ReturnType<typeof import('./sas').createDelegation>} Delegation signs data requests where the credentials are a token
 */

/**
 * @param {object} of
 * @param {import('./types').AzureSettings} of.settings
 * @param {string} of.container
 * @param {() => number} of.now the store's clock
 * @param {Delegation} [of.delegation]
 */
function createSigner({ settings, container, now, delegation }) {
  const { credentials, account } = settings
  const base = new URL(settings.endpoint)
  const root = base.pathname.replace(/\/$/, '')

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

  return {
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
      const sas = await /** @type {Delegation} */ (delegation).sas({ container, key, query, headers, permission })
      return { ...addressed(request, sas), method }
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

module.exports = { createSigner, sharedKeyHeader, stringToSign }
