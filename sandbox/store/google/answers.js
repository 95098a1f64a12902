'use strict'

const { gunzipSync } = require('node:zlib')

/**
 * Answers as Google gives them. https://cloud.google.com/storage/docs/xml-api/reference-headers
 *
 * @typedef {import('../types').Context} Context
 * @typedef {import('../types').Answer} Answer
 * @typedef {import('../types').StoredObject} StoredObject
 */

const READS = ['GetObject', 'HeadObject']
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
  const body = answer.body?.replace(/<Checksum\w+>[^<]*<\/Checksum\w+>/g, '')
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
  const { blobs } = ctx.state
  /** @type {Buffer[]} */
  const pieces = []
  for (const segment of segments) {
    if (!('blob' in segment)) return answer
    const file = await blobs.open(segment.blob)
    const { buffer } = await file.read(Buffer.alloc(segment.size), 0, segment.size, segment.offset ?? 0)
    await file.close()
    pieces.push(buffer)
  }
  const plain = unzip(Buffer.concat(pieces))
  if (!plain) return answer
  answer.content.release()
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
    body: /** @type {any} */ (plain),
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

module.exports = { answerLikeGoogle }
