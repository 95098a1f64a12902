'use strict'

/**
 * The control calls of S3: how the members of a call are sent. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
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

module.exports = { OPERATIONS }
