'use strict'

/**
 * Prepares requests, and has sigv4.js compute their signature (AWS Signature Version 4). It is in headers, not in the URL.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * The signature covers host, range, if-match, content-length, content headers and every x-amz-*. So a request that leaks from
 * a function is valid only for that range or part, and only while the store accepts the signature (15 minutes).
 */

const { amazon } = require('./dialects')
const { signHeaders } = require('../../aws')
const { encode, encodeKey } = require('../common')

/** @typedef {import('../../types').Credentials} Credentials */
/** @typedef {import('./dialect').Dialect} Dialect */

const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const UNSIGNED_WITH_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

/**
 * @typedef {object} UnsignedRequest
 * @property {string} method
 * @property {string} origin
 * @property {string} path encoded, sent unchanged
 * @property {Record<string, string>} query not encoded
 * @property {Record<string, string>} headers names in lower case, in S3's words
 */

/**
 * @template {string} M
 * @param {UnsignedRequest & { method: M }} request
 * @param {{ credentials: Credentials | null, region: string, nowMs: number, dialect?: Dialect }} context credentials null: the
 *   request is not signed
 * @returns {Promise<{ method: M, url: string, headers: Record<string, string> }>} in the dialect's words
 */
async function signRequest(request, { credentials, region, nowMs, dialect = amazon }) {
  const { method, origin, path } = request
  const { query, headers } = dialect.translate(request)
  const search = canonicalQuery(query)
  const url = `${origin}${path}${search && `?${search}`}`
  const all = { host: hostOf(origin), ...headers }
  if (credentials === null) return { method, url, headers: all }
  const context = { credentials, region, nowMs, dialect }
  return { method, url, headers: signAllowed({ method, path, query: search, headers: all }, context) }
}

/**
 * Signs all headers but those that the dialect never signs.
 *
 * @param {{ method: string, path: string, query: string, headers: Record<string, string> }} request query: canonical
 * @param {{ credentials: Credentials, region: string, nowMs: number, dialect: Dialect }} context
 * @returns {Record<string, string>} all headers
 */
function signAllowed(request, { credentials, region, nowMs, dialect }) {
  const { signature: names, unsigned } = dialect
  const context = { credentials, region, nowMs, names }
  if (!unsigned) return signHeaders(request, context)
  const entries = Object.entries(request.headers)
  const signed = Object.fromEntries(entries.filter(([name]) => !unsigned.has(name)))
  const left = Object.fromEntries(entries.filter(([name]) => unsigned.has(name)))
  return { ...signHeaders({ ...request, headers: signed }, context), ...left }
}

/** @param {Record<string, string>} query not encoded */
function canonicalQuery(query) {
  return Object.keys(query)
    .sort()
    .map(name => `${encode(name)}=${encode(query[name])}`)
    .join('&')
}

/** Cache by origin; there are only two or three. @type {Map<string, string>} */
const hosts = new Map()

/** @param {string} origin @returns {string} without the default port */
function hostOf(origin) {
  const known = hosts.get(origin) ?? new URL(origin).host
  hosts.set(origin, known)
  return known
}

module.exports = { canonicalQuery, signRequest, encodeKey, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER }
