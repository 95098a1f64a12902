'use strict'

/**
 * The headers of an answer that say what an object is described by: content headers, user metadata, storage class,
 * number of tags, encryption, lock. They are all of an answer's head that may leave the function, and only as much as objects
 * are allowed to have.
 */

/** @typedef {import('../transport').Answer} Answer */

const CONTENT_HEADERS = [
  'content-type',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-disposition',
  'expires',
]
/** Beside those whose name begins as META does. */
const DESCRIBING = [
  ...CONTENT_HEADERS,
  'x-amz-storage-class',
  'x-amz-tagging-count',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-website-redirect-location',
  'x-amz-object-lock-mode',
  'x-amz-object-lock-legal-hold',
  'x-amz-missing-meta',
]
/** What says the same as nothing. @type {Record<string, string>} */
const USUAL = {
  'x-amz-storage-class': 'STANDARD',
  'x-amz-tagging-count': '0',
  'x-amz-object-lock-legal-hold': 'OFF',
  'x-amz-missing-meta': '0',
}
const META = 'x-amz-meta-'

/** What else is told of a read, and of a write, where that is asked for. */
const CRC32 = 'x-amz-checksum-crc32'
const CRC32_TYPE = 'x-amz-checksum-type'
const ALSO_READ = ['x-amz-version-id', 'last-modified', CRC32, CRC32_TYPE]
const ALSO_WRITTEN = ['x-amz-version-id', CRC32, CRC32_TYPE, 'x-amz-server-side-encryption']

/**
 * S3 allows 2 KB of user metadata and 8 KB of headers in a PUT: what is longer is of no store that was copied from.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 */
const MOST_BYTES = 8_192

/**
 * What says the same as nothing is left out: the usual storage class, a count of no tags, an empty content header, and
 * the framing of an upload that some stores keep as if it were the object's own encoding.
 *
 * @param {Answer['headers']} headers by their names in lower case
 * @returns {Record<string, string>} without a prototype's names, in the order of the names
 */
function describing(headers) {
  const names = Object.keys(headers).filter(name => DESCRIBING.includes(name) || name.startsWith(META))
  const entries = names.sort().map(name => [name, ownValue(name, joined(headers[name]))])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** @param {string} name @param {string} value @returns {string | undefined} undefined: it says nothing */
function ownValue(name, value) {
  if (name.startsWith(META)) return value
  if (name === 'content-encoding') return withoutFraming(value)
  return value === '' || value === USUAL[name] ? undefined : value
}

/** @param {string} encoding */
function withoutFraming(encoding) {
  const tokens = encoding.split(',').map(token => token.trim())
  const own = tokens.includes('aws-chunked') ? tokens.filter(token => token !== 'aws-chunked').join(',') : encoding
  return own === '' ? undefined : own
}

/** @param {string | string[] | undefined} value */
function joined(value) {
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}

/**
 * @param {Record<string, string>} found
 * @param {Record<string, string>} expected
 */
function isAs(found, expected) {
  const names = Object.keys(found)
  return (
    names.length === Object.keys(expected).length &&
    names.every(name => Object.hasOwn(expected, name) && expected[name] === found[name])
  )
}

/** @param {Answer['headers']} headers @param {string[]} names @returns {Record<string, string>} */
function some(headers, names) {
  const there = names.filter(name => headers[name] !== undefined && headers[name] !== '')
  return Object.fromEntries(there.map(name => [name, joined(headers[name])]))
}

/**
 * @param {Record<string, string>} headers
 * @returns {Record<string, string> | undefined} the same; undefined where they are longer than those of objects are
 */
function unlessLong(headers) {
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return bytes > MOST_BYTES ? undefined : headers
}

/**
 * What is told of a task that was done.
 *
 * @param {Answer['headers']} read of its answer
 * @param {Answer['headers'] | undefined} write likewise; undefined of a task without one
 * @returns {import('../../../lib/types').TaskHeaders}
 */
function toldOf(read, write) {
  const described = unlessLong({ ...describing(read), ...some(read, ALSO_READ) })
  return { ...(described && { read: described }), ...(write && { write: unlessLong(some(write, ALSO_WRITTEN)) ?? {} }) }
}

/**
 * The CRC-32 of the whole object, where the answer to a read tells it: stores older than the type give a composite one a
 * number of parts after a dash. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 *
 * @param {Answer['headers']} headers
 * @returns {number | undefined} an unsigned 32-bit integer
 */
function fullCrc32(headers) {
  const [crc32, type] = [CRC32, CRC32_TYPE].map(name => joined(headers[name]))
  const usable = /^[A-Za-z0-9+/]{6}==$/.test(crc32) && (type === '' || type === 'FULL_OBJECT')
  return usable ? Buffer.from(crc32, 'base64').readUInt32BE(0) : undefined
}

module.exports = { CONTENT_HEADERS, CRC32, CRC32_TYPE, describing, fullCrc32, isAs, META, toldOf, unlessLong }
