'use strict'

const crypto = require('node:crypto')
const { S3Error, badRequest } = require('./errors')
const { ALGORITHMS, isAlgorithm, combineParts } = require('../common/checksums')
const { checkWrite } = require('./conditions')
const { sumsOf } = require('./copy')
const { encryptionHeaders, hidesMd5 } = require('./encryption')
const { opaqueEtag } = require('./objects')
const { headerOf, receiveText } = require('./payload')
const { uploadOf } = require('./uploads')
const { versionHeaders } = require('./catalog')
const { childText, readXml, writeS3Xml } = require('../common/xml')

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').Upload} Upload
 * @typedef {import('./types').StoredPart} StoredPart
 * @typedef {{ number: number, etag: string, checksum?: { algorithm: string, value: string } }} Named
 */

/**
 * Makes the object from its parts. It is only a new list of stored segments, so the time does not depend on the size.
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function completeUpload(ctx) {
  const text = await receiveText(ctx)
  const earlier = ctx.state.completed.get(ctx.query.get('uploadId') ?? '')
  if (earlier && earlier.bucket === ctx.bucketName && earlier.key === ctx.key) return earlier.answer
  // Checked before the upload is looked up, as MinIO does.
  checkWrite(ctx, ctx.bucket().objects.get(ctx.key ?? ''))
  const upload = uploadOf(ctx)
  const named = readParts(text)
  const parts = selectParts(ctx, upload, named)
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  const checksum = checkChecksum(ctx, upload, named, parts)
  const bucket = ctx.bucket()
  checkWrite(ctx, bucket.objects.get(upload.key))
  const answeredEtag = etagOf(ctx, upload, parts)
  const segments = parts.flatMap(part => part.segments)
  const ofBytes = ctx.state.options.uploadEtag === 'of-bytes' ? await sumsOf(ctx, segments, { md5: true }) : undefined
  const { id, key, initiatedMs, parts: all, checksum: kind, ...description } = upload
  const kept = ctx.state.catalog.putObject(bucket.name, {
    key,
    etag: ofBytes?.md5 ?? answeredEtag,
    modifiedMs: ctx.state.now(),
    size,
    segments,
    checksum,
    parts: parts.map(part => ({ number: part.number, size: part.size, checksum: part.checksum })),
    ...description,
  })
  ctx.state.catalog.removeUpload(bucket.name, id)
  const answer = { ...answerOf(ctx, { ...kept, etag: answeredEtag }), object: kept }
  // For clients that repeat a completion because its answer was lost.
  if (ctx.state.options.rememberCompletions) ctx.state.completed.set(id, { bucket: bucket.name, key, answer })
  return answer
}

/** @param {string} text @returns {Named[]} */
function readParts(text) {
  const root = readXml(text)
  const parts = root.children.filter(child => child.name === 'Part')
  if (root.name !== 'CompleteMultipartUpload' || parts.length === 0) throw new S3Error('MalformedXML')
  return parts.map(part => {
    const number = childText(part, 'PartNumber') ?? ''
    if (!/^\d{1,9}$/.test(number)) throw new S3Error('MalformedXML')
    const algorithm = Object.keys(ALGORITHMS).find(name => childText(part, `Checksum${name}`) !== undefined)
    const checksum =
      algorithm === undefined ? undefined : { algorithm, value: childText(part, `Checksum${algorithm}`) ?? '' }
    return {
      number: Number(number),
      etag: (childText(part, 'ETag') ?? '').replace(/^"(.*)"$/, '$1'),
      checksum,
    }
  })
}

/**
 * Returns the parts that the request names, in order, each checked against its name.
 *
 * @param {Context} ctx
 * @param {Upload} upload
 * @param {Named[]} named
 */
