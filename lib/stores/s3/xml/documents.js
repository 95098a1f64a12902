'use strict'

/**
 * The documents in S3's answers, by operation: which elements are read, and how large the document may be. The values are
 * checked where they are used (list.js, uploads.js, removal.js, copies.js, object.js).
 */

const { XferError } = require('../../../errors')
const { readXml, valuesOf } = require('../../xml')

/** @typedef {import('../../xml').Shape} Shape */

const KIB = 1024
/** A thousand keys of 1,024 bytes, each byte written with six characters, and their other elements. */
const LIST_BYTES = 8 * KIB * KIB
const USUAL_BYTES = 256 * KIB
/** Includes the white space that S3 sends first to keep the connection alive. */
const LATE_BYTES = 1024 * KIB

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ */
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

const TEXT = 'text'

/** @type {Shape} */
const SUMS = { ChecksumCRC32: TEXT, ChecksumCRC32C: TEXT, ChecksumCRC64NVME: TEXT, ChecksumType: TEXT }
/** @type {Shape} */
const COPIED = { ETag: TEXT, ...SUMS }
/** @type {Shape} */
// Details: Google's.
const FAILURE = { Code: TEXT, Message: TEXT, Region: TEXT, Details: TEXT }
const ERRORS = { Error: FAILURE, ErrorResponse: { Error: FAILURE } }

/**
 * @typedef {object} Kind
 * @property {string} what names the answer in errors, with an article
 * @property {string} [root] root element of a success; undefined for an operation that answers without a document
 * @property {true} [anyRoot] stores name the root differently: only its content is checked
 * @property {Shape} [shape]
 * @property {number} most bytes
 * @property {true} [late] S3 may answer before the work is done, and keep the connection alive with white space
 * @property {true} [silent] an answer without a document is accepted, and tells nothing
 */

