'use strict'

const { randomUUID } = require('node:crypto')
const { checkPlace, maxPutBytes } = require('./blobs')
const { blockIdOf, checkBlock, keepBlock, maxBlockBytes } = require('./blocks')
const { refuseConditions } = require('./conditions')
const { readDescription } = require('./description')
const { blobOf, putBlob, writtenHeaders } = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { sumHeaders } = require('./payload')
const { placeOf, storeSource } = require('./source')

/**
 * Writes whose bytes come from a URL.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-from-url
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

const MAX_SYNC_BYTES = 256 * 1024 * 1024
const SOURCE_MD5 = 'x-ms-source-content-md5'
/** Content headers that a copy takes from its source. */
const COPIED = [
  'content-type',
  'content-encoding',
  'content-language',
  'content-disposition',
  'cache-control',
  'content-md5',
]

/** @param {Context} ctx @returns {Promise<Answer>} */
async function putBlockFromUrl(ctx) {
  const id = blockIdOf(ctx)
  refuseConditions(ctx)
  refuseBody(ctx)
  checkBlock(ctx, id)
  const source = await storeSource(ctx, maxBlockBytes(ctx))
  try {
    return { status: 201, headers: { ...keepBlock(ctx, id, source), ...sumHeaders(ctx, source, SOURCE_MD5) } }
  } finally {
    source.release()
  }
}

/** https://learn.microsoft.com/rest/api/storageservices/put-blob-from-url @param {Context} ctx @returns {Promise<Answer>} */
async function putBlobFromUrl(ctx) {
  if (ctx.header('x-ms-blob-type') !== 'BlockBlob') throw badHeader('x-ms-blob-type', ctx.header('x-ms-blob-type'))
  const description = readDescription(ctx)
  refuseBody(ctx)
  checkPlace(ctx)
  const source = await storeSource(ctx, maxPutBytes(ctx))
  try {
    checkPlace(ctx)
    const { bytes: size, segments } = source
    const content = { ...(keepsSource(ctx) ? contentOf(source.headers) : {}), ...sentContent(ctx, description.content) }
    const blob = putBlob(ctx, { ...description, content, type: 'BlockBlob', size, segments, blocks: [] })
    return { status: 201, headers: { ...writtenHeaders(blob), ...sumHeaders(ctx, source, SOURCE_MD5) } }
  } finally {
    source.release()
  }
}

/**
 * Copies a blob: of the same account with its own credentials, of others by their URL.
 * https://learn.microsoft.com/rest/api/storageservices/copy-blob
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function copyBlob(ctx) {
  const description = readDescription(ctx)
  const sync = ctx.header('x-ms-requires-sync')?.toLowerCase() === 'true'
  refuseBody(ctx)
  checkPlace(ctx)
  const own = sync ? undefined : ownSource(ctx)
  if (own) return copied(ctx, own, description)
  const source = await storeSource(ctx, sync ? MAX_SYNC_BYTES : Number.POSITIVE_INFINITY)
  try {
    checkPlace(ctx)
    const metadata = metadataOf(source.headers)
    const facts = {
      type: /** @type {const} */ ('BlockBlob'),
      size: source.bytes,
      segments: source.segments,
      blocks: [],
    }
    return copied(ctx, { ...facts, content: contentOf(source.headers), metadata }, description)
  } finally {
    source.release()
  }
}

/** A blob of this account, which may be read with what allowed the request. @param {Context} ctx @returns {StoredBlob | undefined} */
function ownSource(ctx) {
  const { own, path } = placeOf(ctx)
  if (!own || ctx.identity?.kind !== 'sharedKey') return undefined
  const [rawPath, query = ''] = path.split('?')
  const [container, ...name] = rawPath.slice(`/${ctx.account}/`.length).split('/').map(decodeURIComponent)
  const from = { ...ctx, bucketName: container, key: name.join('/'), query: new Map(new URLSearchParams(query)) }
  from.container = () => {
    const found = ctx.state.catalog.containers.get(container)
    if (!found) throw new AzureError('ContainerNotFound')
    return found
  }
  return blobOf(from).blob
}

/**
 * @param {Context} ctx
 * @param {Pick<StoredBlob, 'type' | 'size' | 'segments' | 'blocks' | 'content' | 'metadata'>} source
 * @param {import('./types').Description} description of the request
 * @returns {Answer}
 */
function copied(ctx, { type, size, segments, blocks, content, metadata }, description) {
  const copy = {
    id: randomUUID(),
    source: (ctx.header('x-ms-copy-source') ?? '').split('?')[0],
    completedMs: ctx.state.now(),
  }
  const given = description.metadata.length > 0 ? description.metadata : metadata
  const { tags, tier, encryptionScope } = description
  const blob = putBlob(ctx, {
    type,
    size,
    segments,
    blocks,
    content,
    metadata: given,
    tags,
    tier,
    encryptionScope,
    copy,
  })
  return { status: 202, headers: { ...writtenHeaders(blob), 'x-ms-copy-id': copy.id, 'x-ms-copy-status': 'success' } }
}

/** @param {Context} ctx */
function refuseBody(ctx) {
  if (Number(ctx.header('content-length') ?? 0) > 0) throw badHeader('Content-Length', ctx.header('content-length'))
}

/** @param {Context} ctx */
function keepsSource(ctx) {
  return ctx.header('x-ms-copy-source-blob-properties')?.toLowerCase() !== 'false'
}

/** Without the type that stands for none. @param {Context} ctx @param {Record<string, string>} content */
function sentContent(ctx, { 'Content-Type': type, ...content }) {
  return ctx.headers.has('x-ms-blob-content-type') ? { ...content, 'Content-Type': type } : content
}

/** @param {import('node:http').IncomingHttpHeaders} headers @returns {Record<string, string>} */
function contentOf(headers) {
  const found = COPIED.flatMap(name => (headers[name] === undefined ? [] : [[titled(name), String(headers[name])]]))
  return { 'Content-Type': 'application/octet-stream', ...Object.fromEntries(found) }
}

/** @param {string} name */
function titled(name) {
  return name.replace(/(^|-)[a-z]/g, letter => letter.toUpperCase()).replace('Md5', 'MD5')
}

/** @param {import('node:http').IncomingHttpHeaders} headers @returns {[string, string][]} */
function metadataOf(headers) {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('x-ms-meta-')
      ? [/** @type {[string, string]} */ ([name.slice('x-ms-meta-'.length), String(value)])]
      : [],
  )
}

module.exports = { copyBlob, putBlobFromUrl, putBlockFromUrl }
