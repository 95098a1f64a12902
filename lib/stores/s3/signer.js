'use strict'

/**
 * Prepares the data requests that functions send, and has sigv4.js compute their signature (AWS Signature Version 4). It is
 * in headers, not in the URL. `Sha256` is for control calls, which the SDK signs.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * The signature covers host, range, if-match, content-length, content headers and every x-amz-*. So a request that leaks from
 * a function is valid only for that range or part, and only while the store accepts the signature (15 minutes).
 */

const { createHash, createHmac } = require('node:crypto')
const { signHeaders } = require('./sigv4')

/** @typedef {import('../../types').Credentials} Credentials */

const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const UNSIGNED_WITH_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

/** The hash of control calls, in the shape that the SDK's signer expects; uses node:crypto. */
class Sha256 {
  /** @param {any} [secret] */
  constructor(secret) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }

  /**
   * In a header's value each character is one byte, as Node.js reads and sends it. The signature is over those bytes.
   *
   * @param {Uint8Array} data UTF-8 of the text that the SDK's signer hashes
   */
  update(data) {
    this.hash.update(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString(), 'latin1')
  }

  async digest() {
    return new Uint8Array(this.hash.digest())
  }
}

/**
 * @typedef {object} UnsignedRequest
 * @property {'GET' | 'PUT'} method
 * @property {string} origin
 * @property {string} path encoded, sent unchanged
 * @property {Record<string, string>} query not encoded
 * @property {Record<string, string>} headers names in lower case
 */

/**
 * @param {UnsignedRequest} request
 * @param {{ credentials: Credentials | null, region: string, nowMs: number }} context credentials null: the request is not signed
 * @returns {Promise<{ method: 'GET' | 'PUT', url: string, headers: Record<string, string> }>}
 */
async function signRequest({ method, origin, path, query, headers }, { credentials, region, nowMs }) {
  const search = Object.keys(query)
    .sort()
    .map(name => `${encode(name)}=${encode(query[name])}`)
    .join('&')
  const url = `${origin}${path}${search && `?${search}`}`
  const all = { host: hostOf(origin), ...headers }
  if (credentials === null) return { method, url, headers: all }
  const signed = signHeaders({ method, path, query: search, headers: all }, { credentials, region, nowMs })
  return { method, url, headers: signed }
}

/** Cache by origin; there are only two or three. @type {Map<string, string>} */
const hosts = new Map()

/** @param {string} origin @returns {string} without the default port */
function hostOf(origin) {
  const known = hosts.get(origin) ?? new URL(origin).host
  hosts.set(origin, known)
  return known
}

/** Percent-encodes all but RFC 3986's unreserved characters, as the signature's canonical form requires. @param {string} text */
function encode(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Keys that need no encoding. */
const PLAIN_KEY = /^[\w.~/-]*$/

/** A key as a path: its slashes stay, and so do `.` and `..` segments. @param {string} key */
function encodeKey(key) {
  if (PLAIN_KEY.test(key)) return key
  return key.split('/').map(encode).join('/')
}

module.exports = { signRequest, encodeKey, Sha256, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER }
