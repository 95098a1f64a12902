'use strict'

const crypto = require('node:crypto')
const { S3Error, badArgument, badRequest } = require('./errors')
const { ALGORITHMS, isAlgorithm } = require('../common/checksums')
const { checkWrite } = require('./conditions')
const { cut, isKept, piecesOf } = require('../common/content')
const { checkTagAccess, rangeOf, sourceOf } = require('./copy-source')
const { readDescription } = require('./description')
const { checkPartKey, encryptionHeaders, hidesMd5 } = require('./encryption')
const { opaqueEtag } = require('./objects')
const { MAX_PART_BYTES } = require('./payload')
const { keepPart, partNumberOf, uploadOf } = require('./uploads')
const { versionHeaders } = require('./versions')
const { writeXml } = require('./xml')

/**
 * Server-side copies: of a whole object, and of a range as a part of an upload. No bytes are written, because stored bytes
 * never change. They are read only if an ETag or a checksum has to be computed.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').Segment} Segment
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {import('./copy-source').Source} Source
 * @typedef {import('../common/checksums').Algorithm} Algorithm
 */

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html @param {Context} ctx @returns {Promise<Answer>} */
async function copyObject(ctx) {
  const { catalog, now } = ctx.state
  const bucket = ctx.bucket()
  const key = ctx.key ?? ''
  const description = describe(ctx)
  checkWrite(ctx, bucket.objects.get(key))
  const source = sourceOf(ctx)
  checkSize(source.object.size)
  if (description.tags === undefined) checkTagAccess(ctx, source)
  const algorithm = wantedAlgorithm(ctx) ?? source.object.checksum?.algorithm
  const taken = await take(ctx, source, { start: 0, length: source.object.size }, { algorithm, ...description })
  checkWrite(ctx, bucket.objects.get(key))
  const { content, user, tags, ...rest } = description
  const { etag, segments, checksum } = taken
  const kept = catalog.putObject(bucket.name, {
    ...{ key, etag, segments, modifiedMs: now(), size: source.object.size },
    checksum: checksum && { ...checksum, type: 'FULL_OBJECT' },
    content: content ?? source.object.content,
    user: user ?? source.object.user,
    tags: tags ?? source.object.tags,
    ...rest,
  })
  return {
    status: 200,
    headers: { ...versionHeaders(kept), ...encryptionHeaders(ctx, kept.encryption) },
    body: writeXml('CopyObjectResult', { ...resultOf(ctx, kept), ChecksumType: kept.checksum?.type }),
    object: kept,
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html @param {Context} ctx @returns {Promise<Answer>} */
async function uploadPartCopy(ctx) {
  const number = partNumberOf(ctx)
  const upload = uploadOf(ctx)
  checkPartKey(ctx, upload)
  if (ctx.state.options.requirePartChecksums && upload.checksum) {
    throw new S3Error('InvalidArgument', { message: `checksum missing, want "${upload.checksum.algorithm}", got ""` })
  }
  const source = sourceOf(ctx)
  const range = rangeOf(ctx, source)
  checkSize(range.length)
  const wanted = { algorithm: upload.checksum?.algorithm, encryption: upload.encryption }
  const taken = await take(ctx, source, range, wanted)
  const part = keepPart(ctx, upload, { number, size: range.length, ...taken })
  return {
    status: 200,
    headers: encryptionHeaders(ctx, upload.encryption),
    body: writeXml('CopyPartResult', resultOf(ctx, part)),
  }
}

/**
 * The attributes of the copy; undefined ones are taken from the source. Storage class and encryption never are.
 *
 * @param {Context} ctx
 * @returns {Partial<Pick<StoredObject, 'content' | 'user' | 'tags'>> & Pick<StoredObject, 'storageClass' | 'encryption'>}
 * @throws {S3Error}
 */
function describe(ctx) {
  const { content, user, tags, storageClass, encryption } = readDescription(ctx)
  return {
    storageClass,
    encryption,
    ...(directive(ctx, 'x-amz-metadata-directive') === 'REPLACE' && { content, user }),
    ...(directive(ctx, 'x-amz-tagging-directive') === 'REPLACE' && { tags }),
  }
}

/** @param {Context} ctx @param {string} name */
function directive(ctx, name) {
  const value = ctx.header(name) ?? 'COPY'
  if (value === 'COPY' || value === 'REPLACE') return value
  throw badArgument(name, value)
}

/** @param {number} bytes to copy with one request */
function checkSize(bytes) {
  if (bytes <= MAX_PART_BYTES) return
  throw badRequest(`The specified copy source is larger than the maximum allowable size: ${MAX_PART_BYTES}`)
}

/** @param {Context} ctx @returns {Algorithm | undefined} */
function wantedAlgorithm(ctx) {
  const name = ctx.header('x-amz-checksum-algorithm')?.toUpperCase()
  if (name === undefined || !ctx.state.options.checksums) return undefined
  if (isAlgorithm(name)) return name
  throw badRequest('Checksum algorithm provided is unsupported.')
}

/**
 * The segments of a range, with their ETag and checksum.
 *
 * @param {Context} ctx
 * @param {Source} source
 * @param {{ start: number, length: number }} range
 * @param {{ algorithm: Algorithm | undefined, encryption?: import('./types').Encryption }} wanted
 * @returns {Promise<{ segments: Segment[], etag: string, checksum?: import('./types').StoredChecksum }>}
 */
async function take(ctx, { object }, { start, length }, { algorithm, encryption }) {
  const { options } = ctx.state
  const segments = cut(object.segments, start, length)
  if (!isKept(segments)) throw new S3Error('InvalidObjectState')
  const { discard } = ctx.bucket()
  const opaque = !options.md5Etags || discard || hidesMd5(encryption)
  const summed = options.checksums ? algorithm : undefined
  const { md5, value } = await sumsOf(ctx, segments, { md5: !opaque, algorithm: summed })
  return {
    segments: discard ? [{ size: length, discarded: true }] : segments,
    etag: md5 ?? opaqueEtag(ctx, encryption),
    checksum: summed && value !== undefined ? { algorithm: summed, value } : undefined,
  }
}

/**
 * @param {Context} ctx
 * @param {Segment[]} segments
 * @param {{ md5: boolean, algorithm?: Algorithm }} wanted
 * @returns {Promise<{ md5?: string, value?: string }>} MD5 in hex, checksum in base64
 */
async function sumsOf(ctx, segments, { md5, algorithm }) {
  if (!md5 && algorithm === undefined) return {}
  const hash = md5 ? crypto.createHash('md5') : undefined
  const hasher = algorithm && ALGORITHMS[algorithm].create()
  for await (const piece of piecesOf(ctx.state.blobs, segments)) {
    hash?.update(piece)
    hasher?.update(piece)
  }
  return { md5: hash?.digest('hex'), value: hasher?.digest().toString('base64') }
}

/** @param {Context} ctx @param {Pick<import('./types').StoredPart, 'etag' | 'modifiedMs' | 'checksum'>} stored */
function resultOf(ctx, { etag, modifiedMs, checksum }) {
  return {
    LastModified: new Date(Math.floor(modifiedMs / 1000) * 1000).toISOString(),
    ETag: ctx.effects.etag ?? `"${etag}"`,
    ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
  }
}

module.exports = { copyObject, uploadPartCopy, sumsOf }
