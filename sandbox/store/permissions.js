'use strict'

/**
 * Which IAM actions an operation needs. https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 *
 * @typedef {import('./types').Context} Context
 */

/** The actions of operations with a different name, without `s3:`. @type {Record<string, string>} */
const ACTIONS = {
  HeadObject: 'GetObject',
  HeadBucket: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  ListBuckets: 'ListAllMyBuckets',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListParts: 'ListMultipartUploadParts',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  UploadPartCopy: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  CopyObject: 'PutObject',
}

/** Actions that have another name if the request names a version. */
const OF_VERSIONS = ['GetObject', 'GetObjectTagging', 'PutObjectTagging', 'DeleteObject', 'DeleteObjectTagging']

/** Writes that may be conditional. They also need the permission to read then. */
const CONDITIONAL = new Set(['PutObject', 'CompleteMultipartUpload', 'CopyObject', 'DeleteObject'])

/**
 * Checks that the account that signed a request may use the bucket, and has all actions that its operation needs. copy-source.js checks those for
 * the source of a copy, and DeleteObjects those for each key.
 *
 * @param {Context} ctx with its identity
 */
function isPermitted(ctx) {
  const { buckets } = ctx.identity?.account ?? {}
  if (buckets !== undefined && ctx.bucketName !== undefined && !buckets.includes(ctx.bucketName)) return false
  if (ctx.operation === 'DeleteObjects') return true
  const needed = [ofVersion(ACTIONS[ctx.operation] ?? ctx.operation, ctx.query.has('versionId'))]
  if (ctx.header('x-amz-tagging')) needed.push('PutObjectTagging')
  if (CONDITIONAL.has(ctx.operation) && ctx.headers.has('if-match')) needed.push('GetObject')
  return needed.every(action => hasAction(ctx, `s3:${action}`))
}

/** Without the permission to list the bucket, a missing object is answered with 403, not 404. @param {Context} ctx */
function mayMiss(ctx) {
  return hasAction(ctx, 's3:ListBucket')
}

/** Without the permission to read tags, their number is not answered. @param {Context} ctx */
function mayReadTags(ctx) {
  return ctx.identity !== undefined && hasAction(ctx, `s3:${ofVersion('GetObjectTagging', ctx.query.has('versionId'))}`)
}

/** @param {string} action @param {boolean} versioned */
function ofVersion(action, versioned) {
  return versioned && OF_VERSIONS.includes(action) ? action.replace('Object', 'ObjectVersion') : action
}

/** @param {Context} ctx @param {string} action */
function hasAction({ identity }, action) {
  const actions = identity?.account.actions
  return actions === undefined || actions.includes(action)
}

module.exports = { isPermitted, mayMiss, mayReadTags, hasAction, ofVersion }
