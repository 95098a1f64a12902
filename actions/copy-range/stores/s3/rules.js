'use strict'

/**
 * What S3's answers mean. The action assumes these rules for a request that brings none of its own: clients older than such
 * rules bring none, and those that copy between S3 stores need not.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */

/** @typedef {import('../../../../lib/types').AnswerRule} AnswerRule */

const CONTENT_HEADERS = [
  'content-type',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-disposition',
  'expires',
]
/** User metadata: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const META = 'x-amz-meta-'

const CRC32 = 'x-amz-checksum-crc32'
const CRC32_TYPE = 'x-amz-checksum-type'

/** The name that an upload's framing has in Content-Encoding, where some stores keep it as if it were the object's. */
const FRAMING = 'aws-chunked'

/** "Error responses" in the Amazon S3 API reference. @type {AnswerRule['errorCode']} */
const errorCode = { xml: ['Error', 'Code'] }

/** @type {AnswerRule} */
const READ = {
  statuses: [200, 206],
  etag: { header: 'etag', required: true },
  changed: [412],
  // Stores older than the type give a composite checksum a number of parts after a dash, which is no base64.
  checksum: { sum: 'crc32', header: CRC32, encoding: 'base64', only: { header: CRC32_TYPE, value: 'FULL_OBJECT' } },
  describes: {
    names: [
      ...CONTENT_HEADERS,
      'x-amz-storage-class',
      'x-amz-tagging-count',
      'x-amz-server-side-encryption',
      'x-amz-server-side-encryption-aws-kms-key-id',
      'x-amz-website-redirect-location',
      'x-amz-object-lock-mode',
      'x-amz-object-lock-legal-hold',
      'x-amz-missing-meta',
    ],
    prefixes: [META],
    defaults: {
      'x-amz-storage-class': 'STANDARD',
      'x-amz-tagging-count': '0',
      'x-amz-object-lock-legal-hold': 'OFF',
      'x-amz-missing-meta': '0',
    },
    framings: [FRAMING],
  },
  tells: ['x-amz-version-id', 'last-modified', CRC32, CRC32_TYPE],
  errorCode,
}

/** Of a part and of a whole object. @type {AnswerRule} */
const WRITE = {
  statuses: [200],
  etag: { header: 'etag', required: true },
  tells: ['x-amz-version-id', CRC32, CRC32_TYPE, 'x-amz-server-side-encryption'],
  errorCode,
}

module.exports = { CONTENT_HEADERS, CRC32, CRC32_TYPE, FRAMING, META, READ, WRITE }
