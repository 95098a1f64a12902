'use strict'

const { S3Error } = require('./errors')

/**
 * Differences of other stores from S3: implements the options of `settings.d.ts` under "quirks". None is on by default.
 * modes.js has combinations.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').StoredObject} StoredObject
 */

const BODIES = ['PutObject', 'UploadPart']
const WRITES = ['PutObject', 'CopyObject', 'CompleteMultipartUpload']
const CHUNKED = 'aws-chunked'

/** @param {string | undefined} header a Content-Encoding @returns {string[]} all but `aws-chunked` */
function encodingsOf(header) {
  return (header ?? '')
    .split(',')
    .map(one => one.trim())
    .filter(one => one !== '' && one !== CHUNKED)
}

/**
 * Whether the aws-chunked framing of this body is stored as if it were data.
 *
 * @param {Context} ctx
 */
function keepsFraming(ctx) {
  const { framing } = ctx.state.options
  if (framing === 'removed' || !BODIES.includes(ctx.operation)) return false
  return framing === 'kept' || encodingsOf(ctx.header('content-encoding')).length > 0
}

/**
 * @param {Context} ctx
 * @returns {string | undefined} the Content-Encoding that is kept
 */
function encodingOf(ctx) {
  const sent = ctx.header('content-encoding')
  const others = encodingsOf(sent)
  const { contentEncoding } = ctx.state.options
  const asSent = contentEncoding === 'kept-always' || (contentEncoding === 'kept-aws-chunked' && others.length > 0)
  return (asSent ? sent : others.join(',')) || undefined
}

/**
 * The key under which an object is stored, if names are folded: `nfc`, `backslash` and `colon` change the key, `case` uses an existing one.
 *
 * @param {Context} ctx
 * @param {string} key
 */
function foldedName(ctx, key) {
  const { foldNames } = ctx.state.options
  if (foldNames === 'nfc') return key.normalize('NFC')
  if (foldNames === 'backslash') return key.replaceAll('\\', '/')
  if (foldNames === 'colon') return key.replaceAll(':', '_')
  const bucket = ctx.state.catalog.buckets.get(ctx.bucketName ?? '')
  if (foldNames !== 'case' || !bucket) return key
  const wanted = key.toLowerCase()
  for (const name of bucket.objects.keys()) if (name.toLowerCase() === wanted) return name
  for (const upload of bucket.uploads.values()) if (upload.key.toLowerCase() === wanted) return upload.key
  return key
}

/**
 * What is stored of a body: nothing if the key ends in a slash and folders are empty.
 *
 * @template {Pick<StoredObject, 'size' | 'segments'>} T
 * @param {Context} ctx
 * @param {T} body
 * @returns {Pick<StoredObject, 'size' | 'segments'>}
 */
function keptBytes({ key, state }, { size, segments }) {
  return state.options.emptyFolders && key?.endsWith('/') ? { size: 0, segments: [] } : { size, segments }
}

/** Call it after a request has done its work. @param {Context} ctx */
function noteWrite(ctx) {
  const { headAfterPut, headsAfterPut } = ctx.state.options
  if (headAfterPut !== 'right' && WRITES.includes(ctx.operation)) ctx.state.unsettled.set(nameOf(ctx), headsAfterPut)
}

/**
 * The answer to a HEAD soon after a write.
 *
 * @param {Context} ctx
 * @param {StoredObject} object
 * @returns {StoredObject}
 * @throws {S3Error} NoSuchKey
 */
function asHeadSees(ctx, object) {
  const left = ctx.state.unsettled.get(nameOf(ctx)) ?? 0
  if (ctx.method !== 'HEAD' || left === 0) return object
  ctx.state.unsettled.set(nameOf(ctx), left - 1)
  if (ctx.state.options.headAfterPut === 404) throw new S3Error('NoSuchKey', { Key: ctx.key })
  const { headAfterPut } = ctx.state.options
  const etag = headAfterPut === 'other' ? '0'.repeat(32) : object.etag
  return { ...object, etag, size: Math.max(0, object.size - 1), segments: [] }
}

/** @param {Context} ctx */
function nameOf({ bucketName, key }) {
  return `${bucketName}/${key}`
}

/** @param {Context} ctx @param {import('./types').Upload} upload @param {number} number @throws {S3Error} NotImplemented */
function checkReplacement(ctx, { parts }, number) {
  if (ctx.state.options.replaceParts || !parts.has(number)) return
  throw new S3Error('NotImplemented', { message: 'A part cannot be uploaded twice' })
}

/**
 * @param {Context} ctx
 * @returns {string | undefined} the part number that a GET or HEAD is for
 * @throws {S3Error} NotImplemented
 */
function partWanted(ctx) {
  const { partNumberHead } = ctx.state.options
  const wanted = ctx.query.get('partNumber')
  if (wanted !== undefined && partNumberHead === 501) throw new S3Error('NotImplemented')
  return partNumberHead === 'ignored' ? undefined : wanted
}

/** @param {Context} ctx @param {[key: string, value: string][]} tags @throws {S3Error} InvalidTag */
function checkTagKeys(ctx, tags) {
  const { refusedTagKey } = ctx.state.options
  if (refusedTagKey === '' || !tags.some(([key]) => key === refusedTagKey)) return
  throw new S3Error('InvalidTag', { message: 'The TagKey you have provided is invalid', TagKey: refusedTagKey })
}

module.exports = {
  asHeadSees,
  checkReplacement,
  checkTagKeys,
  encodingOf,
  foldedName,
  keepsFraming,
  keptBytes,
  noteWrite,
  partWanted,
}
