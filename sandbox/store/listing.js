'use strict'

const { badArgument } = require('./errors')
const { pageOf, readToken, writeToken, compareUtf8 } = require('../common/pages')
const { listTold, shownKeys } = require('./quirks')
const { uploadOf } = require('./uploads')
const { encodeRfc3986 } = require('../common/sigv4')
const { writeS3Xml } = require('../common/xml')

/**
 * Listings and their pages, in the order of the keys' UTF-8 bytes.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 */

/** The owner of all objects. */
const OWNER = { ID: '0'.repeat(63).concat('1'), DisplayName: 'sandbox' }

/** @param {Context} ctx @param {string} name */
function readMax(ctx, name) {
  const text = ctx.query.get(name)
  const { pageSize } = ctx.state.options
  if (text === undefined || text === '') return pageSize
  if (!/^\d{1,10}$/.test(text)) throw badArgument(name, text)
  return Math.min(Number(text), pageSize)
}

/** @param {Context} ctx what the answer does to keys, prefixes and delimiters */
function encoderOf(ctx) {
  if (ctx.state.options.listKeys === 'replaced') return replaceUnwritable
  const type = ctx.query.get('encoding-type')
  if (type === undefined) return (/** @type {string | undefined} */ text) => text
  if (type !== 'url') throw badArgument('encoding-type', type)
  return (/** @type {string | undefined} */ text) => text && encodeRfc3986(text).replaceAll('%2F', '/')
}

/** Replaces characters that XML cannot contain. https://www.w3.org/TR/xml/#charsets @param {string | undefined} text */
function replaceUnwritable(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text?.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html @param {Context} ctx @returns {Answer} */
function listObjectsV2(ctx) {
  const { options } = ctx.state
  const bucket = ctx.bucket()
  const encode = encoderOf(ctx)
  const [token, startAfter] = ['continuation-token', 'start-after'].map(name => ctx.query.get(name))
  const [prefix, delimiter] = ['prefix', 'delimiter'].map(name => ctx.query.get(name) ?? '')
  const begin = options.lists === 'no-start' ? '' : (startAfter ?? '')
  const after = token === undefined ? begin : readToken(token)
  if (after === undefined) throw badArgument('continuation-token', token)
  const max = readMax(ctx, 'max-keys')
  const page = pageOf(shownKeys(ctx), { prefix, delimiter, after, max })
  const list = {
    Name: bucket.name,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: max,
    EncodingType: options.listKeys === 'replaced' ? undefined : ctx.query.get('encoding-type'),
    IsTruncated: page.truncated,
    KeyCount: page.keys.length + page.prefixes.length,
    StartAfter: token === undefined ? encode(startAfter) : undefined,
    ContinuationToken: token,
    NextContinuationToken: page.truncated ? writeToken(page.last) : undefined,
    Contents: page.keys.map(key => {
      const object = /** @type {import('./types').StoredObject} */ (bucket.objects.get(key))
      return {
        Key: encode(key),
        LastModified: isoSeconds(object.modifiedMs),
        ETag: options.etags && options.listEtags ? `"${object.etag}"` : undefined,
        ChecksumAlgorithm: object.checksum?.algorithm,
        ChecksumType: object.checksum?.type,
        Size: object.size,
        StorageClass: object.storageClass ?? 'STANDARD',
      }
    }),
    CommonPrefixes: page.prefixes.map(common => ({ Prefix: encode(common) })),
  }
  return { status: 200, body: writeS3Xml('ListBucketResult', listTold(ctx, list)) }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html @param {Context} ctx @returns {Answer} */
function listParts(ctx) {
  const upload = uploadOf(ctx)
  const max = readMax(ctx, 'max-parts')
  const marker = Number(ctx.query.get('part-number-marker') ?? 0)
  const rest = [...upload.parts.values()].filter(part => part.number > marker).sort((a, b) => a.number - b.number)
  const parts = rest.slice(0, max)
  const body = writeS3Xml('ListPartsResult', {
    Bucket: ctx.bucketName,
    Key: ctx.key,
    UploadId: upload.id,
    PartNumberMarker: marker,
    NextPartNumberMarker: parts.at(-1)?.number ?? 0,
    MaxParts: max,
    IsTruncated: rest.length > parts.length && max > 0,
    ChecksumAlgorithm: upload.checksum?.algorithm,
    ChecksumType: upload.checksum?.type,
    Part: parts.map(part => ({
      PartNumber: part.number,
      LastModified: isoSeconds(part.modifiedMs),
      ETag: `"${part.etag}"`,
      Size: part.size,
      ...(part.checksum && { [`Checksum${part.checksum.algorithm}`]: part.checksum.value }),
    })),
  })
  return { status: 200, body }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html @param {Context} ctx @returns {Answer} */
function listUploads(ctx) {
  const encode = encoderOf(ctx)
  const prefix = ctx.query.get('prefix') ?? ''
  const keyMarker = ctx.query.get('key-marker') ?? ''
  const idMarker = keyMarker === '' ? '' : (ctx.query.get('upload-id-marker') ?? '')
  const max = readMax(ctx, 'max-uploads')
  // For one key, earlier uploads come first; ids order those of the same moment.
  const uploads = [...ctx.bucket().uploads.values()].sort(
    (a, b) => compareUtf8(a.key, b.key) || a.initiatedMs - b.initiatedMs || compareUtf8(a.id, b.id),
  )
  const markerAt = idMarker === '' ? -1 : uploads.findIndex(({ key, id }) => key === keyMarker && id === idMarker)
  const rest = uploads.filter(({ key }, index) => {
    const isAfter = markerAt === -1 ? compareUtf8(key, keyMarker) > 0 || keyMarker === '' : index > markerAt
    return isAfter && key.startsWith(prefix)
  })
  const page = rest.slice(0, max)
  const last = rest.length > page.length ? page.at(-1) : undefined
  const body = writeS3Xml('ListMultipartUploadsResult', {
    Bucket: ctx.bucketName,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: idMarker,
    NextKeyMarker: last ? encode(last.key) : '',
    NextUploadIdMarker: last ? last.id : '',
    Prefix: encode(prefix),
    MaxUploads: max,
    EncodingType: ctx.query.get('encoding-type'),
    IsTruncated: last !== undefined,
    Upload: page.map(upload => ({
      Key: encode(upload.key),
      UploadId: upload.id,
      Initiator: OWNER,
      Initiated: new Date(upload.initiatedMs).toISOString(),
      ChecksumAlgorithm: upload.checksum?.algorithm,
      ChecksumType: upload.checksum?.type,
    })),
  })
  return { status: 200, body }
}

/** In whole seconds, as S3 keeps times. @param {number} ms */
function isoSeconds(ms) {
  return new Date(Math.floor(ms / 1000) * 1000).toISOString()
}

module.exports = { listObjectsV2, listParts, listUploads, OWNER }
