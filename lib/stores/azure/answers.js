'use strict'

/**
 * What the answers of Azure Blob Storage mean, and what metadata a blob can have: the rules of data requests, and a blob's
 * attributes, from headers of answers to our own shape, and back to headers. In a header's value each character is one byte, as
 * Node.js reads and sends it. Pure.
 * https://learn.microsoft.com/rest/api/storageservices/setting-and-retrieving-properties-and-metadata-for-blob-resources
 */

const { describing, sumsIn } = require('../../../actions/copy-range/answers')
const { XferError } = require('../../errors')
const { mailSafe } = require('../../http')
const { CONTENT_HEADERS, metadataIn, tagQuery, userHeaders } = require('../common')

/** @typedef {import('../../types').AnswerRule} AnswerRule */

/**
 * Names of metadata are identifiers of C#, of which headers can hold those of ASCII.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata#metadata-names
 */
const IDENTIFIER = /^[a-z_][a-z0-9_]*$/i

/** @type {NonNullable<import('../contract').Store['metadataFault']>} */
function metadataFault(name) {
  return IDENTIFIER.test(name) ? undefined : 'is no identifier (letters, digits and _, no digit first)'
}

const META = 'x-ms-meta-'
/** The CRC-64 of the bytes that Azure received, little-endian. */
const CRC64 = 'x-ms-content-crc64'
const TAG_COUNT = 'x-ms-tag-count'
const VERSION_ID = 'x-ms-version-id'
const SCOPE = 'x-ms-encryption-scope'
const BLOB_TYPE = 'x-ms-blob-type'
const LEGAL_HOLD = 'x-ms-legal-hold'
const IMMUTABLE_UNTIL = 'x-ms-immutability-policy-until-date'

/** @type {AnswerRule['errorCode']} */
const errorCode = { header: 'x-ms-error-code' }
/** @type {AnswerRule['errorMessage']} */
const errorMessage = { xml: ['Error', 'Message'] }

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
    ...[VERSION_ID, 'last-modified', 'content-md5', 'x-ms-blob-content-md5'],
    ...[SCOPE, BLOB_TYPE, LEGAL_HOLD, IMMUTABLE_UNTIL],
  ],
  errorCode,
  errorMessage,
}

/** https://learn.microsoft.com/rest/api/storageservices/put-block @type {AnswerRule & Required<Pick<AnswerRule, 'checksums'>>} */
const WRITE_BLOCK = {
  statuses: [201],
  checksums: [{ sum: 'crc64nvme', header: CRC64, encoding: 'base64le' }],
  tells: [CRC64],
  errorCode,
  errorMessage,
}

/** https://learn.microsoft.com/rest/api/storageservices/put-blob @type {AnswerRule} */
const WRITE_BLOB = {
  ...WRITE_BLOCK,
  etag: { header: 'etag', required: true },
  checksums: [...WRITE_BLOCK.checksums, { sum: 'md5', header: 'content-md5', encoding: 'base64' }],
  tells: [CRC64, 'content-md5', VERSION_ID],
}

/**
 * Metadata that mark an empty blob as a folder, as azcopy, BlobFuse, Hadoop and rclone write them; capitals: of old clients in Go.
 * https://learn.microsoft.com/azure/storage/common/storage-ref-azcopy-copy (--include-directory-stub)
 */
const FOLDER_MARKS = ['hdi_isfolder', 'Hdi_isfolder']

/** @param {number} bytes @param {string} [value] of that metadata @returns {{ marksFolder?: true }} */
function folderMark(bytes, value) {
  return bytes === 0 && value?.toLowerCase() === 'true' ? { marksFolder: true } : {}
}

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */
/** @typedef {Record<string, string | undefined>} AzureHeaders names in lower case */

const TIER = 'x-ms-access-tier'
/** https://learn.microsoft.com/azure/storage/blobs/access-tiers-overview; those of premium accounts are numbered. */
const TIERS = /^(?:Hot|Cool|Cold|Archive|Smart|Premium|P\d{1,2})$/

