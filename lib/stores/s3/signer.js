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
 * @returns {{ method: M, url: string, headers: Record<string, string> }} in the dialect's words
 */
function signRequest(request, { credentials, region, nowMs, dialect = amazon }) {
  const { method, origin, path } = request
  const { query, headers } = dialect.translate(request)
  const search = canonicalQuery(query)
  const url = `${origin}${path}${search && `?${search}`}`
  const all = { host: hostOf(origin), ...headers }
  if (credentials === null) return { method, url, headers: all }
  const { signature: names, unsigned } = dialect
  const how = { credentials, region, nowMs, names, unsigned }
  return { method, url, headers: signHeaders({ method, path, query: search, headers: all }, how) }
}

/** @param {string} origin as `URL` writes it */
function hostOf(origin) {
  return origin.slice(origin.indexOf('//') + 2)
}

/** @param {Record<string, string>} query not encoded */
function canonicalQuery(query) {
  return Object.keys(query)
    .sort()
    .map(name => `${encode(name)}=${encode(query[name])}`)
    .join('&')
}

module.exports = { canonicalQuery, hostOf, signRequest, encodeKey, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER }
