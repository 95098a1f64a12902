'use strict'

/**
 * The control calls of S3: a table of them and of the documents in their answers, how their requests are built, and how their answers
 * are read: strictly, and with limits on size and time.
 */

const { crc32, gunzipSync } = require('node:zlib')
const { withoutSecrets, withoutStack } = require('../../errors')
const { readBody } = require('../../http')
const { USUAL_BYTES, createDocuments, texts, writeXml } = require('../xml')

/** Of documents. https://docs.aws.amazon.com/AmazonS3/latest/API/ */
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

/**
 * The page of each operation: https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
 *
 * @typedef {OperationItself & Partial<import('../xml').XmlKind>} Operation with the document in its answer; without `what` no answer is looked at
 *
 * @typedef {object} OperationItself
 * @property {'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'} method
 * @property {Record<string, string>} [fixed] query parameters that name the operation
 * @property {true} [summed] the document needs a checksum
 * @property {true} [account] it concerns no bucket
 * @property {true} [unpaid] no header says who pays
 * @property {true} [keyed] it carries the customer key (SSE-C), as data requests do
 * @property {true} [reads] it reads an object
 * @property {true} [long] it moves bytes within the store, or assembles an object, before it answers
 */

const KIB = 1024
/** A thousand keys of 1,024 bytes, each byte written with six characters, and their other elements. */
const LIST_BYTES = 8 * KIB * KIB
/** Includes the white space that S3 sends first to keep the connection alive. */
const LATE_BYTES = 1024 * KIB

const COPIED = texts('ETag', 'ChecksumCRC32', 'ChecksumCRC32C', 'ChecksumCRC64NVME', 'ChecksumType')

