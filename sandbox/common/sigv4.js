'use strict'

const crypto = require('node:crypto')

/**
 * AWS Signature Version 4 as S3 computes it, and as other services do: pure functions.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * Strings of header values have one character per byte (latin1), as Node passes headers, so that the bytes on the wire are
 * the bytes that are hashed, whatever their encoding.
 */

/**
 * The names that a signature is made with.
 *
 * @typedef {{ algorithm: string, secretPrefix: string, services: string[], terminator: string, prefix: string }} Names
 */
/** @type {Names} */
const AMAZON = {
  algorithm: 'AWS4-HMAC-SHA256',
  secretPrefix: 'AWS4',
  services: ['s3'],
  terminator: 'aws4_request',
  prefix: 'x-amz-',
}
/** https://cloud.google.com/storage/docs/authentication/signatures @type {Names} */
const GOOGLE = {
  algorithm: 'GOOG4-HMAC-SHA256',
  secretPrefix: 'GOOG4',
  services: ['storage', 's3'],
  terminator: 'goog4_request',
  prefix: 'x-goog-',
}

/** Percent-encodes all but the unreserved characters of RFC 3986. @param {string} text */
function encodeRfc3986(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/**
 * S3 encodes the path once and does not normalise it: `./`, `../` and `//` are parts of keys.
 *
 * @param {string} rawPath as sent
 * @throws {URIError} when it is not UTF-8, percent-encoded
 */
function canonicalUri(rawPath) {
  if (/^[A-Za-z0-9\-._~/]*$/.test(rawPath)) return rawPath || '/'
  return decodeURIComponent(rawPath).split('/').map(encodeRfc3986).join('/')
}

/** Every service but S3 encodes the path as sent once more. @param {string} rawPath */
function encodedAgain(rawPath) {
  return rawPath.split('/').map(encodeRfc3986).join('/')
}

/**
 * @param {[name: string, value: string][]} query decoded, in any order
 * @param {string[]} [leftOut] lower-case names that are not signed
 */
function canonicalQuery(query, leftOut = ['x-amz-signature', 'x-goog-signature']) {
  return query
    .filter(([name]) => !leftOut.includes(name.toLowerCase()))
    .map(([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)])
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * @param {{ method: string, rawPath: string, query: [string, string][], headers: Map<string, string[]>,
 *   signedHeaders: string[], payloadHash: string }} request header names in lower case
 * @param {(rawPath: string) => string} [uri] how the service writes the path
 */
function canonicalRequest({ method, rawPath, query, headers, signedHeaders, payloadHash }, uri = canonicalUri) {
  const lines = signedHeaders.map(name => {
    const values = (headers.get(name) ?? []).map(value => value.trim().replace(/ +/g, ' '))
    return `${name}:${values.join(',')}\n`
  })
  return [method, uri(rawPath), canonicalQuery(query), lines.join(''), signedHeaders.join(';'), payloadHash].join('\n')
}

/**
 * The signature that a request must have, and what it is made of.
 *
 * @param {Parameters<typeof canonicalRequest>[0]} request
 * @param {object} how
 * @param {string} how.secret
 * @param {string[]} how.scope date, region, service, terminator
 * @param {string} how.amzDate `20130524T000000Z`
 * @param {Names} [how.names]
 * @param {(rawPath: string) => string} [how.uri] how the service writes the path
 */
function signatureOf(request, { secret, scope, amzDate, names = AMAZON, uri }) {
  const canonical = canonicalRequest(request, uri)
  const text = [names.algorithm, amzDate, scope.join('/'), sha256(canonical)].join('\n')
  /** @type {string | Buffer} */
  let key = names.secretPrefix + secret
  for (const part of scope) key = hmac(key, part)
  return { canonical, text, signature: hmac(key, text).toString('hex') }
}

/** Headers that must be signed and are not. @param {Map<string, string[]>} headers @param {string[]} signedHeaders @param {string} prefix */
function unsignedOf(headers, signedHeaders, prefix) {
  const must = (/** @type {string} */ name) => name === 'host' || name.startsWith(prefix)
  return [...headers.keys()].filter(name => must(name) && !signedHeaders.includes(name))
}

/**
 * The parts of an Authorization header.
 *
 * @param {string} header
 * @returns {{ algorithm: string, fields: Record<string, string | undefined> }}
 */
function readAuthorization(header) {
  const [algorithm, ...rest] = header.trim().split(/[\s,]+/)
  const fields = rest.map(field => [field.split('=')[0], field.slice(field.indexOf('=') + 1)])
  return { algorithm, fields: Object.fromEntries(fields) }
}

/** @param {string | Buffer} key @param {string} text @returns {Buffer} */
function hmac(key, text) {
  return crypto.createHmac('sha256', key).update(text, 'latin1').digest()
}

/** @param {string} text one character a byte */
function sha256(text) {
  return crypto.createHash('sha256').update(text, 'latin1').digest('hex')
}

/** @param {number} ms @returns {string} `20130524T000000Z` */
function toAmzDate(ms) {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

/** @param {string} amzDate @returns {number} milliseconds, or NaN */
function fromAmzDate(amzDate) {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate)
  if (!match) return Number.NaN
  const [, year, month, day, hour, minute, second] = match
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

module.exports = {
  AMAZON,
  GOOGLE,
  encodeRfc3986,
  encodedAgain,
  fromAmzDate,
  readAuthorization,
  signatureOf,
  toAmzDate,
  unsignedOf,
}
