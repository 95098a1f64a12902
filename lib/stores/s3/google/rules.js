'use strict'

/** What Google's answers to data requests mean. https://cloud.google.com/storage/docs/xml-api/get-object-download */

const { sumsIn } = require('../../../../actions/copy-range/answers')
const { CONTENT_HEADERS } = require('../../common')

/** @typedef {import('../../../types').AnswerRule} AnswerRule */

const META = 'x-goog-meta-'
const HASH = 'x-goog-hash'

/** https://cloud.google.com/storage/docs/xml-api/reference-status @type {AnswerRule['errorCode']} */
const errorCode = { xml: ['Error', 'Code'] }

/** @type {AnswerRule} */
const READ = {
  statuses: [200, 206],
  etag: { header: 'etag', required: true },
  changed: [412],
  checksums: [
    { sum: 'crc32c', header: HASH, encoding: 'base64', member: 'crc32c' },
    { sum: 'md5', header: HASH, encoding: 'base64', member: 'md5' },
  ],
  describes: {
    names: [...CONTENT_HEADERS, 'x-goog-storage-class', 'x-goog-encryption-kms-key-name', 'x-goog-object-lock-mode'],
    prefixes: [META],
    defaults: { 'x-goog-storage-class': 'STANDARD' },
  },
  tells: ['x-goog-generation', 'last-modified', HASH],
  errorCode,
}

/** Of a part and of a whole object. @type {AnswerRule} */
const WRITE = {
  statuses: [200],
  etag: { header: 'etag', required: true },
  tells: ['x-goog-generation', HASH, 'x-goog-encryption-kms-key-name'],
  errorCode,
}

/**
 * The checksums in `x-goog-hash: crc32c=…,md5=…`. The header may also come twice, with one each.
 *
 * @param {Record<string, string>} headers names in lower case
 */
function readSums(headers) {
  return sumsIn(headers, READ.checksums)
}

module.exports = { META, READ, WRITE, readSums }
