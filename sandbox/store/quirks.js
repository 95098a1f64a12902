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
 * The key under which an object is stored, where some characters become others.
 *
 * @param {Context} ctx
 * @param {string} key
 */
function foldedName(ctx, key) {
  const { foldNames } = ctx.state.options
  if (foldNames === 'backslash') return key.replaceAll('\\', '/')
  return foldNames === 'colon' ? key.replaceAll(':', '_') : key
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

module.exports = {
  asHeadSees,
  encodingOf,
  foldedName,
  keepsFraming,
  keptBytes,
  noteWrite,
  partWanted,
}
