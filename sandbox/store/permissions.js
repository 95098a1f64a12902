'use strict'

/**
 * Which IAM actions an operation needs. https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html
 *
 * @typedef {import('./types').Context} Context
 */

/** Operations whose action has another name than they, `s3:` left out. @type {Record<string, string>} */
const ACTIONS = {
  HeadObject: 'GetObject',
  HeadBucket: 'ListBucket',
  ListObjects: 'ListBucket',
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

/** Actions that have another name where a version is named. */
const OF_VERSIONS = ['GetObject', 'GetObjectTagging', 'PutObjectTagging', 'DeleteObject', 'DeleteObjectTagging']

/** Writes that may depend on what is there, which is to be read then. */
const CONDITIONAL = new Set(['PutObject', 'CompleteMultipartUpload', 'CopyObject', 'DeleteObject'])

/**
 * Whether the account that signed a request has every action that its operation needs. What the source of a copy needs is
 * for copy-source.js, and DeleteObjects answers key by key.
 *
 * @param {Context} ctx with its identity
 */
function isPermitted(ctx) {
  if (ctx.operation === 'DeleteObjects') return true
  const needed = [ofVersion(ACTIONS[ctx.operation] ?? ctx.operation, ctx.query.has('versionId'))]
  if (ctx.header('x-amz-tagging')) needed.push('PutObjectTagging')
  if (CONDITIONAL.has(ctx.operation) && ctx.headers.has('if-match')) needed.push('GetObject')
  return needed.every(action => hasAction(ctx, `s3:${action}`))
}

/** Who may not list a bucket is not told that an object is missing. @param {Context} ctx */
function mayMiss(ctx) {
  return hasAction(ctx, 's3:ListBucket')
}

/** Who may not read tags is not told how many there are. @param {Context} ctx */
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
