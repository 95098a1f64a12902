'use strict'

/**
 * What the headers of an answer say of the object: attributes, checksums, and by what a change would be noticed. Pure. RFC
 * 9110 section 8.8, RFC 9530 section 3
 */

const { createHash } = require('node:crypto')
const { describing, sumsIn } = require('../../../actions/copy-range/answers')
const { CHECKSUMS, CONTENT_MD5, READ_DESCRIBES } = require('./rules')

/** @typedef {import('./types').Found} Found */
/** @typedef {Record<string, string>} Headers names in lower case */

/**
 * @param {Headers} headers
 * @returns {import('../contract').ObjectDescription}
 */
function descriptionOf(headers) {
  return { metadata: { headers: describing(headers, READ_DESCRIBES), user: {} } }
}

/**
 * By what a change is noticed, and what answers then have to repeat. A weak ETag may stay the same when bytes change.
 *
 * @param {Headers} headers
 * @returns {Pick<Found, 'pin' | 'etag' | 'modified'>}
 */
function pinOf({ etag = '', 'last-modified': modified }) {
  const date = modified !== undefined && !Number.isNaN(Date.parse(modified)) ? { modified } : {}
  if (/^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return { pin: 'strong', etag, ...date }
  if (/^W\/"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag)) return { pin: 'weak', etag, ...date }
  if (date.modified !== undefined) return { pin: 'date', etag: date.modified, ...date }
  return { pin: 'size', etag: '' }
}

/**
 * The checksums of the whole object.
 *
 * @param {Headers} headers of an answer
 * @param {Buffer} [piece] the bytes that it brought, if they are a part of the object
 * @returns {Found['sums']}
 */
function sumsOf(headers, piece) {
  const own = headers['content-md5']
  // Some servers mean the part that they send, and some the object.
  const ofPart = piece && createHash('md5').update(piece).digest('base64') === own
  const told = isUnpacked(headers) ? withoutStored(headers) : headers
  return sumsIn(told, ofPart ? CHECKSUMS : [CONTENT_MD5, ...CHECKSUMS])
}

/**
 * Whether Google sends other bytes than those that it keeps, whose checksums it tells: what is kept packed is unpacked for who
 * does not ask for gzip. https://cloud.google.com/storage/docs/transcoding
 *
 * @param {Headers} headers
 */
function isUnpacked(headers) {
  const { 'x-goog-stored-content-encoding': stored = 'identity', 'content-encoding': sent = 'identity' } = headers
  return stored !== sent
}

/** @param {Headers} headers @returns {Headers} */
function withoutStored({ 'x-goog-hash': _, ...headers }) {
  return headers
}

/**
 * Whether the ETag may be an MD5: AWS's of an object in one piece, unless it is encrypted with a key of KMS or of the user. Other
 * servers' ETags may look like one, and be none. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html
 *
 * @param {Headers} headers
 */
function hasMd5Tag({ server, etag = '', ...headers }) {
  const { 'x-amz-server-side-encryption': encryption = 'AES256' } = headers
  const own = headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined
  return server === 'AmazonS3' && /^"[0-9a-f]{32}"$/.test(etag) && encryption === 'AES256' && !own
}

module.exports = { descriptionOf, hasMd5Tag, pinOf, sumsOf }
