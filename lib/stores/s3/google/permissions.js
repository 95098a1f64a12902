'use strict'

/**
 * The permissions that Google's requests need, for error messages.
 * https://cloud.google.com/storage/docs/access-control/iam-xml
 *
 * @type {Record<string, string>}
 */
const PERMISSIONS = {
  HeadBucket: 'storage.buckets.get',
  ListBuckets: 'storage.buckets.list',
  CreateBucket: 'storage.buckets.create',
  HeadObject: 'storage.objects.get',
  GetObject: 'storage.objects.get',
  ListObjectsV2: 'storage.objects.list',
  PutObject: 'storage.objects.create',
  CopyObject: 'storage.objects.create',
  DeleteObject: 'storage.objects.delete',
  DeleteObjects: 'storage.objects.delete',
  CreateMultipartUpload: 'storage.multipartUploads.create',
  CompleteMultipartUpload: 'storage.multipartUploads.create',
  AbortMultipartUpload: 'storage.multipartUploads.abort',
  ListParts: 'storage.multipartUploads.listParts',
  ListMultipartUploads: 'storage.multipartUploads.list',
}

/**
 * @param {Parameters<typeof import('../permissions').permissionsOf>[0]} asked
 * @returns {ReturnType<typeof import('../permissions').permissionsOf>}
 */
function permissionsOf({ side, operation = side === 'source' ? 'GetObject' : 'PutObject', conditional }) {
  const permission = PERMISSIONS[operation] ?? 'storage.objects.get'
  const also = conditional ? ' and storage.objects.get' : ''
  return {
    permission,
    // The answer to a request that the organisation's policy forbids has no code of its own.
    needs: `${permission}${also} on the ${side} bucket, and that its organisation allows HMAC keys (the constraint storage.restrictAuthTypes)`,
    needsForTags: 'a store that has tags',
    needsToClear: 'storage.multipartUploads.list and storage.multipartUploads.abort on the bucket',
  }
}

module.exports = { permissionsOf }
