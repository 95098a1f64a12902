'use strict'

/**
 * What the answers of an HTTPS source mean: the rule for reads, what headers say of the object, and by what a change would be
 * noticed. Pure. RFC 9110 section 8.8, RFC 9530 section 3; of the checksums' headers, the pages of those who send them.
 */

const { createHash } = require('node:crypto')
const { describing, sumsIn } = require('../../../actions/copy-range/answers')

/** @typedef {import('./types').Found} Found */
/** @typedef {Record<string, string>} Headers names in lower case */
/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** What an object keeps of its source. */
const READ_DESCRIBES = { names: ['content-type', 'cache-control', 'content-disposition', 'content-language'] }

/** @param {import('../../types').Sum} sum @param {string} header @param {object} [more] */
const checksum = (sum, header, more) => ({ sum, header, encoding: /** @type {const} */ ('base64'), ...more })

/** Checksums of the whole object, in an answer to a range too. @type {NonNullable<AnswerRule['checksums']>} */
const CHECKSUMS = [
  // https://cloud.google.com/storage/docs/xml-api/reference-headers#xgooghash
  checksum('crc32c', 'x-goog-hash', { member: 'crc32c' }),
  checksum('md5', 'x-goog-hash', { member: 'md5' }),
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
  .../** @type {const} */ (['crc32', 'crc32c', 'crc64nvme']).map(sum =>
    checksum(sum, `x-amz-checksum-${sum}`, { only: { header: 'x-amz-checksum-type', value: 'FULL_OBJECT' } }),
  ),
  // https://learn.microsoft.com/rest/api/storageservices/get-blob
  checksum('md5', 'x-ms-blob-content-md5'),
  // RFC 9530 section 3, and RFC 3230 before it.
  ...['repr-digest', 'digest'].flatMap(header => [
    checksum('md5', header, { member: 'md5' }),
    checksum('crc32c', header, { member: 'crc32c' }),
  ]),
]

/** Of the object in an answer without a range; else of the range, with some servers. */
const CONTENT_MD5 = checksum('md5', 'content-md5')

/** By pin and kind of read; one object for each: an invocation sends each once. @type {Map<string, AnswerRule>} */
const rules = new Map()

/**
 * The rule for reads of an object.
 *
 * @param {import('./types').Pin} pin
 * @param {200 | 206} status 206: a part of the object is asked for
 * @returns {AnswerRule}
 */
function readRule(pin, status) {
  const known = rules.get(`${pin} ${status}`)
  if (known) return known
  const header = pin === 'date' ? 'last-modified' : 'etag'
  const rule = {
    statuses: [status],
    changed: [412, 416],
    ...(pin !== 'size' && { etag: { header, required: true } }),
    // They are compared where the whole object is read: then both meanings of Content-MD5 are the same.
    checksums: [...CHECKSUMS, CONTENT_MD5],
    describes: READ_DESCRIBES,
    tells: ['last-modified', ...new Set([...CHECKSUMS, CONTENT_MD5].map(one => one.header)), 'x-amz-checksum-type'],
    // Of a presigned address.
    errorCode: { xml: /** @type {[string, string]} */ (['Error', 'Code']) },
  }
  rules.set(`${pin} ${status}`, rule)
  return rule
}

/**
 * What the headers of an answer tell of the object.
 *
 * @param {Headers} headers
 * @param {Buffer} [piece] the bytes that it brought, if they are a part of the object
 * @returns {Pick<Found, 'pin' | 'etag' | 'modified' | 'md5Tag' | 'description'>}
 */
function foundIn(headers, piece) {
  const pinned = pinOf(headers)
  const changed = pinned.modified !== undefined && { lastModifiedMs: Date.parse(pinned.modified) }
  return { ...pinned, md5Tag: hasMd5Tag(headers), description: { ...descriptionOf(headers, piece), ...changed } }
}

/**
 * @param {Headers} headers
 * @param {Buffer} [piece] as of `foundIn`
 * @returns {Pick<import('../contract').ObjectHead, 'metadata' | 'sums'>}
 */
function descriptionOf(headers, piece) {
  const sums = sumsOf(headers, piece)
  return {
    metadata: { headers: describing(headers, READ_DESCRIBES), user: {} },
    ...(Object.keys(sums).length > 0 && { sums }),
  }
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
 * @param {Headers} headers
 * @param {Buffer} [piece] as of `foundIn`
 */
function sumsOf(headers, piece) {
  // Some servers mean the part that they send, and some the object.
  const ofPart = piece && createHash('md5').update(piece).digest('base64') === headers['content-md5']
  const { 'x-goog-hash': _, ...others } = headers
  return sumsIn(isUnpacked(headers) ? others : headers, ofPart ? CHECKSUMS : [CONTENT_MD5, ...CHECKSUMS])
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

module.exports = { descriptionOf, foundIn, readRule }
