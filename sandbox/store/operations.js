'use strict'

const { S3Error } = require('./errors')
const buckets = require('./buckets')
const { completeUpload } = require('./complete')
const { copyObject, uploadPartCopy } = require('./copy')
const listing = require('./listing')
const objects = require('./objects')
const tagging = require('./tagging')
const uploads = require('./uploads')

/**
 * Finds the operation of a request: by its method, by whether it names a bucket or a key, and by the sub-resource in its query.
 *
 * @typedef {import('./types').Handler} Handler
 * @typedef {{ operation: string, handle: Handler, anonymous?: boolean }} Operation `anonymous`: allowed without a
 *   signature if the bucket is public
 */

/** @type {Record<string, Operation>} `level method sub-resource` */
const OPERATIONS = {
  'service GET': { operation: 'ListBuckets', handle: buckets.listBuckets },

  'bucket PUT': { operation: 'CreateBucket', handle: buckets.createBucket },
  'bucket HEAD': { operation: 'HeadBucket', handle: buckets.headBucket, anonymous: true },
  'bucket DELETE': { operation: 'DeleteBucket', handle: buckets.deleteBucket },
  'bucket GET list-type': { operation: 'ListObjectsV2', handle: listing.listObjectsV2, anonymous: true },
  'bucket GET uploads': { operation: 'ListMultipartUploads', handle: listing.listUploads },
  'bucket POST delete': { operation: 'DeleteObjects', handle: tagging.deleteObjects },

  'object PUT': { operation: 'PutObject', handle: objects.putObject },
  'object GET': { operation: 'GetObject', handle: objects.getObject, anonymous: true },
  'object HEAD': { operation: 'HeadObject', handle: objects.getObject, anonymous: true },
  'object DELETE': { operation: 'DeleteObject', handle: objects.deleteObject },
  'object POST uploads': { operation: 'CreateMultipartUpload', handle: uploads.createUpload },
  'object PUT uploadId': { operation: 'UploadPart', handle: uploads.uploadPart },
  'object GET uploadId': { operation: 'ListParts', handle: listing.listParts },
  'object POST uploadId': { operation: 'CompleteMultipartUpload', handle: completeUpload },
  'object DELETE uploadId': { operation: 'AbortMultipartUpload', handle: uploads.abortUpload },
  'object GET tagging': { operation: 'GetObjectTagging', handle: tagging.getTagging },
  'object PUT tagging': { operation: 'PutObjectTagging', handle: tagging.putTagging },
}

/** Query parameters that select another operation, whether it is implemented here or not. */
const SUB_RESOURCES = new Set([
  ...'acl attributes cors delete encryption legal-hold lifecycle list-type location logging object-lock policy'.split(
    ' ',
  ),
  ...'restore retention select tagging uploadId uploads versioning versions website'.split(' '),
])

/** A header distinguishes it from the PUT of a body. @type {Operation} */
const COPY_OBJECT = { operation: 'CopyObject', handle: copyObject }
/** @type {Operation} */
const UPLOAD_PART_COPY = { operation: 'UploadPartCopy', handle: uploadPartCopy }

/** @type {Operation} */
const NOT_IMPLEMENTED = {
  operation: 'NotImplemented',
  handle() {
    throw new S3Error('NotImplemented')
  },
}

/**
 * @param {{ method: string, bucketName?: string, key?: string, query: Map<string, string>,
 *   headers: Map<string, string[]> }} request
 * @returns {Operation}
 */
function operationOf({ method, bucketName, key, query, headers }) {
  const level = key ? 'object' : bucketName ? 'bucket' : 'service'
  const sub = [...query.keys()].find(name => SUB_RESOURCES.has(name))
  if (
    method === 'PUT' &&
    level === 'object' &&
    (headers.has('x-amz-copy-source') || headers.has('x-goog-copy-source'))
  ) {
    if (sub === undefined) return COPY_OBJECT
    if (sub === 'uploadId') return UPLOAD_PART_COPY
  }
  const found = OPERATIONS[sub === undefined ? `${level} ${method}` : `${level} ${method} ${sub}`]
  if (found) return found
  if (sub !== undefined) return NOT_IMPLEMENTED
  return {
    operation: 'MethodNotAllowed',
    handle() {
      throw new S3Error('MethodNotAllowed', { Method: method, ResourceType: level.toUpperCase() })
    },
  }
}

module.exports = { operationOf }
