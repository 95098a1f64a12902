'use strict'

/** Which dialect an endpoint speaks: Amazon's, or one of its own. The translation is in session.js, control.js and signer.js. */

const { conditionHeaders } = require('../common')
const { profileOf } = require('./profiles')
const { google } = require('./google')
const { READ, WRITE } = require('./rules')

/** Amazon's, and that of all stores without one of their own. @type {import('./dialect').Dialect} */
const amazon = {
  protocol: 'S3',
  signature: {
    algorithm: 'AWS4-HMAC-SHA256',
    secretPrefix: 'AWS4',
    service: 's3',
    terminator: 'aws4_request',
    headerPrefix: 'x-amz-',
  },
  translate: words => words,
  read: headers => headers,
  readHeaders: {},
  rules: { read: READ, write: WRITE },
  conditions: async condition => conditionHeaders(condition),
  pinsVersions: false,
  lacks: new Set(),
  permissions: permissionsOf,
}

/** @param {string} host of the endpoint @returns {import('./dialect').Dialect} */
function dialectOf(host) {
  return profileOf({ host }).dialect === 'google' ? google : amazon
}

/** Permissions whose name differs from the operation's. @type {Record<string, string>} */
const PERMISSIONS = {
  ListBuckets: 's3:ListAllMyBuckets',
  ListMultipartUploads: 's3:ListBucketMultipartUploads',
  ListObjectsV2: 's3:ListBucket',
  HeadObject: 's3:GetObject',
  CreateMultipartUpload: 's3:PutObject',
  CompleteMultipartUpload: 's3:PutObject',
  ListParts: 's3:ListMultipartUploadParts',
}

/** Whose permission is for a whole bucket. */
const OF_BUCKETS = ['CreateBucket', 'ListMultipartUploads', 'ListObjectsV2']

/** Permissions for a version of an object that is named by its id. @type {Record<string, string>} */
const OF_VERSIONS = {
  's3:GetObject': 's3:GetObjectVersion',
  's3:GetObjectTagging': 's3:GetObjectVersionTagging',
  's3:DeleteObject': 's3:DeleteObjectVersion',
}

/**
 * @param {object} asked
 * @param {string} asked.side
 * @param {string} [asked.operation] S3's name of the operation; default: GetObject at the source, PutObject at the destination
 * @param {boolean} [asked.conditional] whether it has an `If-Match` header
 * @param {boolean} [asked.versioned] whether it names a version
 * @returns {{ permission: string, needs: string, needsForTags: string, needsToClear: string }} facts of an error: the
 *   permission of the operation; needs: the end of a sentence; what writing tags needs; what finding and aborting uploads needs
 */
function permissionsOf({ side, operation = side === 'source' ? 'GetObject' : 'PutObject', conditional, versioned }) {
  const words = {
    needsForTags: 's3:PutObjectTagging',
    needsToClear: 's3:ListBucketMultipartUploads on the bucket, and s3:AbortMultipartUpload on its objects',
  }
  const usual = PERMISSIONS[operation] ?? `s3:${operation}`
  const permission = (versioned && OF_VERSIONS[usual]) || usual
  if (operation === 'ListBuckets') return { permission, needs: `${permission} of the ${side}`, ...words }
  if (OF_BUCKETS.includes(operation)) return { permission, needs: `${permission} on the ${side} bucket`, ...words }
  const object = `${permission}${conditional ? ' and s3:GetObject' : ''} on the ${side} object`
  const needs = side === 'source' ? `${object}; without s3:ListBucket a missing object looks the same` : object
  return { permission, needs, ...words }
}

module.exports = { amazon, dialectOf, permissionsOf }
