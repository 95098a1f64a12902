'use strict'

/**
 * What S3's answers mean: rules for the action, and checksums as S3 writes them in headers and in documents.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 */

/** @typedef {import('../../types').AnswerRule} AnswerRule */

const { FRAMING } = require('../../../actions/copy-range/stores')
const { decodeSum } = require('../../../actions/copy-range/sums')
const { CONTENT_HEADERS } = require('../common')

/** User metadata: https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const META = 'x-amz-meta-'
const STORAGE_CLASS = 'x-amz-storage-class'
const TAG_COUNT = 'x-amz-tagging-count'
const ENCRYPTION = 'x-amz-server-side-encryption'
const KEY_ID = 'x-amz-server-side-encryption-aws-kms-key-id'
const REDIRECT = 'x-amz-website-redirect-location'

/** @type {Array<'crc32' | 'crc32c' | 'crc64nvme'>} */
const CRCS = ['crc32', 'crc32c', 'crc64nvme']
/** The header with a checksum of the object. @param {import('../../types').Sum} sum */
const sumHeader = sum => `x-amz-checksum-${sum}`
/** Whether they are of the whole object, or of its parts' checksums. */
const SUM_TYPE = 'x-amz-checksum-type'
const FULL = 'FULL_OBJECT'
const SUM_HEADERS = [...CRCS.map(sumHeader), SUM_TYPE]
const HEADERS = { crc32: sumHeader('crc32'), crc32c: sumHeader('crc32c'), crc64nvme: sumHeader('crc64nvme') }

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
      ...[...CONTENT_HEADERS, 'expires', STORAGE_CLASS, TAG_COUNT, ENCRYPTION, KEY_ID, REDIRECT],
      ...['x-amz-object-lock-mode', 'x-amz-object-lock-legal-hold', 'x-amz-missing-meta'],
    ],
    prefixes: [META],
    defaults: {
      [STORAGE_CLASS]: 'STANDARD',
      [TAG_COUNT]: '0',
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
  tells: ['x-amz-version-id', ...SUM_HEADERS, ENCRYPTION],
  errorCode,
}

/** @typedef {import('../../types').Sums} Sums */

/**
 * The checksums that a store keeps of an object, from the answer to a HEAD, a GET or a PUT. Stores that do not send the type
 * mark a composite value by a dash and a part count.
 *
 * @param {Record<string, string | undefined>} headers by names in lower case
 * @returns {{ sums?: Sums, composite?: { crc32: string } }}
 */
function sumsOf(headers) {
  return sumsFrom(sum => headers[HEADERS[sum]], headers[SUM_TYPE])
}

/**
 * The same, from a document.
 *
 * @param {Record<string, any>} values of its elements
 * @returns {{ sums?: Sums, composite?: { crc32: string } }}
 */
function sumsIn(values) {
  return sumsFrom(sum => values[`Checksum${sum.toUpperCase()}`], values.ChecksumType)
}

/** @param {(sum: typeof CRCS[number]) => string | undefined} textOf @param {string} [type] */
function sumsFrom(textOf, type = FULL) {
  const crc32 = textOf('crc32')
  // A composite value of another checksum is of no use: those of our parts are not computed by its rules.
  const composite = crc32 && (type !== FULL || crc32.includes('-')) ? { composite: { crc32 } } : {}
  if (type !== FULL) return composite
  /** @type {Sums | undefined} */
  let sums
  for (const sum of CRCS) {
    const text = textOf(sum)
    const value = text && decodeSum(sum, text, 'base64')
    if (value) sums = { ...sums, [sum]: value }
  }
  return sums ? { ...composite, sums } : composite
}

/** Names of headers. */
const NAMES = { ENCRYPTION, KEY_ID, META, REDIRECT, STORAGE_CLASS, TAG_COUNT }

module.exports = { CRCS, NAMES, READ, WRITE, sumHeader, sumsIn, sumsOf }
