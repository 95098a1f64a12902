'use strict'

/** Requests of S3 in Google's words, and the headers of Google's answers in S3's. Pure. https://cloud.google.com/storage/docs/xml-api/reference-headers */

const { createHash } = require('node:crypto')
const { META } = require('./rules')

const AMAZON = 'x-amz-'
const GOOGLE = 'x-goog-'
/** The customer key: https://cloud.google.com/storage/docs/encryption/customer-supplied-keys */
const CUSTOMER = 'server-side-encryption-customer-'
const ENCRYPTION = 'encryption-'

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

/** @type {Record<string, string>} */
const NAMES = {
  'x-goog-generation': 'x-amz-version-id',
  'x-goog-storage-class': 'x-amz-storage-class',
  'x-goog-object-lock-mode': 'x-amz-object-lock-mode',
  'x-goog-encryption-kms-key-name': 'x-amz-server-side-encryption-aws-kms-key-id',
}

/**
 * @param {Record<string, string>} headers names in lower case
 * @returns {Record<string, string>}
 */
function readAnswer(headers) {
  /** @type {Record<string, string>} */
  const read = {}
  for (const [name, value] of Object.entries(headers)) {
    const meant = name.startsWith(META) ? `x-amz-meta-${name.slice(META.length)}` : (NAMES[name] ?? name)
    read[meant] = value
  }
  if (headers['x-goog-encryption-kms-key-name'] !== undefined) read['x-amz-server-side-encryption'] = 'aws:kms'
  // An answer about an object that Google could decompress may leave out both.
  const { 'x-goog-stored-content-encoding': encoding, 'x-goog-stored-content-length': length } = headers
  if (read['content-length'] === undefined && length !== undefined) read['content-length'] = length
  if (read['content-encoding'] === undefined && encoding !== undefined && encoding !== 'identity') {
    read['content-encoding'] = encoding
  }
  return read
}

module.exports = { readAnswer, translate }