/** @type {Record<string, Operation>} */
const OPERATIONS = {
  ListBuckets: {
    method: 'GET',
    account: true,
    unpaid: true,
    what: 'a list of buckets',
    root: 'ListAllMyBucketsResult',
    most: LIST_BYTES,
    shape: { Buckets: { Bucket: [texts('Name', 'CreationDate')] }, ...texts('ContinuationToken') },
  },
  HeadBucket: { method: 'HEAD', unpaid: true },
  GetObjectLockConfiguration: {
    method: 'GET',
    fixed: { 'object-lock': '' },
    unpaid: true,
    what: 'the question for a default retention',
    root: 'ObjectLockConfiguration',
    silent: true,
    shape: { Rule: { DefaultRetention: texts('Mode', 'Days', 'Years') } },
  },
  CreateBucket: {
    method: 'PUT',
    unpaid: true,
    // moto: with a document.
    what: 'the creation of a bucket',
    anyRoot: true,
  },
  ListObjectsV2: {
    method: 'GET',
    fixed: { 'list-type': '2' },
    what: 'a list',
    root: 'ListBucketResult',
    anyRoot: true,
    most: LIST_BYTES,
    shape: {
      ...texts('Name', 'Prefix', 'Delimiter', 'StartAfter', 'EncodingType', 'Encoding-Type'),
      ...texts('KeyCount', 'IsTruncated', 'NextContinuationToken', 'Marker', 'NextMarker'),
      Contents: [texts('Key', 'LastModified', 'ETag', 'Size', 'StorageClass')],
      CommonPrefixes: [texts('Prefix')],
    },
  },
  HeadObject: { method: 'HEAD', keyed: true, reads: true },
  GetObject: { method: 'GET', keyed: true, reads: true },
  DeleteObject: { method: 'DELETE', what: 'a deletion' },
  DeleteObjects: {
    method: 'POST',
    fixed: { delete: '' },
    summed: true,
    what: 'a deletion',
    root: 'DeleteResult',
    anyRoot: true,
    most: LIST_BYTES,
    late: true,
    silent: true,
    shape: { Deleted: [texts('Key')], Error: [texts('Key', 'Code', 'Message')] },
  },
  CopyObject: {
    method: 'PUT',
    keyed: true,
    long: true,
    what: 'a copy',
    root: 'CopyObjectResult',
    most: LATE_BYTES,
    late: true,
    shape: COPIED,
  },
  GetObjectTagging: {
    // silent: S3Mock, of an object without tags. longer: that is the object itself.
    method: 'GET',
    fixed: { tagging: '' },
    what: 'the question for tags',
    root: 'Tagging',
    silent: true,
    longer: 'NOT_A_STORE',
    shape: { TagSet: { Tag: [texts('Key', 'Value')] } },
  },
  PutObjectTagging: {
    method: 'PUT',
    fixed: { tagging: '' },
    summed: true,
    what: 'the writing of tags',
    anyRoot: true,
  },
  CreateMultipartUpload: {
    method: 'POST',
    fixed: { uploads: '' },
    keyed: true,
    // rclone: InitiateMultipartUpload.
    what: 'the creation of an upload',
    root: 'InitiateMultipartUploadResult',
    anyRoot: true,
    shape: texts('Bucket', 'Key', 'UploadId'),
  },
  UploadPartCopy: {
    method: 'PUT',
    keyed: true,
    long: true,
    what: 'a copy',
    root: 'CopyPartResult',
    most: LATE_BYTES,
    late: true,
    shape: COPIED,
  },
  ListParts: {
    // The key is required for an upload with checksums.
    method: 'GET',
    keyed: true,
    // moto: ListPartsResponse.
    what: 'a list of parts',
    root: 'ListPartsResult',
    anyRoot: true,
    most: LIST_BYTES,
    shape: {
      ...texts('Bucket', 'Key', 'UploadId', 'IsTruncated', 'NextPartNumberMarker'),
      Part: [texts('PartNumber', 'ETag', 'Size', 'ChecksumCRC32')],
    },
  },
  CompleteMultipartUpload: {
    method: 'POST',
    keyed: true,
    long: true,
    what: 'a completion',
    root: 'CompleteMultipartUploadResult',
    most: LATE_BYTES,
    late: true,
    shape: { ...texts('Bucket', 'Key'), ...COPIED },
  },
  AbortMultipartUpload: { method: 'DELETE', what: 'the end of an upload' },
  ListMultipartUploads: {
    method: 'GET',
    fixed: { uploads: '' },
    what: 'a list of uploads',
    root: 'ListMultipartUploadsResult',
    anyRoot: true,
    most: LIST_BYTES,
    shape: {
      ...texts('Bucket', 'Prefix', 'EncodingType', 'IsTruncated', 'NextKeyMarker', 'NextUploadIdMarker'),
      Upload: [{ ...texts('Key', 'UploadId', 'Initiated'), Initiator: texts('ID') }],
    },
  },
}

/**
 * What a call says, in S3's words. Parameters and headers that are undefined are left out.
 *
 * @typedef {object} AskedCall
 * @property {string} [key]
 * @property {Record<string, string | number | undefined>} [query] not encoded
 * @property {Record<string, string | undefined>} [headers] names in lower case
 * @property {Record<string, unknown>} [document] its root with its content, elements in S3's order
 */

/**
 * @param {string} name of an operation
 * @param {AskedCall} asked
 * @returns {Operation & { query: Record<string, string>, headers: Record<string, string>, body: Buffer | undefined }} query: not encoded
 */
function buildCall(name, { query, headers, document }) {
  const operation = OPERATIONS[name]
  const { method, fixed, summed } = operation
  const body = document && writeXml(document, NAMESPACE)
  const sends = method === 'PUT' || method === 'POST'
  return {
    ...operation,
    query: { ...fixed, ...given(query) },
    headers: {
      ...(body && { 'content-type': 'application/xml' }),
      ...(sends && { 'content-length': String(body?.length ?? 0) }),
      ...(summed && body && { 'x-amz-checksum-crc32': sumOf(body) }),
      ...given(headers),
    },
    body,
  }
}

