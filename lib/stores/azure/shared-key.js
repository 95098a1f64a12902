'use strict'

/**
 * The Shared Key signature: an HMAC of what a request says, with the key of the account. The header pins method, path, query,
 * range, conditions, length, content headers and every x-ms-*, and is good for 15 minutes. Pure.
 * https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */

const { createHmac } = require('node:crypto')

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
 * @param {Signable} request
 * @param {{ account: string, key: Buffer }} credentials
 * @returns {string} the value of the header `authorization`
 */
function sharedKeyHeader(request, { account, key }) {
  const signature = createHmac('sha256', key).update(stringToSign(request, account)).digest('base64')
  return `SharedKey ${account}:${signature}`
}

module.exports = { sharedKeyHeader, stringToSign }
