'use strict'

/**
 * What the answers of Azure Blob Storage mean, and what metadata a blob can have. Pure.
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-rest-api
 */

/** @typedef {import('../../types').AnswerRule} AnswerRule */

/**
 * Names of metadata are identifiers of C#, of which headers can hold those of ASCII.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#metadata-names
 */
const IDENTIFIER = /^[a-z_][a-z0-9_]*$/i

/** Of the headers that describe content, `expires` is none. */
const CONTENT_HEADERS = ['content-type', 'cache-control', 'content-encoding', 'content-language', 'content-disposition']

/** @type {NonNullable<import('../contract').Store['metadataFault']>} */
function metadataFault(name) {
  return IDENTIFIER.test(name) ? undefined : 'is no identifier (letters, digits and _, no digit first)'
}

const META = 'x-ms-meta-'
/** Of what was received, little-endian. */
const CRC64 = 'x-ms-content-crc64'
const TAG_COUNT = 'x-ms-tag-count'
const VERSION_ID = 'x-ms-version-id'
const SCOPE = 'x-ms-encryption-scope'
const BLOB_TYPE = 'x-ms-blob-type'
const LEGAL_HOLD = 'x-ms-legal-hold'
const IMMUTABLE_UNTIL = 'x-ms-immutability-policy-until-date'

/** @type {AnswerRule['errorCode']} */
const errorCode = { header: 'x-ms-error-code' }

/**
 * https://learn.microsoft.com/rest/api/storageservices/get-blob
 *
 * @type {AnswerRule}
 */
const READ = {
  statuses: [200, 206],
  etag: { header: 'etag', required: true },
  changed: [412],
  checksums: [
    // With a range.
    { sum: 'md5', header: 'x-ms-blob-content-md5', encoding: 'base64' },
    { sum: 'md5', header: 'content-md5', encoding: 'base64' },
  ],
  describes: { names: [...CONTENT_HEADERS, TAG_COUNT], prefixes: [META], defaults: { [TAG_COUNT]: '0' } },
  tells: [
    VERSION_ID,
    'last-modified',
    'content-md5',
    'x-ms-blob-content-md5',
    SCOPE,
    BLOB_TYPE,
    LEGAL_HOLD,
    IMMUTABLE_UNTIL,
  ],
  errorCode,
}

/** https://learn.microsoft.com/rest/api/storageservices/put-block @type {AnswerRule & Required<Pick<AnswerRule, 'checksums'>>} */
const WRITE_BLOCK = {
  statuses: [201],
  checksums: [{ sum: 'crc64nvme', header: CRC64, encoding: 'base64le' }],
  tells: [CRC64],
  errorCode,
}

/** https://learn.microsoft.com/rest/api/storageservices/put-blob @type {AnswerRule} */
const WRITE_BLOB = {
  ...WRITE_BLOCK,
  etag: { header: 'etag', required: true },
  checksums: [...WRITE_BLOCK.checksums, { sum: 'md5', header: 'content-md5', encoding: 'base64' }],
  tells: [CRC64, 'content-md5', VERSION_ID],
}

module.exports = {
  BLOB_TYPE,
  CONTENT_HEADERS,
  CRC64,
  IDENTIFIER,
  IMMUTABLE_UNTIL,
  LEGAL_HOLD,
  META,
  READ,
  SCOPE,
  TAG_COUNT,
  VERSION_ID,
  WRITE_BLOB,
  WRITE_BLOCK,
  metadataFault,
}
