'use strict'

const { randomBytes } = require('node:crypto')
const { S3Error, badArgument } = require('./errors')
const { checkRead, checkWrite } = require('./conditions')
const { cut, intervalOf, isKept } = require('../common/content')
const { isArchived, readDescription } = require('./description')
const { checkReadKey, encryptionHeaders, hidesMd5 } = require('./encryption')
const { MAX_PART_BYTES, headerOf, readClaims, receive } = require('./payload')
const { mayReadTags } = require('./auth')
const { asHeadSees, partWanted } = require('./quirks')
const { findObject, findVersion, versionHeaders } = require('./catalog')

/**
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {import('./types').Segment} Segment
 */

/**
 * Stores the body of a request.
 *
 * @param {Context} ctx
 * @param {{ checksum?: import('../common/checksums').Algorithm, encryption?: import('./types').Encryption }} wanted checksum: to be
 *   computed even if none was sent; encryption: of the object or part
 * @returns {Promise<{ segments: Segment[], size: number, etag: string, checksum?: import('./types').StoredChecksum,
 *   damaged?: boolean }>} damaged: its checksum does not match, which is reported at the completion
 * @throws {S3Error} nothing is stored then
 */
async function storeBody(ctx, { checksum: algorithm, encryption }) {
  const { discard } = ctx.bucket()
  const claims = readClaims(ctx)
  if (claims.bytes > MAX_PART_BYTES) throw new S3Error('EntityTooLarge')
  const wanted = { md5: ctx.state.options.md5Etags && !discard, checksum: algorithm }
  const { bytes, segments, md5, checksum, damaged } = await ctx.state.blobs.store(discard, write =>
    receive(ctx, claims, { ...wanted, write }),
  )
  const etag = wanted.md5 && md5 && !hidesMd5(encryption) ? md5 : opaqueEtag(ctx, encryption)
  return { segments, size: bytes, etag, checksum, damaged }
}

/** The checksum that the store computes of everything. @param {Context} ctx @returns {import('../common/checksums').Algorithm | undefined} */
function ownChecksum({ state }) {
  return state.options.mode === 'google' ? 'CRC32C' : state.options.defaultChecksum || undefined
}

/**
 * An ETag that is no MD5. Most stores make it look like an ETag of parts, so that it is not mistaken for an MD5. The ETag of
 * an object that is encrypted with a key that is not S3's own does look like an MD5.
 *
 * @param {Context} ctx
 * @param {import('./types').Encryption} [encryption]
 */
