'use strict'

const crypto = require('node:crypto')
const { S3Error, badArgument, badRequest } = require('./errors')
const { ALGORITHMS, isAlgorithm } = require('../common/checksums')
const { readDescription } = require('./description')
const { checkPartKey, encryptionHeaders } = require('./encryption')
const { storeBody } = require('./objects')
const { headerOf } = require('./payload')
const { writeS3Xml } = require('../common/xml')

/**
 * Multipart uploads up to their completion, which complete.js has.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').Upload} Upload
 */

const MAX_PARTS = 10_000

/**
 * @param {Context} ctx
 * @returns {Upload} the one that the request names, of its bucket and key
 * @throws {S3Error} NoSuchBucket, NoSuchUpload
 */
function uploadOf(ctx) {
  const id = ctx.query.get('uploadId') ?? ''
  const upload = ctx.bucket().uploads.get(id)
  if (!upload || upload.key !== ctx.key) throw new S3Error('NoSuchUpload', { UploadId: id })
  return upload
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html
 *
 * @param {Context} ctx
 * @returns {Answer}
 */
function createUpload(ctx) {
  const { catalog, now } = ctx.state
  const bucket = ctx.bucket()
  const description = readDescription(ctx)
  const checksum = wantedChecksum(ctx)
  const id = crypto.randomBytes(32).toString('base64url')
  catalog.addUpload(bucket.name, { id, key: ctx.key ?? '', initiatedMs: now(), checksum, ...description })
  /** @type {Record<string, string>} */
  const headers = {
    ...encryptionHeaders(ctx, description.encryption),
    // Nothing is said of a checksum that was not asked for.
    ...(ctx.header('x-amz-checksum-algorithm') &&
      checksum && { 'x-amz-checksum-algorithm': checksum.algorithm, 'x-amz-checksum-type': checksum.type }),
  }
  const body = writeS3Xml('InitiateMultipartUploadResult', { Bucket: bucket.name, Key: ctx.key, UploadId: id })
  return { status: 200, headers, body }
}

/** @param {Context} ctx @returns {Upload['checksum']} */
function wantedChecksum(ctx) {
  if (ctx.google) return { algorithm: 'CRC32C', type: 'FULL_OBJECT' }
  const { checksums, checksumCheck, checksumEcho, defaultChecksum } = ctx.state.options
  if (!checksums || (checksumCheck === false && checksumEcho === 'none')) return undefined
  const algorithm = ctx.header('x-amz-checksum-algorithm')?.toUpperCase()
  const type = ctx.header('x-amz-checksum-type')?.toUpperCase()
  if (algorithm === undefined) {
    if (type !== undefined) throw badRequest('The x-amz-checksum-type header needs an algorithm.')
    // The checksum that the store computes unasked.
    return defaultChecksum ? { algorithm: defaultChecksum, type: 'FULL_OBJECT', unasked: true } : undefined
  }
  if (!isAlgorithm(algorithm)) throw badRequest('Checksum algorithm provided is unsupported.')
  const isCrc64 = algorithm === 'CRC64NVME'
  if (type === undefined) return { algorithm, type: isCrc64 ? 'FULL_OBJECT' : 'COMPOSITE' }
  if (type === 'FULL_OBJECT' || (type === 'COMPOSITE' && !isCrc64)) return { algorithm, type }
  throw badRequest(`The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`)
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function uploadPart(ctx) {
  const number = partNumberOf(ctx)
  const upload = uploadOf(ctx)
  checkPartKey(ctx, upload)
  if (ctx.state.options.checksums) checkPartChecksum(ctx, upload)
  const body = await storeBody(ctx, { checksum: upload.checksum?.algorithm, encryption: upload.encryption })
  const same = body.checksum?.algorithm === upload.checksum?.algorithm
  keepPart(ctx, upload, { number, ...body, checksum: same ? body.checksum : undefined })
  /** @type {Record<string, string>} */
  const headers = { ETag: `"${body.etag}"`, ...encryptionHeaders(ctx, upload.encryption) }
  if (body.checksum) headers[headerOf(body.checksum.algorithm)] = body.checksum.value
  return { status: 200, headers }
}

/**
 * Adds a part to an upload, which may have been completed or aborted while the bytes came in.
 *
 * @param {Context} ctx
 * @param {Upload} upload as it was then
 * @param {Omit<import('./types').StoredPart, 'modifiedMs'>} part
 * @returns {import('./types').StoredPart}
 * @throws {S3Error} NoSuchUpload
 */
function keepPart(ctx, upload, { number, size, etag, segments, checksum, damaged }) {
  const { catalog, now } = ctx.state
  uploadOf(ctx)
  const part = { number, size, etag, modifiedMs: now(), segments, checksum, damaged }
  catalog.putPart(ctx.bucket().name, upload.id, part)
  return part
}

/** @param {Context} ctx */
function partNumberOf(ctx) {
  const text = ctx.query.get('partNumber') ?? ''
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_PARTS) return Number(text)
  throw badArgument('partNumber', text, `Part number must be an integer between 1 and ${MAX_PARTS}, inclusive`)
}

/** Refuses a part whose checksum has another algorithm than the upload. @param {Context} ctx @param {Upload} upload */
function checkPartChecksum(ctx, upload) {
  const sent = Object.keys(ALGORITHMS).find(
    name => ctx.headers.has(headerOf(name)) || ctx.header('x-amz-trailer')?.toLowerCase() === headerOf(name),
  )
  const expected = upload.checksum?.unasked ? undefined : upload.checksum?.algorithm
  // An upload without an algorithm takes any, because the SDKs send CRC-32s by default: they are checked and not stored.
  if (sent === expected || expected === undefined) return
  // For FULL_OBJECT S3 computes the checksums that were not sent.
  const optional = upload.checksum?.type === 'FULL_OBJECT' && !ctx.state.options.requirePartChecksums
  if (sent === undefined && optional) return
  const [wanted, actual] = [expected.toLowerCase(), sent?.toLowerCase() ?? 'null']
  throw badRequest(
    `Checksum Type mismatch occurred, expected checksum Type: ${wanted}, actual checksum Type: ${actual}`,
  )
}

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html
 *
 * @param {Context} ctx
 * @returns {Answer}
 */
function abortUpload(ctx) {
  const { catalog, options, now } = ctx.state
  const { name } = ctx.bucket()
  const { id, key } = uploadOf(ctx)
  catalog.removeUpload(name, id)
  if (options.abortDeletes) catalog.removeObject(name, key, now())
  return { status: 204 }
}

module.exports = { abortUpload, createUpload, keepPart, partNumberOf, uploadOf, uploadPart }
