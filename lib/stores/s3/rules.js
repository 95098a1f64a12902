'use strict'

/**
 * What S3's answers mean, as rules for the action.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */

/** @typedef {import('../../types').AnswerRule} AnswerRule */

const { FRAMING } = require('../../../actions/copy-range/stores')
const { CONTENT_HEADERS } = require('../common')

/** User metadata: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const META = 'x-amz-meta-'

/** @type {Array<'crc32' | 'crc32c' | 'crc64nvme'>} */
const CRCS = ['crc32', 'crc32c', 'crc64nvme']
/** The header with a checksum of the object. @param {import('../../types').Sum} sum */
const sumHeader = sum => `x-amz-checksum-${sum}`
/** Whether they are of the whole object, or of its parts' checksums. */
const SUM_TYPE = 'x-amz-checksum-type'
const FULL = 'FULL_OBJECT'
const SUM_HEADERS = [...CRCS.map(sumHeader), SUM_TYPE]

/** "Error responses" in the Amazon S3 API reference. @type {AnswerRule['errorCode']} */
const errorCode = { xml: ['Error', 'Code'] }

/** @type {AnswerRule} */
const READ = {
  statuses: [200, 206],
  etag: { header: 'etag', required: true },
  changed: [412],
  // Stores older than the type give a composite checksum a number of parts after a dash, which is no base64.
  checksums: CRCS.map(sum => ({
    sum,
    header: sumHeader(sum),
    encoding: 'base64',
    only: { header: SUM_TYPE, value: FULL },
  })),
  describes: {
    names: [
      ...[...CONTENT_HEADERS, 'expires'],
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
  tells: ['x-amz-version-id', 'last-modified', ...SUM_HEADERS],
  errorCode,
}

/** Of a part and of a whole object. @type {AnswerRule} */
const WRITE = {
  statuses: [200],
  etag: { header: 'etag', required: true },
  tells: ['x-amz-version-id', ...SUM_HEADERS, 'x-amz-server-side-encryption'],
  errorCode,
}

module.exports = { CRCS, FULL, META, READ, sumHeader, SUM_TYPE, WRITE }