/** What a copy does not get, by what headers say. @type {Array<[header: string, value: RegExp, what: string]>} */
const UNKEPT = [
  [BLOB_TYPE, /^AppendBlob$/, 'its type (an append blob)'],
  [BLOB_TYPE, /^PageBlob$/, 'its type (a page blob)'],
  [LEGAL_HOLD, /^true$/, 'its legal hold'],
  [IMMUTABLE_UNTIL, /./, 'its immutability policy'],
  [SCOPE, /./, 'its encryption scope'],
  ['x-ms-expiry-time', /./, 'its expiry time'],
]

/**
 * Reads the attributes from the answer to a HEAD or GET, or from the headers that a function reports.
 *
 * @param {AzureHeaders} headers
 * @returns {ReturnType<import('../contract').Store['readDescription']>}
 */
function readDescription(headers) {
  const described = describing(headers, READ.describes)
  const tags = Number(described[TAG_COUNT])
  const { [TIER]: tier } = headers
  const unkept = UNKEPT.filter(([name, value]) => value.test(headers[name] ?? '')).map(([, , what]) => what)
  return {
    metadata: metadataIn(described, META),
    // The account's default tier is not the blob's own.
    ...(tier && headers['x-ms-access-tier-inferred'] !== 'true' && { storageClass: tier }),
    ...(tags > 0 && { tags }),
    ...(unkept.length > 0 && { unkept }),
    ...sumsOf(headers),
  }
}

/**
 * The MD5 that the store keeps of a whole blob. In an answer to a range it has another name.
 *
 * @param {AzureHeaders} headers
 * @returns {{ sums?: import('../../types').Sums }}
 */
function sumsOf(headers) {
  // The last one that is there counts.
  const sums = sumsIn(headers, READ.checksums?.toReversed())
  return sums.md5 === undefined ? {} : { sums }
}

/**
 * Reads the answer to the write of a blob or a block. The store has computed the checksum from the bytes that it received.
 *
 * @param {Record<string, string>} headers
 * @returns {ReturnType<import('../contract').Store['readWritten']>}
 */
function readWritten(headers) {
  const { [VERSION_ID]: versionId } = headers
  const answered = sumsIn(headers, WRITE_BLOB.checksums)
  return {
    ...(Object.keys(answered).length > 0 && { answered }),
    ...(versionId !== undefined && { versionId }),
  }
}

/**
 * The headers with which a read answers for a blob with these attributes: a function compares them. A read tells neither the
 * tier nor much else.
 *
 * @param {ObjectDescription} description
 * @returns {Record<string, string>}
 */
function describingHeaders({ metadata, tags }) {
  const all = {
    ...metadata.headers,
    ...userHeaders(metadata.user, META),
    ...(tags !== undefined && { [TAG_COUNT]: `${tags}` }),
  }
  return describing(all, READ.describes)
}

/**
 * The headers of the write of a blob, without what it cannot have. User metadata beyond ASCII is encoded by RFC 2047,
 * because the signature is over text whose encoding nobody documents.
 *
 * @param {ObjectAttributes} attributes
 * @param {Record<string, any>} facts of the store
 * @returns {Record<string, string>} names in lower case
 * @throws {XferError} NO_SUCH_STORAGE_CLASS: the store would only say that some header is wrong
 */
function writeHeaders({ metadata, tags = [], storageClass }, facts) {
  if (storageClass !== undefined && !TIERS.test(storageClass)) throw new XferError('NO_SUCH_STORAGE_CLASS', facts)
  const content = CONTENT_HEADERS.filter(name => metadata.headers[name] !== undefined)
  const user = Object.entries(metadata.user).filter(([name]) => IDENTIFIER.test(name))
  return {
    ...Object.fromEntries(content.map(name => [`x-ms-blob-${name}`, metadata.headers[name]])),
    ...Object.fromEntries(user.map(([name, value]) => [META + name.toLowerCase(), mailSafe(value)])),
    ...(storageClass !== undefined && { [TIER]: storageClass }),
    ...(tags.length > 0 && { 'x-ms-tags': tagQuery(tags) }),
  }
}

module.exports = {
  FOLDER_MARKS,
  READ,
  VERSION_ID,
  WRITE_BLOB,
  WRITE_BLOCK,
  describingHeaders,
  folderMark,
  metadataFault,
  readDescription,
  readWritten,
  sumsOf,
  writeHeaders,
}
