'use strict'

const { S3Error, badArgument, badRequest } = require('./errors')
const { checkRead } = require('./conditions')
const { isArchived } = require('./description')
const { checkReadKey } = require('./encryption')
const { hasAction, ofVersion } = require('./permissions')
const { findObject } = require('./versions')

/**
 * The source of a copy: `x-amz-copy-source`, and the headers that begin with that name.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {{ bucket: import('./types').Bucket, key: string, versionId?: string, object: import('./types').StoredObject }} Source
 *   versionId: if the request names one
 */

/**
 * @param {Context} ctx
 * @returns {Source} which the account may read, and whose conditions hold
 * @throws {S3Error} InvalidArgument, AccessDenied, NoSuchBucket, NoSuchKey, PreconditionFailed, InvalidRequest,
 *   ObjectNotInActiveTierError
 */
function sourceOf(ctx) {
  const { bucketName, key, versionId } = readSource(ctx.header('x-amz-copy-source') ?? '')
  const bucket = ctx.state.catalog.buckets.get(bucketName)
  if (!bucket) throw new S3Error('NoSuchBucket', { BucketName: bucketName })
  checkAccess(ctx, bucket, ofVersion('GetObject', versionId !== undefined))
  const object = findObject(bucket, key, versionId)
  checkReadKey(ctx, object, { source: true })
  checkRead(ctx, object, 'x-amz-copy-source-')
  if (isArchived(object)) throw new S3Error('ObjectNotInActiveTierError')
  return { bucket, key, versionId, object }
}

/**
 * Parses `bucket/key`, percent-encoded, with an optional slash before it and an optional `?versionId=` after it. A plus sign
 * is a space, as in a query.
 *
 * @param {string} header
 */
function readSource(header) {
  const at = header.lastIndexOf('?versionId=')
  const [path, version] = at === -1 ? [header] : [header.slice(0, at), header.slice(at + '?versionId='.length)]
  const decoded = decode(path.replace(/^\//, ''))
  const slash = decoded.indexOf('/')
  if (slash < 1 || slash === decoded.length - 1) {
    throw badArgument('x-amz-copy-source', header)
  }
  return {
    bucketName: decoded.slice(0, slash),
    key: decoded.slice(slash + 1),
    versionId: version === undefined ? undefined : decode(version),
  }
}

/** @param {string} text as sent, one character per byte */
function decode(text) {
  try {
    return decodeURIComponent(Buffer.from(text, 'latin1').toString().replaceAll('+', ' '))
  } catch {
    throw badArgument('x-amz-copy-source', text)
  }
}

/**
 * Checks that the account that writes the copy may read its source.
 *
 * @param {Context} ctx
 * @param {import('./types').Bucket} bucket
 * @param {string} action
 * @throws {S3Error} AccessDenied
 */
function checkAccess(ctx, { name, publicRead }, action) {
  const { buckets } = ctx.identity?.account ?? {}
  const own = (buckets === undefined || buckets.includes(name)) && hasAction(ctx, `s3:${action}`)
  if (!own && !publicRead) throw new S3Error('AccessDenied')
}

/**
 * Checks that the account may read the source's tags and write the copy's, if tags are copied.
 *
 * @param {Context} ctx
 * @param {Source} source
 * @throws {S3Error} AccessDenied
 */
function checkTagAccess(ctx, { versionId, object }) {
  if (object.tags.length === 0) return
  const needed = [ofVersion('GetObjectTagging', versionId !== undefined), 'PutObjectTagging']
  if (!needed.every(action => hasAction(ctx, `s3:${action}`))) throw new S3Error('AccessDenied')
}

/**
 * Parses `x-amz-copy-source-range`, which must have both ends.
 *
 * @param {Context} ctx
 * @param {Source} source
 * @returns {{ start: number, length: number }} without the header: the whole object
 * @throws {S3Error} InvalidArgument, InvalidRequest
 */
function rangeOf(ctx, { object }) {
  const header = ctx.header('x-amz-copy-source-range')
  if (header === undefined) return { start: 0, length: object.size }
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? []
  if (first === undefined || Number(first) > Number(last) || Number(last) >= object.size) {
    throw badArgument('x-amz-copy-source-range', header)
  }
  // "You can copy a range only if the source object is greater than 5 MB."
  if (object.size <= ctx.state.options.minPartBytes) {
    throw badRequest('The specified copy source is not supported as a byte-range copy source')
  }
  return { start: Number(first), length: Number(last) - Number(first) + 1 }
}

module.exports = { sourceOf, checkTagAccess, rangeOf }