/** By S3's name of the operation. @type {Record<string, Kind>} */
const KINDS = {
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
  ListObjectsV2: {
    what: 'a list',
    root: 'ListBucketResult',
    anyRoot: true,
    most: LIST_BYTES,
    shape: {
      Name: TEXT,
      Prefix: TEXT,
      Delimiter: TEXT,
      StartAfter: TEXT,
      EncodingType: TEXT,
      'Encoding-Type': TEXT,
      KeyCount: TEXT,
      IsTruncated: TEXT,
      NextContinuationToken: TEXT,
      Contents: [{ Key: TEXT, LastModified: TEXT, ETag: TEXT, Size: TEXT, StorageClass: TEXT }],
      CommonPrefixes: [{ Prefix: TEXT }],
    },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html
  ListBuckets: {
    what: 'a list of buckets',
    root: 'ListAllMyBucketsResult',
    most: LIST_BYTES,
    shape: { Buckets: { Bucket: [{ Name: TEXT, CreationDate: TEXT }] }, ContinuationToken: TEXT },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
  ListParts: {
    what: 'a list of parts',
    // moto: ListPartsResponse.
    root: 'ListPartsResult',
    anyRoot: true,
    most: LIST_BYTES,
    shape: {
      Bucket: TEXT,
      Key: TEXT,
      UploadId: TEXT,
      IsTruncated: TEXT,
      NextPartNumberMarker: TEXT,
      Part: [{ PartNumber: TEXT, ETag: TEXT, Size: TEXT, ChecksumCRC32: TEXT }],
    },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
  ListMultipartUploads: {
    what: 'a list of uploads',
    root: 'ListMultipartUploadsResult',
    anyRoot: true,
    most: LIST_BYTES,
    shape: {
      Bucket: TEXT,
      Prefix: TEXT,
      EncodingType: TEXT,
      IsTruncated: TEXT,
      NextKeyMarker: TEXT,
      NextUploadIdMarker: TEXT,
      Upload: [{ Key: TEXT, UploadId: TEXT, Initiated: TEXT, Initiator: { ID: TEXT } }],
    },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
  DeleteObjects: {
    what: 'a deletion',
    root: 'DeleteResult',
    anyRoot: true,
    most: LIST_BYTES,
    late: true,
    silent: true,
    shape: { Deleted: [{ Key: TEXT }], Error: [{ Key: TEXT, Code: TEXT, Message: TEXT }] },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html
  CreateMultipartUpload: {
    what: 'the creation of an upload',
    // rclone: InitiateMultipartUpload.
    root: 'InitiateMultipartUploadResult',
    anyRoot: true,
    most: USUAL_BYTES,
    shape: { Bucket: TEXT, Key: TEXT, UploadId: TEXT },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
  CompleteMultipartUpload: {
    what: 'a completion',
    root: 'CompleteMultipartUploadResult',
    most: LATE_BYTES,
    late: true,
    shape: { Bucket: TEXT, Key: TEXT, ...COPIED },
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
  CopyObject: { what: 'a copy', root: 'CopyObjectResult', most: LATE_BYTES, late: true, shape: COPIED },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html
  UploadPartCopy: { what: 'a copy', root: 'CopyPartResult', most: LATE_BYTES, late: true, shape: COPIED },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectTagging.html
  GetObjectTagging: {
    what: 'the question for tags',
    root: 'Tagging',
    most: USUAL_BYTES,
    shape: { TagSet: { Tag: [{ Key: TEXT, Value: TEXT }] } },
    // S3Mock, of an object without tags.
    silent: true,
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html (moto: with a document)
  CreateBucket: { what: 'the creation of a bucket', anyRoot: true, most: USUAL_BYTES },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectTagging.html
  PutObjectTagging: { what: 'the writing of tags', anyRoot: true, most: USUAL_BYTES },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html
  DeleteObject: { what: 'a deletion', most: USUAL_BYTES },
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
  AbortMultipartUpload: { what: 'the end of an upload', most: USUAL_BYTES },
}

/** Roots of documents that answer something else. @type {Record<string, Shape>} */
const OTHERS = {
  html: {},
  ListAllMyBucketsResult: {},
  ...Object.fromEntries(Object.values(KINDS).flatMap(({ root }) => (root === undefined ? [] : [[root, {}]]))),
}

/**
 * @typedef {object} Answered
 * @property {number} status
 * @property {string} [type] Content-Type
 * @property {Buffer | undefined} body undefined if it is larger than the limit of its kind
 *
 * @typedef {{ code?: string, message?: string, region?: string, details?: string }} Refusal content of an Error document
 */

/**
 * Reads the document of a success.
 *
 * @param {string} operation one of KINDS
 * @param {Answered} answer with a status from 200 to 299
 * @param {Record<string, any>} facts of the store
 * @returns {{ values: Record<string, any> } | { refusal: Refusal }} refusal: the status is a success, the document is
 *   an error
 * @throws {XferError} NOT_A_STORE, BAD_ANSWER
 */
function readDocument(operation, { status, type = '', body }, facts) {
  const { what, root, anyRoot, shape = {}, most, late, silent } = KINDS[operation]
  /** @param {string} code @param {string} reason */
  const failure = (code, reason) => new XferError(code, { ...facts, status, reason })
  // The work of a long call may be done: BAD_ANSWER makes xfer ask again.
  const strange = late ? 'BAD_ANSWER' : 'NOT_A_STORE'
  if (body === undefined) {
    const code = operation === 'GetObjectTagging' ? 'NOT_A_STORE' : 'BAD_ANSWER'
    throw failure(code, `it answers ${what} with more than ${most / KIB} KiB`)
  }
  if (isBlank(body)) {
    if (root === undefined) return { values: {} }
    if (silent) return { values: valuesOf(shape) }
    throw failure(strange, `it answers ${what} with nothing`)
  }
  const page = foreignType(type)
  if (page !== undefined && !looksLikeXml(body)) throw failure(strange, `it answers ${what} with ${page}`)
  const own = root === undefined ? {} : { [root]: shape }
  const found = readAny(body, { ...own, ...ERRORS, ...(anyRoot && { ...OTHERS, '*': shape, ...own }) }, page)
  if ('broken' in found) {
    const meant = page === undefined && /\bxml\b/i.test(type) && looksLikeXml(body)
    const code = meant ? 'BAD_ANSWER' : strange
    throw failure(code, `it answers ${what} with ${page ?? `XML that cannot be read: ${found.broken}`}`)
  }
  if (Object.hasOwn(ERRORS, found.root)) return { refusal: refusalOf(found.values) }
  if (found.values === undefined || (found.root !== root && Object.hasOwn(OTHERS, found.root))) {
    throw failure(strange, `it answers ${what} with something else`)
  }
  if (status !== 200) throw failure('BAD_ANSWER', `it answers ${what} with the status ${status}`)
  return { values: found.values }
}

/**
 * Reads the document of a failure.
 *
 * @param {Buffer | undefined} body
 * @returns {Refusal | undefined} undefined if it is no Error document
 */
function readRefusal(body) {
  if (body === undefined) return undefined
  const found = readAny(body, ERRORS, undefined)
  return 'root' in found && found.values ? refusalOf(found.values) : undefined
}

/** @param {Record<string, any> | undefined} values @returns {Refusal} */
function refusalOf(values) {
  const { Code, Message, Region, Details } = values?.Error ?? values ?? {}
  return { code: Code?.trim(), message: Message?.trim(), region: Region?.trim(), details: Details?.trim() }
}

/**
 * @param {Buffer} body
 * @param {Record<string, Shape>} shapes
 * @param {string | undefined} page
 * @param {boolean} [lenient]
 * @returns {{ root: string, values?: Record<string, any> } | { broken: string }}
 */
function readAny(body, shapes, page, lenient = false) {
  try {
    return readXml(body, shapes, { lenient, namespace: NAMESPACE })
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    // Some stores repeat the request in an error, without escaping it.
    if (page === undefined && !lenient) {
      const refusal = readAny(body, ERRORS, page, true)
      if ('values' in refusal && refusal.values) return refusal
    }
    return { broken: cause.message }
  }
}

/** @param {Buffer} body */
function isBlank(body) {
  return /^\s*$/.test(body.toString('latin1'))
}

/** @param {Buffer} body */
function looksLikeXml(body) {
  return /^(?:\xef\xbb\xbf)?\s*<(?!!doctype|html)/i.test(body.toString('latin1', 0, 1024))
}

/** @param {string} type Content-Type @returns {string | undefined} for messages: a type of content that object stores do not answer with */
function foreignType(type) {
  const page = /^(text\/html|application\/json)/i.exec(type)?.[1].toLowerCase()
  return page && (page === 'text/html' ? 'a web page' : 'JSON')
}

module.exports = { KINDS, USUAL_BYTES, foreignType, readDocument, readRefusal }