function selectParts(ctx, upload, named) {
  const { minPartBytes } = ctx.state.options
  if (named.some(({ number }, index) => index > 0 && number <= named[index - 1].number)) {
    throw new S3Error('InvalidPartOrder')
  }
  const parts = named.map(({ number, etag, checksum }) => {
    const part = upload.parts.get(number)
    const same = part?.etag === etag && (!checksum || !part.checksum || checksum.value === part.checksum.value)
    if (part?.damaged) throw new S3Error('BadDigest', { PartNumber: number })
    if (part && same) return part
    throw new S3Error('InvalidPart', { PartNumber: number })
  })
  if (parts.slice(0, -1).some(({ size }) => size < minPartBytes)) throw new S3Error('EntityTooSmall')
  return parts
}

/**
 * Computes the object's checksum from those of its parts, and compares it with the one that was sent.
 *
 * @param {Context} ctx
 * @param {Upload} upload
 * @param {Named[]} named
 * @param {StoredPart[]} parts
 * @returns {import('./types').StoredObject['checksum']}
 */
function checkChecksum(ctx, upload, named, parts) {
  if (!ctx.state.options.checksums) return undefined
  const sent = Object.keys(ALGORITHMS)
    .filter(isAlgorithm)
    .map(algorithm => ({ algorithm, value: ctx.header(headerOf(algorithm)) }))
    .find(({ value }) => value !== undefined)
  const type = ctx.header('x-amz-checksum-type')?.toUpperCase()
  const kind = upload.checksum
  if ((type !== undefined && type !== kind?.type) || (sent && sent.algorithm !== kind?.algorithm)) {
    const created = kind ? `${kind.type} checksum mode with ${kind.algorithm}` : 'null checksum mode'
    throw badRequest(`The upload was created using the ${created}.`)
  }
  if (!kind) return undefined
  const missing = named.find(part => part.checksum?.algorithm !== kind.algorithm)
  if (missing && (kind.type === 'COMPOSITE' || missing.checksum)) {
    throw badRequest(`The ${kind.algorithm} checksum was missing for part ${missing.number} in the request.`)
  }
  const { unasked, ...kept } = kind
  // A store that compares none believes the one that was sent.
  const isChecked = ctx.state.options.checksumCheck !== false
  if (!isChecked && sent?.value !== undefined) return { ...kept, value: sent.value }
  if ((!isChecked || unasked) && parts.some(part => !part.checksum)) return undefined
  const sums = parts.map(part => ({ bytes: part.size, value: part.checksum?.value ?? '' }))
  const value = combineParts(kind.algorithm, kind.type, sums)
  if (isChecked && sent && sent.value !== value && sent.value !== value.replace(/-\d+$/, '')) {
    throw new S3Error('BadDigest', {
      message: `The ${kind.algorithm} you specified did not match the calculated checksum.`,
    })
  }
  return { ...kept, value }
}

/** The MD5 of the parts' MD5s, and the number of parts. @param {Context} ctx @param {Upload} upload @param {StoredPart[]} parts */
function etagOf(ctx, { encryption }, parts) {
  const opaque = !ctx.state.options.md5Etags || ctx.google !== undefined || ctx.bucket().discard || hidesMd5(encryption)
  if (opaque) return `${opaqueEtag(ctx).slice(0, 32)}-${parts.length}`
  const hash = crypto.createHash('md5')
  for (const part of parts) hash.update(Buffer.from(part.etag, 'hex'))
  return `${hash.digest('hex')}-${parts.length}`
}

/** @param {Context} ctx @param {import('./types').StoredObject} object @returns {Answer} */
function answerOf(ctx, object) {
  const { etag, checksum, encryption } = object
  const element = checksum && { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type }
  return {
    status: 200,
    headers: { ...versionHeaders(object), ...encryptionHeaders(ctx, encryption) },
    body: writeS3Xml('CompleteMultipartUploadResult', {
      Bucket: ctx.bucketName,
      Key: ctx.key,
      ETag: ctx.effects.etag ?? `"${etag}"`,
      ...element,
    }),
  }
}

module.exports = { completeUpload }
