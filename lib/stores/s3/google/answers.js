'use strict'

/** The headers of Google's answers in S3's words. Pure. https://cloud.google.com/storage/docs/xml-api/reference-headers */

const { HASH, META } = require('./rules')

/** @type {Record<string, string>} */
const NAMES = {
  'x-goog-generation': 'x-amz-version-id',
  'x-goog-storage-class': 'x-amz-storage-class',
  'x-goog-object-lock-mode': 'x-amz-object-lock-mode',
  'x-goog-encryption-kms-key-name': 'x-amz-server-side-encryption-aws-kms-key-id',
}
/** In bytes. @type {Record<'crc32c' | 'md5', number>} */
const WIDTHS = { crc32c: 4, md5: 16 }

/**
 * @param {Record<string, string>} headers names in lower case
 * @returns {Record<string, string>}
 */
function readAnswer(headers) {
  /** @type {Record<string, string>} */
  const read = {}
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(META)) read[`x-amz-meta-${name.slice(META.length)}`] = value
    else if (NAMES[name] !== undefined) read[NAMES[name]] = value
    else read[name] = value
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

/**
 * The checksums in `x-goog-hash: crc32c=…,md5=…`. The header may also come twice, with one each.
 *
 * @param {Record<string, string>} headers names in lower case
 * @returns {import('../../contract').Sums}
 */
function readSums({ [HASH]: text = '' }) {
  const members = String(text)
    .split(',')
    .map(member => /^\s*(crc32c|md5)=([A-Za-z0-9+/]+=*)\s*$/.exec(member))
  const sums = members.flatMap(found => {
    if (!found) return []
    const bytes = Buffer.from(found[2], 'base64')
    const sum = /** @type {'crc32c' | 'md5'} */ (found[1])
    return bytes.length === WIDTHS[sum] ? [[sum, bytes.toString('hex')]] : []
  })
  return Object.fromEntries(sums)
}

module.exports = { readAnswer, readSums }
