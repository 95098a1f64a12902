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
  CompleteMultipartUpload: 'PutObject',
  DeleteObjects: 'DeleteObject',
}

/** Writes that may depend on what is there, which is to be read then. */
const CONDITIONAL = new Set(['PutObject', 'CompleteMultipartUpload', 'DeleteObject'])

/**
 * Whether the account that signed a request has every action that its operation needs.
 *
 * @param {Context} ctx with its identity
 */
function isPermitted(ctx) {
  const needed = [ACTIONS[ctx.operation] ?? ctx.operation]
  if (CONDITIONAL.has(ctx.operation) && ctx.headers.has('if-match')) needed.push('GetObject')
  return needed.every(action => hasAction(ctx, `s3:${action}`))
}

/** Who may not list a bucket is not told that an object is missing. @param {Context} ctx */
function mayMiss(ctx) {
  return hasAction(ctx, 's3:ListBucket')
}

/** @param {Context} ctx @param {string} action */
function hasAction({ identity }, action) {
  const actions = identity?.account.actions
  return actions === undefined || actions.includes(action)
}

module.exports = { isPermitted, mayMiss }
