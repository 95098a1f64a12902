'use strict'

/**
 * The permissions that S3's operations need, for the sentences of errors.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 */

/** What an operation needs, where that has another name. @type {Record<string, string>} */
const PERMISSIONS = {
  HeadObject: 's3:GetObject',
  CreateMultipartUpload: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
  ListParts: 's3:ListMultipartUploadParts',
}

/** Of a whole bucket. @type {Record<string, string>} */
const OF_BUCKETS = { ListMultipartUploads: 's3:ListBucketMultipartUploads', ListObjectsV2: 's3:ListBucket' }

/** Of one version of an object, not its newest. @type {Record<string, string>} */
const OF_VERSIONS = {
  's3:GetObject': 's3:GetObjectVersion',
  's3:GetObjectTagging': 's3:GetObjectVersionTagging',
  's3:DeleteObject': 's3:DeleteObjectVersion',
}

/**
 * @param {object} asked
 * @param {string} asked.side
 * @param {string} [asked.operation] S3's name of it; reading an object of the source, and writing one of the destination, when absent
 * @param {boolean} [asked.conditional] by `If-Match`
 * @param {boolean} [asked.versioned] of a version that was named
 * @returns {{ permission: string, needs: string, needsForTags: string, needsToClear: string }} facts of an error: the operation's
 *   permission; what to ask for, as the end of a sentence; what writing tags needs; what finding and aborting uploads needs
 */
function permissionsOf({ side, operation = side === 'source' ? 'GetObject' : 'PutObject', conditional, versioned }) {
  const words = {
    needsForTags: 's3:PutObjectTagging',
    needsToClear: 's3:ListBucketMultipartUploads on the bucket, and s3:AbortMultipartUpload on its objects',
  }
  if (Object.hasOwn(OF_BUCKETS, operation)) {
    const permission = OF_BUCKETS[operation]
    return { permission, needs: `${permission} on the ${side} bucket`, ...words }
  }
  const usual = PERMISSIONS[operation] ?? `s3:${operation}`
  const permission = (versioned && OF_VERSIONS[usual]) || usual
  const object = `${permission}${conditional ? ' and s3:GetObject' : ''} on the ${side} object`
  const needs = side === 'source' ? `${object}; without s3:ListBucket a missing object looks the same` : object
  return { permission, needs, ...words }
}

module.exports = { permissionsOf }
