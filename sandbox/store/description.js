'use strict'

const { S3Error } = require('./errors')

/**
 * What travels with an object besides its bytes: content headers, user metadata, tags.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Description} Description
 */

const CONTENT_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
  'x-amz-website-redirect-location',
]
const MAX_USER_BYTES = 2048
const MAX_KEY_BYTES = 1024
const MAX_TAGS = 10

/**
 * @param {Context} ctx a PutObject, CopyObject or CreateMultipartUpload
 * @returns {Description}
 * @throws {S3Error} KeyTooLongError, MetadataTooLarge, InvalidTag, NotImplemented
 */
function readDescription(ctx) {
  const keyBytes = Buffer.byteLength(ctx.key ?? '')
  if (keyBytes > MAX_KEY_BYTES) {
    throw new S3Error('KeyTooLongError', { Size: keyBytes, MaxSizeAllowed: MAX_KEY_BYTES })
  }
  for (const name of ctx.headers.keys()) {
    if (name.startsWith('x-amz-server-side-encryption-customer-')) throw new S3Error('NotImplemented', { Header: name })
  }
  /** @type {Record<string, string>} */
  const content = { 'content-type': 'binary/octet-stream' }
  for (const name of CONTENT_HEADERS) {
    const value = ctx.header(name)
    if (value) content[name] = value
  }
  const encodings = content['content-encoding']
    ?.split(',')
    .map(one => one.trim())
    .filter(one => one !== 'aws-chunked')
  delete content['content-encoding']
  if (encodings?.length) content['content-encoding'] = encodings.join(',')
  return { content, user: readUser(ctx), tags: parseTagging(ctx.header('x-amz-tagging') ?? '') }
}

/** @param {Context} ctx */
function readUser(ctx) {
  /** @type {Record<string, string>} */
  const user = {}
  let bytes = 0
  for (const [name, values] of ctx.headers) {
    if (!name.startsWith('x-amz-meta-')) continue
    user[name] = values.join(',')
    bytes += name.length - 'x-amz-meta-'.length + user[name].length
  }
  if (bytes > MAX_USER_BYTES) throw new S3Error('MetadataTooLarge', { Size: bytes, MaxSizeAllowed: MAX_USER_BYTES })
  return user
}

/** @param {string} header `a=1&b=2`, percent-encoded @returns {[string, string][]} */
function parseTagging(header) {
  return checkTags([...new URLSearchParams(header)])
}

/**
 * @param {[key: string, value: string][]} tags
 * @throws {S3Error}
 */
function checkTags(tags) {
  if (tags.length > MAX_TAGS) throw new S3Error('BadRequest', { message: 'Object tags cannot be greater than 10' })
  if (new Set(tags.map(([key]) => key)).size < tags.length) {
    throw new S3Error('InvalidTag', { message: 'Cannot provide multiple Tags with the same key' })
  }
  for (const [key, value] of tags) {
    if (key.length < 1 || key.length > 128) {
      throw new S3Error('InvalidTag', { message: 'The TagKey you have provided is invalid', TagKey: key })
    }
    if (value.length > 256) {
      throw new S3Error('InvalidTag', { message: 'The TagValue you have provided is invalid', TagValue: value })
    }
  }
  return tags
}

module.exports = { readDescription, checkTags }
