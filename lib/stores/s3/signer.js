'use strict'

/**
 * Signs the data requests that functions play. AWS Signature Version 4 in headers, not in the URL:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * Signed are host, range, if-match, content-length, content headers and every x-amz-*, so what leaks from a function
 * is good for that one range or part and nothing else, for as long as the store takes the signature (15 minutes).
 */

const { createHash, createHmac } = require('node:crypto')
const { signHeaders } = require('./sigv4')

/** @typedef {import('../../types').Credentials} Credentials */

const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const UNSIGNED_WITH_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

/** The hash of control calls, in the shape that the SDK's signer wants; node:crypto does the work. */
class Sha256 {
  /** @param {any} [secret] */
  constructor(secret) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }

  /**
   * A header's value holds a character for a byte, as Node reads and sends it, and the signature is of those bytes.
   *
   * @param {Uint8Array} data UTF-8 of what the SDK's signer hashes, which is text always
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
 * @property {string} path encoded, and sent as it stands
 * @property {Record<string, string>} query not encoded
 * @property {Record<string, string>} headers names in lower case
 */

/**
 * @param {UnsignedRequest} request
 * @param {{ credentials: Credentials | null, region: string, nowMs: number }} context credentials null: not signed
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

/** By origin, of which there are two or three. @type {Map<string, string>} */
const hosts = new Map()

/** @param {string} origin @returns {string} without the port that its scheme has by itself */
function hostOf(origin) {
  const known = hosts.get(origin) ?? new URL(origin).host
  hosts.set(origin, known)
  return known
}

/** Percent-encodes all but RFC 3986's unreserved characters, as the signature's canonical form wants. @param {string} text */
function encode(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Which nothing is done to. */
const PLAIN_KEY = /^[\w.~/-]*$/

/** A key as a path: its slashes stay, and so do `.` and `..` segments. @param {string} key */
function encodeKey(key) {
  if (PLAIN_KEY.test(key)) return key
  return key.split('/').map(encode).join('/')
}

module.exports = { signRequest, encodeKey, Sha256, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER }
