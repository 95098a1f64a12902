'use strict'

/** Requests of S3 in Google's words. Pure. https://cloud.google.com/storage/docs/xml-api/reference-headers */

const { createHash } = require('node:crypto')

const AMAZON = 'x-amz-'
const GOOGLE = 'x-goog-'
/** The customer key: https://cloud.google.com/storage/docs/encryption/customer-supplied-keys */
const CUSTOMER = 'server-side-encryption-customer-'
const ENCRYPTION = 'encryption-'
const GENERATION_MATCH = 'x-goog-if-generation-match'

/** Headers without a counterpart: checksums, and who pays, which Google tells by a project. */
const LEFT_OUT = /^x-amz-(?:checksum-|request-payer$|mp-object-size$|tagging|trailer$)/

/**
 * @param {import('../dialect').Words} words
 * @returns {import('../dialect').Words}
 */
function translate({ method, query, headers }) {
  /** @type {Record<string, string>} */
  const own = {}
  for (const [name, value] of Object.entries(headers)) {
    if (LEFT_OUT.test(name)) continue
    const [meant, told] = translateHeader(name, value, headers)
    own[meant] = told
  }
  const parameters = Object.entries(query)
  return {
    method,
    query: Object.fromEntries(parameters.map(([name, value]) => [name === 'versionId' ? 'generation' : name, value])),
    headers: own,
  }
}

/** @param {string} name @param {string} value @param {Record<string, string>} headers @returns {[name: string, value: string]} */
function translateHeader(name, value, headers) {
  if (!name.startsWith(AMAZON)) return [name, value]
  const rest = name.slice(AMAZON.length)
  if (!rest.includes(CUSTOMER)) return [GOOGLE + rest, value]
  const meant = GOOGLE + rest.replace(CUSTOMER, ENCRYPTION)
  if (!rest.endsWith('-md5')) return [meant, value]
  // Amazon is told the MD5 of the key, Google its SHA-256.
  const key = Buffer.from(headers[name.slice(0, -'-md5'.length)] ?? '', 'base64')
  return [meant.replace(/-md5$/, '-sha256'), createHash('sha256').update(key).digest('base64')]
}

module.exports = { GENERATION_MATCH, translate }
