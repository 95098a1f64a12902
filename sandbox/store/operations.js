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

/** Query parameters that select another operation. */
const SUB_RESOURCES = new Set(Object.keys(OPERATIONS).map(name => name.split(' ')[2]))

/** Copies, which a header distinguishes from the PUT of a body. @type {typeof OPERATIONS} */
const COPIES = {
  'object PUT': { operation: 'CopyObject', handle: copyObject },
  'object PUT uploadId': { operation: 'UploadPartCopy', handle: uploadPartCopy },
}

/**
 * @param {{ method: string, bucketName?: string, key?: string, query: Map<string, string>,
 *   headers: Map<string, string[]> }} request
 * @returns {Operation}
 */
function operationOf({ method, bucketName, key, query, headers }) {
  const level = key ? 'object' : bucketName ? 'bucket' : 'service'
  const sub = [...query.keys()].find(name => SUB_RESOURCES.has(name))
  const name = [level, method, ...(sub === undefined ? [] : [sub])].join(' ')
  const copies = headers.has('x-amz-copy-source') || headers.has('x-goog-copy-source')
  const found = (copies && COPIES[name]) || OPERATIONS[name]
  if (found) return found
  return {
    operation: 'MethodNotAllowed',
    handle() {
      throw new S3Error('MethodNotAllowed', { Method: method, ResourceType: level.toUpperCase() })
    },
  }
}

module.exports = { operationOf }
