'use strict'

/**
 * Server-side copies: of a whole object, and of a range as a part of an upload. No bytes are written, because stored bytes
 * never change. They are read only if an ETag or a checksum has to be computed.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').Segment} Segment
 * @typedef {import('./types').StoredObject} StoredObject
 * @typedef {import('../common/checksums').Algorithm} Algorithm
 */

const crypto = require('node:crypto')
const { S3Error, badArgument, badRequest } = require('./errors')
const { ALGORITHMS, isAlgorithm } = require('../common/checksums')
const { checkWrite, checkRead } = require('./conditions')
const { cut, isKept, piecesOf } = require('../common/content')
const { readDescription, isArchived } = require('./description')
const { checkPartKey, encryptionHeaders, hidesMd5, checkReadKey } = require('./encryption')
const { opaqueEtag } = require('./objects')
const { MAX_PART_BYTES } = require('./payload')
const { keepPart, partNumberOf, uploadOf } = require('./uploads')
const { versionHeaders, findObject } = require('./catalog')
const { writeS3Xml } = require('../common/xml')
const { hasAction, ofVersion } = require('./auth')

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html @param {Context} ctx @returns {Promise<Answer>} */
async function copyObject(ctx) {
  const { catalog, now } = ctx.state
  const bucket = ctx.bucket()
  const key = ctx.key ?? ''
  const description = describe(ctx)
  checkWrite(ctx, bucket.objects.get(key))
  const source = sourceOf(ctx)
  checkSize(source.object.size)
  if (source.object === bucket.objects.get(key)) checkChanges(description)
  if (description.tags === undefined) checkTagAccess(ctx, source)
  const algorithm = wantedAlgorithm(ctx) ?? source.object.checksum?.algorithm
  const taken = await take(ctx, source, { start: 0, length: source.object.size }, { algorithm, ...description })
  checkWrite(ctx, bucket.objects.get(key))
  const { content, user, tags, ...rest } = description
  const { etag, segments, checksum } = taken
  const kept = catalog.putObject(bucket.name, {
    key,
    etag,
    segments,
    modifiedMs: now(),
    size: source.object.size,
    checksum: checksum && { ...checksum, type: 'FULL_OBJECT' },
    content: content ?? source.object.content,
    user: user ?? source.object.user,
    tags: tags ?? source.object.tags,
    ...rest,
  })
  return {
    status: 200,
    headers: { ...versionHeaders(kept), ...encryptionHeaders(ctx, kept.encryption) },
    body: writeS3Xml('CopyObjectResult', { ...resultOf(ctx, kept), ChecksumType: kept.checksum?.type }),
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
    body: writeS3Xml('CopyPartResult', resultOf(ctx, part)),
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

/** An object may be copied onto itself only to change it. @param {ReturnType<typeof describe>} description */
function checkChanges({ content, storageClass, encryption }) {
  if (content ?? storageClass ?? encryption) return
  throw badRequest(
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  )
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
    ...(ctx.effects.copySum && { ChecksumCRC32: ctx.effects.copySum }),
  }
}

/**
 * The source of a copy: `x-amz-copy-source`, and the headers that begin with that name.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html
 *
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

module.exports = { copyObject, uploadPartCopy, sumsOf }
