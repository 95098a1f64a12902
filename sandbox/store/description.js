'use strict'

const { S3Error } = require('./errors')
const { readEncryption } = require('./encryption')
const { encodingOf } = require('./quirks')

/**
 * An object's attributes: content headers, user metadata, tags, storage class, encryption.
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
]
/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/storage-class-intro.html */
const STORAGE_CLASSES = [
  ...['STANDARD', 'REDUCED_REDUNDANCY', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING'],
  ...['GLACIER', 'DEEP_ARCHIVE', 'GLACIER_IR'],
]
/** https://cloud.google.com/storage/docs/storage-classes */
const GOOGLE_CLASSES = ['STANDARD', 'NEARLINE', 'COLDLINE', 'ARCHIVE']
/** Storage classes whose objects must be restored before they can be read. */
const ARCHIVES = ['GLACIER', 'DEEP_ARCHIVE']
const MAX_USER_BYTES = 2048
const MAX_KEY_BYTES = 1024
const MAX_TAGS = 10

/**
 * @param {Context} ctx a PutObject, CopyObject or CreateMultipartUpload
 * @returns {Description}
 * @throws {S3Error} KeyTooLongError, MetadataTooLarge, InvalidTag, InvalidStorageClass, and those of encryption.js
 */
function readDescription(ctx) {
  if (Buffer.byteLength(ctx.key ?? '') > MAX_KEY_BYTES) throw new S3Error('KeyTooLongError')
  /** @type {Record<string, string>} */
  const content = { 'content-type': 'binary/octet-stream' }
  for (const name of CONTENT_HEADERS) {
    const value = ctx.header(name)
    if (value) content[name] = value
  }
  const encoding = encodingOf(ctx)
  delete content['content-encoding']
  if (encoding) content['content-encoding'] = encoding
  for (const name of ctx.state.options.droppedHeaders) delete content[name]
  // Google keeps no such header.
  if (ctx.google) delete content.expires
  const tags = checkTags([...new URLSearchParams(ctx.header('x-amz-tagging') ?? '')])
  return {
    content,
    user: readUser(ctx),
    tags: ctx.state.options.tagging === 'ignored' ? [] : tags,
    storageClass: readStorageClass(ctx),
    encryption: readEncryption(ctx),
  }
}

/** @param {Context} ctx @returns {string | undefined} undefined for STANDARD, which stores do not report */
function readStorageClass(ctx) {
  const name = ctx.header('x-amz-storage-class') ?? (ctx.state.options.storageClass || undefined)
  const known = ctx.google ? GOOGLE_CLASSES : STORAGE_CLASSES
  if (name !== undefined && !known.includes(name)) throw new S3Error('InvalidStorageClass')
  return name === 'STANDARD' ? undefined : name
}

/** Whether the object must be restored before it can be read. @param {Pick<Description, 'storageClass'>} object */
function isArchived({ storageClass }) {
  return storageClass !== undefined && ARCHIVES.includes(storageClass)
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
  if (bytes > MAX_USER_BYTES) throw new S3Error('MetadataTooLarge')
  return user
}

/**
 * @param {[key: string, value: string][]} tags
 * @throws {S3Error}
 */
function checkTags(tags) {
  if (tags.length > MAX_TAGS) throw new S3Error('BadRequest', { message: 'Object tags cannot be greater than 10' })
  const names = new Set(tags.map(([key]) => key))
  const wrong = tags.some(([key, value]) => key.length < 1 || key.length > 128 || value.length > 256)
  if (wrong || names.size < tags.length) throw new S3Error('InvalidTag')
  return tags
}

module.exports = { readDescription, checkTags, isArchived }
