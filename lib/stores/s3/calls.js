'use strict'

/** The control calls of S3: a table of them, and how their requests are built. Pure. */

const zlib = require('node:zlib')

/**
 * How the members of a call are sent. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
 *
 * @typedef {object} Operation
 * @property {'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'} method
 * @property {string} [fixed] a query parameter that names the operation; it may have a value
 * @property {Record<string, string>} [query] parameters by members
 * @property {Record<string, string>} [headers] headers by members
 * @property {(input: Record<string, any>) => { root: string, content: object } | undefined} [document] of the request
 * @property {true} [summed] the document needs a checksum
 * @property {true} [account] it concerns no bucket
 * @property {true} [unpaid] no header says who pays
 */

/** @type {Record<string, string>} */
const VERSION = { VersionId: 'versionId' }
const UPLOAD = { UploadId: 'uploadId' }
const PART = { ...UPLOAD, PartNumber: 'partNumber' }
const CONDITIONS = { IfMatch: 'if-match', IfNoneMatch: 'if-none-match' }
const SOURCE = {
  CopySource: 'x-amz-copy-source',
  CopySourceIfMatch: 'x-amz-copy-source-if-match',
  CopySourceIfUnmodifiedSince: 'x-amz-copy-source-if-unmodified-since',
}

/** @type {Record<string, Operation>} */
const OPERATIONS = {
  ListBuckets: {
    ...{ method: 'GET', account: true, unpaid: true },
    query: { MaxBuckets: 'max-buckets', ContinuationToken: 'continuation-token' },
  },
  HeadBucket: { method: 'HEAD', unpaid: true },
  CreateBucket: {
    ...{ method: 'PUT', unpaid: true },
    document: ({ CreateBucketConfiguration: content }) =>
      content && { root: 'CreateBucketConfiguration', content: pick(content, ['LocationConstraint']) },
  },
  ListObjectsV2: {
    method: 'GET',
    fixed: 'list-type=2',
    query: {
      ...{ Prefix: 'prefix', Delimiter: 'delimiter', MaxKeys: 'max-keys', EncodingType: 'encoding-type' },
      ...{ StartAfter: 'start-after', ContinuationToken: 'continuation-token' },
    },
  },
  HeadObject: {
    method: 'HEAD',
    query: { ...VERSION, PartNumber: 'partNumber' },
    headers: { ChecksumMode: 'x-amz-checksum-mode' },
  },
  GetObject: { method: 'GET', query: VERSION, headers: { Range: 'range' } },
  PutObject: { method: 'PUT' },
  DeleteObject: { method: 'DELETE', query: VERSION },
  DeleteObjects: {
    ...{ method: 'POST', fixed: 'delete', summed: true },
    document: ({ Delete }) => ({
      root: 'Delete',
      content: { Object: Delete.Objects.map((/** @type {object} */ each) => pick(each, ['Key'])), Quiet: Delete.Quiet },
    }),
  },
  CopyObject: {
    method: 'PUT',
    headers: {
      ...SOURCE,
      MetadataDirective: 'x-amz-metadata-directive',
      TaggingDirective: 'x-amz-tagging-directive',
      ChecksumAlgorithm: 'x-amz-checksum-algorithm',
    },
  },
  GetObjectTagging: { method: 'GET', fixed: 'tagging', query: VERSION },
  PutObjectTagging: {
    ...{ method: 'PUT', fixed: 'tagging', query: VERSION, summed: true },
    document: ({ Tagging }) => ({
      root: 'Tagging',
      content: { TagSet: { Tag: Tagging.TagSet.map((/** @type {object} */ tag) => pick(tag, ['Key', 'Value'])) } },
    }),
  },
  CreateMultipartUpload: {
    ...{ method: 'POST', fixed: 'uploads' },
    headers: { ChecksumAlgorithm: 'x-amz-checksum-algorithm', ChecksumType: 'x-amz-checksum-type' },
  },
  UploadPart: { method: 'PUT', query: PART },
  UploadPartCopy: {
    method: 'PUT',
    query: PART,
    headers: { ...SOURCE, CopySourceRange: 'x-amz-copy-source-range' },
  },
  ListParts: {
    method: 'GET',
    query: { ...UPLOAD, PartNumberMarker: 'part-number-marker', MaxParts: 'max-parts' },
  },
  CompleteMultipartUpload: {
    method: 'POST',
    query: UPLOAD,
    headers: {
      ...CONDITIONS,
      ChecksumCRC32: 'x-amz-checksum-crc32',
      ChecksumType: 'x-amz-checksum-type',
      MpuObjectSize: 'x-amz-mp-object-size',
    },
    document: ({ MultipartUpload: { Parts } }) => ({
      root: 'CompleteMultipartUpload',
      content: {
        Part: Parts.map((/** @type {object} */ part) => pick(part, ['ETag', 'ChecksumCRC32', 'PartNumber'])),
      },
    }),
  },
  AbortMultipartUpload: { method: 'DELETE', query: UPLOAD },
  ListMultipartUploads: {
    ...{ method: 'GET', fixed: 'uploads' },
    query: { Prefix: 'prefix', KeyMarker: 'key-marker', UploadIdMarker: 'upload-id-marker' },
  },
}