/** @param {Record<string, string | number | undefined>} [values] @returns {Record<string, string>} */
function given(values = {}) {
  const all = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]))
}

/** @param {Buffer} body */
function sumOf(body) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return sum.toString('base64')
}

/** The status of an error that S3 found only after it had sent a status of success. */
const LATE_ERROR_STATUS = 503
/** Node.js's error code for an answer that unpacks to more bytes than allowed. */
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE'

const documents = createDocuments(Object.values(OPERATIONS))

/**
 * An answer that is no success.
 *
 * @typedef {Error & { status: number, headers: Record<string, string>, region?: string, details?: string, unreadable: boolean }} Refused name:
 *   the store's code, '' without one; unreadable: its body is not S3's XML
 */

/**
 * Reads the answer to one call.
 *
 * @param {string} operation S3's name of the call
 * @param {import('node:http').IncomingMessage} response
 * @param {Record<string, string>} headers of it, in S3's words
 * @param {{ facts: Record<string, any>, silenceMs: number, answerMs?: number, secrets: string[] }} store silenceMs: how long an
 *   answer may pause; answerMs: how long it may take in total; secrets: texts that no error may repeat
 * @returns {Promise<Record<string, any>>} content of the document, in the shape of calls.js; empty if there is none
 * @throws {Refused | import('../../types').XferError}
 */
async function readAnswer(operation, response, headers, { facts, silenceMs, answerMs, secrets }) {
  const kind = OPERATIONS[operation]
  const status = response.statusCode ?? 0
  const success = status >= 200 && status < 300
  if (success && operation === 'GetObject') {
    // Nobody reads the object here.
    response.destroy()
    return {}
  }
  const most = (success && kind.most) || USUAL_BYTES
  // The answer to a HEAD has no body.
  const sent = await readBody(response, { silenceMs, answerMs, late: kind.late === true, most })
  const body = response.headers['content-encoding'] === 'gzip' ? unpack(sent, most) : sent
  if (!success) {
    const absent = body?.length === 0
    const refusal = absent ? { code: status === 404 ? 'NotFound' : '' } : documents.readRefusal(body)
    throw refused({ status, headers }, refusal ?? { unreadable: isMarkup(body) }, secrets)
  }
  if (kind.what === undefined) return {}
  const found = documents.read(kind, { status, type: headers['content-type'], body }, facts)
  if ('refusal' in found) throw refused({ status: LATE_ERROR_STATUS, headers }, found.refusal, secrets)
  return found.values
}

/**
 * @param {{ status: number, headers: Record<string, string> }} answer
 * @param {import('../xml').XmlRefusal & { unreadable?: boolean }} refusal
 * @param {string[]} secrets
 * @returns {Refused}
 */
function refused({ status, headers }, { code = '', message = '', region, details, unreadable = false }, secrets) {
  return Object.assign(withoutStack(withoutSecrets(message, secrets)), {
    // A code that contains a secret is not an error code.
    name: withoutSecrets(code, secrets) === code ? code : '',
    status,
    headers,
    unreadable,
    ...(region && { region }),
    ...(details && { details: withoutSecrets(details, secrets) }),
  })
}

/**
 * Gateways compress documents, some unasked. Reads of Google's store allow it.
 *
 * @param {Buffer | undefined} body
 * @param {number} most bytes
 * @returns {Buffer | undefined} undefined: too large; the same bytes if they are no gzip
 */
function unpack(body, most) {
  if (!body?.length) return body
  try {
    return gunzipSync(body, { maxOutputLength: most })
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === TOO_LARGE ? undefined : body
  }
}

/**
 * Whether the body of a failure is markup. Plain text may come with any status, and does not contradict it.
 *
 * @param {Buffer | undefined} body undefined: too large
 */
function isMarkup(body) {
  return body === undefined || /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 1024))
}

module.exports = { OPERATIONS, buildCall, readAnswer, readRefusal: documents.readRefusal }
