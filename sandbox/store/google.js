'use strict'

const { createHash } = require('node:crypto')
const { gunzipSync } = require('node:zlib')
const { bytesOf } = require('../common/content')
const { S3Error } = require('./errors')

/**
 * The mode `google`: the store answers like the XML API of Google Cloud Storage with HMAC keys, and refuses what that refuses.
 * Requests are translated into S3's words once they are accepted, and answers back. Each rule says where it is known from:
 * docs/design/google.md. https://cloud.google.com/storage/docs/xml-api/reference-headers
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').StoredObject} StoredObject
 */

const CONDITIONS = ['if-match', 'if-none-match', 'x-goog-if-generation-match', 'x-goog-if-metageneration-match']
/** Reads heed the conditions of HTTP; writes ignore them. */
const READS = ['GetObject', 'HeadObject']

/**
 * Before the signature is checked.
 *
 * @param {Context} ctx
 * @throws {S3Error}
 */
function checkRequest(ctx) {
  const names = [...ctx.headers.keys()]
  if (names.some(name => name.startsWith('x-amz-')) && names.some(name => name.startsWith('x-goog-'))) {
    throw new S3Error('ExcessHeaderValues', { message: 'Requests cannot specify both x-amz and x-goog headers.' })
  }
  if (ctx.method === 'POST' && !ctx.headers.has('content-length')) throw new S3Error('MissingContentLength')
  const hash = ctx.header('x-amz-content-sha256') ?? ctx.header('x-goog-content-sha256') ?? ''
  const signed = /SignedHeaders=([^,\s]*)/.exec(ctx.header('authorization') ?? '')?.[1].split(';') ?? []
  const unknown = signed.some(name => name === 'accept-encoding' || name.startsWith('amz-sdk-'))
  if (hash.startsWith('STREAMING-') || unknown || ctx.query.has('x-id')) throw new S3Error('SignatureDoesNotMatch')
}

/**
 * After the signature was checked.
 *
 * @param {Context} ctx
 * @throws {S3Error}
 */
function checkAuthenticated(ctx) {
  const { operation } = ctx
  const { deletions } = ctx.state.options
  const notImplemented = () =>
    new S3Error('NotImplemented', {
      status: 400,
      message: 'A header or query you provided requested a function that is not implemented.',
    })
  const tagged = ctx.query.has('tagging') || ctx.headers.has('x-amz-tagging') || ctx.headers.has('x-goog-tagging')
  if (operation === 'UploadPartCopy' || tagged) throw notImplemented()
  if (operation === 'DeleteObjects' && deletions === 'not-implemented') throw notImplemented()
  const conditional = CONDITIONS.some(name => ctx.headers.has(name))
  if (operation === 'CreateMultipartUpload' && conditional) throw notImplemented()
  if (operation === 'CompleteMultipartUpload') {
    const summed = [...ctx.headers.keys()].some(name => /^x-(?:amz|goog)-checksum-/.test(name))
    if (summed) throw new S3Error('PreconditionFailed')
  }
}

/**
 * Translates an accepted request into S3's words.
 *
 * @param {Context} ctx
 * @throws {S3Error} NoSuchKey, InvalidArgument
 */
function translateRequest(ctx) {
  const { operation, headers } = ctx
  ctx.google = { gzip: /\bgzip\b/.test(ctx.header('accept-encoding') ?? ''), own: headers.has('x-goog-date') }
  const ignored = !READS.includes(operation)
  if (ignored) for (const name of ['if-match', 'if-none-match']) headers.delete(name)
  if (operation === 'CompleteMultipartUpload') headers.delete('x-goog-if-generation-match')
  for (const [name, values] of [...headers]) {
    if (!name.startsWith('x-goog-') || name.startsWith('x-goog-if-')) continue
    const [meant, value] = translateHeader(ctx, name, values)
    headers.set(meant, value)
  }
  nameVersion(ctx)
}

/** @param {Context} ctx @param {string} name @param {string[]} values @returns {[string, string[]]} */
function translateHeader(ctx, name, values) {
  const rest = name.slice('x-goog-'.length)
  const key = /^(copy-source-)?encryption-(algorithm|key|key-sha256)$/.exec(rest)
  if (!key) return [`x-amz-${rest}`, values]
  const meant = `x-amz-${key[1] ?? ''}server-side-encryption-customer-`
  if (key[2] !== 'key-sha256') return [meant + key[2], values]
  const bytes = Buffer.from(ctx.header(name.slice(0, -'-sha256'.length)) ?? '', 'base64')
  if (createHash('sha256').update(bytes).digest('base64') !== values[0]) throw new S3Error('InvalidArgument')
  return [`${meant}key-md5`, [createHash('md5').update(bytes).digest('base64')]]
}

