'use strict'

/** The query of an address, which may be a signature: what of it names the object, until when it is good, and for how much. Pure. */

const { createHash } = require('node:crypto')

/** Parameters that differ between two signatures of one object, in lower case. */
const SIGNATURE = /^(?:x-(?:amz|goog|oss|cos|obs)-.*|q-.*)$/
const OF_SIGNATURE = new Set([
  ...['signature', 'expires', 'awsaccesskeyid', 'googleaccessid', 'ossaccesskeyid', 'key-pair-id', 'policy'],
  // A shared access signature: https://learn.microsoft.com/rest/api/storageservices/create-service-sas
  ...['sig', 'se', 'st', 'sp', 'sv', 'sr', 'sip', 'spr', 'si', 'ss', 'srt', 'ses', 'sdd'],
  ...['skoid', 'sktid', 'skt', 'ske', 'sks', 'skv', 'saoid', 'suoid', 'scid'],
  ...['token', 'access_token', 'hdnea', 'hdnts', '__gda__', 'hmac', 'jwt'],
])

/**
 * A digest of what names the object: two signed addresses of one object have the same.
 *
 * @param {string} query with its question mark, or ''
 * @returns {string | undefined} undefined if nothing of it does
 */
function namingDigest(query) {
  const named = query
    .slice(1)
    .split('&')
    .filter(pair => pair !== '' && !isOfSignature(pair))
  return named.length === 0 ? undefined : digest(named.join('&'))
}

/** @param {string} text @returns {string} */
function digest(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** @param {string} pair */
function isOfSignature(pair) {
  const name = pair.replace(/=.*$/s, '').toLowerCase()
  return SIGNATURE.test(name) || OF_SIGNATURE.has(name)
}

/** @param {string} url @returns {URLSearchParams} names in lower case */
function parametersOf(url) {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  /** @type {Array<[name: string, value: string]>} */
  const pairs = [...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value])
  return new URLSearchParams(pairs)
}

/**
 * When a presigned address ends.
 *
 * @param {string} url
 * @returns {number | undefined} epoch milliseconds; undefined if it does not tell
 */
function expiryOf(url) {
  const parameters = parametersOf(url)
  for (const vendor of ['amz', 'goog']) {
    const [, y, mo, d, h, mi, s] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(parameters.get(`x-${vendor}-date`) ?? '') ?? []
    const seconds = Number(parameters.get(`x-${vendor}-expires`) ?? Number.NaN)
    const signedMs = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
    if (!Number.isNaN(signedMs + seconds)) return signedMs + seconds * 1000
  }
  const endMs = Date.parse(parameters.get('se') ?? '')
  if (parameters.has('sig') && !Number.isNaN(endMs)) return endMs
  const epoch = /^\d{9,11}$/.exec(parameters.get('expires') ?? '')
  return epoch ? Number(epoch[0]) * 1000 : undefined
}

/** Whether it has a shared access signature of Azure for more than one blob. @param {string} url */
function isWideSas(url) {
  const parameters = parametersOf(url)
  if (!parameters.has('sig')) return false
  return parameters.has('srt') || ['c', 'd'].includes(parameters.get('sr') ?? '')
}

module.exports = { digest, expiryOf, isWideSas, namingDigest }
