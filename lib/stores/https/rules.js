'use strict'

/** What the answers of an HTTPS source mean. RFC 9110; of the checksums' headers, the pages of those who send them. */

/** @typedef {import('../../types').AnswerRule} AnswerRule */

/** What an object keeps of its source. */
const CONTENT_HEADERS = ['content-type', 'cache-control', 'content-disposition', 'content-language']

const READ_DESCRIBES = { names: CONTENT_HEADERS }

/** Checksums of the whole object, in an answer to a range too. @type {NonNullable<AnswerRule['checksums']>} */
const CHECKSUMS = [
  // https://cloud.google.com/storage/docs/xml-api/reference-headers#xgooghash
  { sum: 'crc32c', header: 'x-goog-hash', member: 'crc32c', encoding: 'base64' },
  { sum: 'md5', header: 'x-goog-hash', member: 'md5', encoding: 'base64' },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
  ...['crc32', 'crc32c', 'crc64nvme'].map(sum => ({
    sum: /** @type {import('../../types').Sum} */ (sum),
    header: `x-amz-checksum-${sum}`,
    encoding: /** @type {const} */ ('base64'),
    only: { header: 'x-amz-checksum-type', value: 'FULL_OBJECT' },
  })),
  // https://learn.microsoft.com/rest/api/storageservices/get-blob
  { sum: 'md5', header: 'x-ms-blob-content-md5', encoding: 'base64' },
  // RFC 9530 section 3, and RFC 3230 before it.
  ...['repr-digest', 'digest'].flatMap(header =>
    /** @type {const} */ (['md5', 'crc32c']).map(sum => ({
      sum,
      header,
      member: sum,
      encoding: /** @type {const} */ ('base64'),
    })),
  ),
]

/** Of the object in an answer without a range; else of the range, with some servers. @type {NonNullable<AnswerRule['checksums']>[0]} */
const CONTENT_MD5 = { sum: 'md5', header: 'content-md5', encoding: 'base64' }

/**
 * The rule for reads of an object.
 *
 * @param {Pick<import('./types').Found, 'pin' | 'lenient'>} found
 * @param {boolean} ranged whether a part of the object is asked for
 * @returns {AnswerRule}
 */
function readRule({ pin, lenient }, ranged) {
  return RULES[`${pin} ${ranged ? (lenient ? 'lenient' : 'range') : 'whole'}`]
}

/** @param {import('./types').Pin} pin @param {number[]} statuses @returns {AnswerRule} */
function rule(pin, statuses) {
  const header = pin === 'date' ? 'last-modified' : 'etag'
  return {
    statuses,
    changed: [412, 416],
    ...(pin !== 'size' && { etag: { header, required: true } }),
    // They are compared where the whole object is read: then both meanings of Content-MD5 are the same.
    checksums: [...CHECKSUMS, CONTENT_MD5],
    describes: READ_DESCRIBES,
    tells: ['last-modified', ...new Set([...CHECKSUMS, CONTENT_MD5].map(one => one.header)), 'x-amz-checksum-type'],
    // Of a presigned address.
    errorCode: { xml: ['Error', 'Code'] },
  }
}

const PINS = /** @type {const} */ (['strong', 'weak', 'date', 'size'])

/** One object for each: an invocation sends each once. @type {Record<string, AnswerRule>} */
const RULES = Object.fromEntries(
  PINS.flatMap(pin => [
    [`${pin} range`, rule(pin, [206])],
    [`${pin} lenient`, rule(pin, [200, 206])],
    [`${pin} whole`, rule(pin, [200])],
  ]),
)

module.exports = { CHECKSUMS, CONTENT_MD5, READ_DESCRIBES, readRule }