/** Google names a version by its generation. @param {Context} ctx */
function nameVersion(ctx) {
  const generation = ctx.query.get('generation')
  if (generation === undefined) return
  ctx.query.delete('generation')
  const { objects, versions } = ctx.bucket()
  const found = (versions?.get(ctx.key ?? '') ?? [objects.get(ctx.key ?? '')]).find(
    one => one && 'generation' in one && one.generation === generation,
  )
  if (!found) throw new S3Error('NoSuchKey', { Key: ctx.key })
  if (found.versionId !== undefined) ctx.query.set('versionId', found.versionId)
}

const MD5 = /^[0-9a-f]{32}$/

/**
 * @param {Context} ctx
 * @param {Answer} answer
 * @returns {Promise<Answer>}
 */
async function answerLikeGoogle(ctx, answer) {
  const { object } = answer
  const headers = {
    ...Object.fromEntries(Object.entries(answer.headers ?? {}).flatMap(header => translate(ctx, header))),
    ...(object && describe(ctx, object)),
    ...partHash(ctx, answer),
  }
  const body = answer.body && String(answer.body).replace(/<Checksum\w+>[^<]*<\/Checksum\w+>/g, '')
  const told = { ...answer, headers, ...(body !== undefined && { body }) }
  const compressed = object?.content['content-encoding'] === 'gzip' && READS.includes(ctx.operation)
  return object && compressed ? await transcoded(ctx, told, object) : told
}

/** @param {Context} ctx @param {[name: string, value: string]} header @returns {[string, string][]} */
function translate(ctx, [name, value]) {
  const lower = name.toLowerCase()
  if (!lower.startsWith('x-amz-')) return [[name, value]]
  // Metadata is told in the words of the request.
  if (lower.startsWith('x-amz-meta-')) return [[ctx.google?.own ? name.replace(/^x-amz-/i, 'x-goog-') : name, value]]
  return lower === 'x-amz-storage-class' ? [['x-goog-storage-class', value]] : []
}

/** @param {Context} ctx @param {StoredObject} object @returns {Record<string, any>} */
function describe(ctx, { generation, checksum, etag, size, content }) {
  const hashes = [
    ...(checksum ? [`crc32c=${checksum.value}`] : []),
    ...(MD5.test(etag) ? [`md5=${Buffer.from(etag, 'hex').toString('base64')}`] : []),
  ]
  const completes = ctx.operation === 'CompleteMultipartUpload'
  return {
    'x-goog-generation': generation,
    'x-goog-metageneration': '1',
    ...((!completes || ctx.state.options.completionHash) && { 'x-goog-hash': hashes }),
    ...(READS.includes(ctx.operation) && {
      'x-goog-stored-content-encoding': content['content-encoding'] ?? 'identity',
      'x-goog-stored-content-length': String(size),
    }),
  }
}

/** @param {Context} ctx @param {Answer} answer @returns {Record<string, any>} */
function partHash({ operation }, { status, headers = {} }) {
  if (operation !== 'UploadPart' || status !== 200) return {}
  const md5 = Buffer.from(headers.ETag.replaceAll('"', ''), 'hex').toString('base64')
  return { 'x-goog-hash': [`crc32c=${headers['x-amz-checksum-crc32c']}`, `md5=${md5}`] }
}

/**
 * An object with the Content-Encoding gzip is sent decompressed, whole and without its length, unless the client accepts gzip.
 * A HEAD never tells its length. https://cloud.google.com/storage/docs/transcoding
 *
 * @param {Context} ctx
 * @param {Answer} answer
 * @param {StoredObject} object
 * @returns {Promise<Answer>}
 */
async function transcoded(ctx, answer, { size, segments }) {
  if (ctx.operation === 'HeadObject') {
    const { 'Content-Length': _, ...headers } = answer.headers ?? {}
    return { ...answer, headers }
  }
  if (ctx.google?.gzip || !answer.content) return answer
  const plain = unzip(await bytesOf(ctx.state.blobs, segments))
  if (!plain) return answer
  const left = ['content-length', 'content-encoding', 'content-range']
  const headers = Object.entries(answer.headers ?? {}).filter(([name]) => !left.includes(name.toLowerCase()))
  return {
    status: 200,
    headers: {
      ...Object.fromEntries(headers),
      'Content-Type': 'application/octet-stream',
      Warning: '214 UploadServer gunzipped',
      'x-goog-stored-content-length': String(size),
    },
    body: plain,
  }
}

/** @param {Buffer} bytes @returns {Buffer | undefined} undefined if they are not compressed */
function unzip(bytes) {
  try {
    return gunzipSync(bytes)
  } catch {
    return undefined
  }
}

module.exports = { answerLikeGoogle, checkAuthenticated, checkRequest, translateRequest }