/**
 * The members of an element, in the order in which S3 documents them.
 *
 * @param {Record<string, any>} from
 * @param {string[]} names
 */
function pick(from, names) {
  return Object.fromEntries(names.map(name => [name, from[name]]))
}

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** Line ends too: a reader of XML would change them. @type {Record<string, string>} */
const REFERENCES = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  ...{ '\n': '&#xA;', '\r': '&#xD;', '\u0085': '&#x85;', '\u2028': '&#x2028;' },
}

/** As Node.js 20.15 and later have it; the types are older. @type {(data: Buffer) => number} */
const crc32 = /** @type {any} */ (zlib).crc32

/**
 * @param {string} name of an operation
 * @param {Record<string, any>} input members by S3's names; undefined ones are left out. Body: bytes
 * @param {{ requestPayer?: boolean }} [how] requestPayer: the caller pays
 * @returns {{ method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE', account: boolean, query: Record<string, string>,
 *   headers: Record<string, string>, body: Buffer | undefined }} account: it concerns no bucket; query: not encoded; headers: names in
 *   lower case
 */
function buildCall(name, input, { requestPayer = false } = {}) {
  const { method, fixed, query = {}, headers = {}, document, summed, account = false, unpaid } = OPERATIONS[name]
  const [parameter, value = ''] = fixed?.split('=') ?? []
  const written = document?.(input)
  const body = written ? writeDocument(written.root, written.content) : input.Body
  const sends = method === 'PUT' || method === 'POST'
  return {
    method,
    account,
    query: { ...(parameter && { [parameter]: value }), ...textsOf(input, query) },
    headers: {
      ...(written && { 'content-type': 'application/xml' }),
      ...(sends && { 'content-length': String(body?.length ?? 0) }),
      ...(summed && body && { 'x-amz-checksum-crc32': sumOf(body) }),
      ...((requestPayer || input.RequestPayer) && !unpaid && { 'x-amz-request-payer': 'requester' }),
      ...textsOf(input, headers),
    },
    body,
  }
}

/** @param {Record<string, any>} input @param {Record<string, string>} names by members @returns {Record<string, string>} */
function textsOf(input, names) {
  /** @type {Record<string, string>} */
  const texts = {}
  for (const [member, name] of Object.entries(names)) {
    if (input[member] !== undefined) texts[name] = String(input[member])
  }
  return texts
}

/** @param {Buffer} body */
function sumOf(body) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return sum.toString('base64')
}

/** @param {unknown} value */
function escapeText(value) {
  return String(value).replace(/[&<>"'\n\r\u0085\u2028]/g, char => REFERENCES[char])
}

/**
 * @param {string} name
 * @param {unknown} value an object: its members are elements; an array: the element is repeated; undefined: it is left out
 * @returns {string}
 */
function element(name, value) {
  if (value === undefined) return ''
  if (Array.isArray(value)) return value.map(each => element(name, each)).join('')
  return `<${name}>${typeof value === 'object' && value !== null ? content(value) : escapeText(value)}</${name}>`
}

/** @param {object} value */
function content(value) {
  return Object.entries(value)
    .map(([name, each]) => element(name, each))
    .join('')
}

/**
 * @param {string} root
 * @param {object} value its elements, in order
 * @returns {Buffer}
 */
function writeDocument(root, value) {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${NAMESPACE}">${content(value)}</${root}>`)
}

module.exports = { buildCall, OPERATIONS }