function opaqueEtag({ state: { options } }, encryption) {
  return `${randomBytes(16).toString('hex')}${options.plainEtags || hidesMd5(encryption) ? '' : '-1'}`
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html @param {Context} ctx @returns {Promise<Answer>} */
async function putObject(ctx) {
  const { catalog, now } = ctx.state
  const key = ctx.key ?? ''
  const description = readDescription(ctx)
  checkWrite(ctx, ctx.bucket().objects.get(key))
  const { size, segments, etag, checksum } = await storeBody(ctx, {
    checksum: ownChecksum(ctx),
    encryption: description.encryption,
  })
  // Checked again: another client may have written the key while the body was received.
  checkWrite(ctx, ctx.bucket().objects.get(key))
  const headers = { ETag: `"${etag}"` }
  if (!ctx.state.options.keepsPuts) return { status: 200, headers }
  const kept = catalog.putObject(ctx.bucket().name, {
    key,
    etag,
    size,
    segments,
    modifiedMs: now(),
    ...description,
    checksum: checksum && { ...checksum, type: 'FULL_OBJECT' },
  })
  const more = { ...versionHeaders(kept), ...encryptionHeaders(ctx, kept.encryption) }
  return { status: 200, headers: { ...headers, ...more, ...checksumHeaders(checksum, 'FULL_OBJECT') }, object: kept }
}

/**
 * @param {{ algorithm: string, value: string } | undefined} checksum
 * @param {import('./types').ChecksumType} [type]
 * @returns {Record<string, string>}
 */
function checksumHeaders(checksum, type) {
  if (!checksum) return {}
  const headers = { [headerOf(checksum.algorithm)]: checksum.value }
  return type ? { ...headers, 'x-amz-checksum-type': type } : headers
}

/**
 * GetObject and HeadObject.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
 *
 * @param {Context} ctx
 * @returns {Answer}
 */
function getObject(ctx) {
  const object = asHeadSees(ctx, objectOf(ctx))
  checkReadKey(ctx, object)
  checkRead(ctx, object)
  const wanted = wantedOf(ctx, object)
  const { start, length } = wanted
  const headers = describe(ctx, object)
  if (wanted.partsCount !== undefined) headers['x-amz-mp-parts-count'] = String(wanted.partsCount)
  if (ctx.header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    const { checksum } = object
    Object.assign(
      headers,
      wanted.partial ? checksumHeaders(wanted.partChecksum) : checksumHeaders(checksum, checksum?.type),
    )
  }
  if (wanted.partial) {
    const said = ctx.effects.wrongContentRange ? start + 1 : start
    headers['Content-Range'] = `bytes ${said}-${said + length - 1}/${object.size}`
  }
  headers['Content-Length'] = String(length)
  const status = wanted.partial ? 206 : 200
  if (ctx.method === 'HEAD') return { status, headers, object }
  if (isArchived(object)) {
    throw new S3Error('InvalidObjectState', { message: "The operation is not valid for the object's storage class" })
  }
  const content = cut(object.segments, start, length)
  if (!isKept(content)) throw new S3Error('InvalidObjectState')
  return { status, headers, object, content }
}

/**
 * Returns the object, or the version, that the request names.
 *
 * @param {Context} ctx
 * @returns {StoredObject}
 * @throws {S3Error} NoSuchBucket, and those of catalog.js
 */
function objectOf(ctx) {
  return findObject(ctx.bucket(), ctx.key ?? '', ctx.query.get('versionId'))
}

/** @param {Context} ctx @param {StoredObject} object @returns {Record<string, string>} */
function describe(ctx, object) {
  /** @type {Record<string, string>} */
  const headers = {
    ...(ctx.state.options.times && { 'Last-Modified': new Date(object.modifiedMs).toUTCString() }),
    ...(ctx.state.options.etags && { ETag: `"${object.etag}"` }),
    'Accept-Ranges': 'bytes',
    ...versionHeaders(object),
    ...encryptionHeaders(ctx, object.encryption),
    ...(object.storageClass && { 'x-amz-storage-class': object.storageClass }),
    ...object.content,
    ...object.user,
  }
  if (object.tags.length > 0 && mayReadTags(ctx)) headers['x-amz-tagging-count'] = String(object.tags.length)
  return headers
}

/**
 * Returns the bytes that are requested, by `Range` or by `partNumber`.
 *
 * @param {Context} ctx
 * @param {StoredObject} object
 * @returns {{ start: number, length: number, partial: boolean, partsCount?: number,
 *   partChecksum?: import('./types').StoredChecksum }}
 */
function wantedOf(ctx, object) {
  const partNumber = partWanted(ctx)
  if (partNumber !== undefined) return partInterval(object, partNumber)
  const interval = ctx.effects.ignoreRange ? undefined : intervalOf(ctx.header('range'), object.size)
  if (!interval) return { start: 0, length: object.size, partial: false }
  if (interval.length > 0) return { ...interval, partial: true }
  throw new S3Error('InvalidRange', { headers: { 'Content-Range': `bytes */${object.size}` } })
}

/** @param {StoredObject} object @param {string} partNumber */
function partInterval({ size, parts }, partNumber) {
  if (!/^\d{1,5}$/.test(partNumber) || Number(partNumber) < 1 || Number(partNumber) > 10_000) {
    throw badArgument('partNumber', partNumber)
  }
  const list = parts ?? [{ number: 1, size }]
  // Numbers the object's parts from 1, whatever their part numbers were at the upload.
  const index = Number(partNumber) - 1
  if (index >= list.length) throw new S3Error('InvalidPartNumber')
  const start = list.slice(0, index).reduce((sum, part) => sum + part.size, 0)
  const { size: length, ...part } = list[index]
  const partChecksum = 'checksum' in part ? part.checksum : undefined
  return { start, length, partial: length > 0, partsCount: parts?.length, partChecksum }
}

/**
 * If versions are kept, a named version is deleted permanently; without a version id a delete marker is added.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html
 *
 * @param {Context} ctx
 * @returns {Answer}
 */
function deleteObject(ctx) {
  const { catalog, now } = ctx.state
  const [bucket, key, versionId] = [ctx.bucket(), ctx.key ?? '', ctx.query.get('versionId')]
  checkWrite(ctx, bucket.objects.get(key))
  if (ctx.google && !bucket.objects.has(key) && versionId === undefined) throw new S3Error('NoSuchKey', { Key: key })
  if (versionId === undefined || !bucket.versions) {
    return { status: 204, headers: versionHeaders(catalog.removeObject(bucket.name, key, now())) }
  }
  const version = findVersion(bucket, key, versionId)
  catalog.removeVersion(bucket.name, key, versionId)
  return { status: 204, headers: versionHeaders(version) }
}

module.exports = { putObject, getObject, deleteObject, objectOf, storeBody, opaqueEtag }
