'use strict'

/**
 * Signs the data requests that functions play. AWS Signature Version 4 in headers, not in the URL:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * Signed are host, range, if-match, content-length, content headers and every x-amz-*, so what leaks from a function
 * is good for that one range or part and nothing else, for as long as the store takes the signature (15 minutes).
 */

const { createHash, createHmac } = require('node:crypto')

/** @typedef {import('../../types').Credentials} Credentials */

const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'
const UNSIGNED_WITH_TRAILER = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'

/** Headers that the SDK's signer leaves out unless it is told otherwise. */
const ALSO_SIGNED = new Set(['cache-control'])

/** The hash in the shape that the SDK's signer wants; node:crypto does the work. */
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
async function signRequest(request, { credentials, region, nowMs }) {
  const { method, origin, path, query } = request
  const url = new URL(origin)
  const headers = { host: url.host, ...request.headers }
  const search = Object.keys(query)
    .sort()
    .map(name => `${encode(name)}=${encode(query[name])}`)
    .join('&')
  const target = `${origin}${path}${search && `?${search}`}`
  if (credentials === null) return { method, url: target, headers }

  const signed = await signerFor(credentials, region).sign(
    { method, protocol: url.protocol, hostname: url.hostname, path, query, headers },
    { signingDate: new Date(nowMs), signableHeaders: ALSO_SIGNED },
  )
  return { method, url: target, headers: signed.headers }
}

/** One signer for each credentials object and region: it keeps the day's derived key. @type {WeakMap<Credentials, Map<string, any>>} */
const signers = new WeakMap()

/** @param {Credentials} credentials @param {string} region */
function signerFor(credentials, region) {
  const byRegion = signers.get(credentials) ?? new Map()
  signers.set(credentials, byRegion)
  let signer = byRegion.get(region)
  if (!signer) {
    const { SignatureV4 } = require('@smithy/signature-v4')
    signer = new SignatureV4({
      service: 's3',
      region,
      credentials,
      sha256: Sha256,
      // S3 is the one service whose paths are encoded once, and taken as they are.
      uriEscapePath: false,
      applyChecksum: false,
    })
    byRegion.set(region, signer)
  }
  return signer
}

/** Percent-encodes all but RFC 3986's unreserved characters, as the signature's canonical form wants. @param {string} text */
function encode(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A key as a path: its slashes stay, and so do `.` and `..` segments. @param {string} key */
function encodeKey(key) {
  return key.split('/').map(encode).join('/')
}

module.exports = { signRequest, encodeKey, Sha256, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER }
