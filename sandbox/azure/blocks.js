'use strict'

/**
 * Blocks: written, listed, and put together.
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('../common/types').Answer} Answer
 * @typedef {import('./types').Block} Block
 */

const { once } = require('node:events')
const http = require('node:http')
const https = require('node:https')
const { checkWrite, refuseConditions } = require('./blobs')
const { readDescription } = require('./description')
const { checkReplaced, entryOf, makeEntry, putBlob, writtenHeaders } = require('./entries')
const { AzureError, badHeader, badParameter } = require('./errors')
const { declaredBytes, receiveDocument, storeBody, sumHeaders, createCrc64 } = require('./payload')
const { readXml, writeAzureXml } = require('../common/xml')

const MAX_BLOCK_BYTES = 4000 * 1024 * 1024
const MAX_BLOCKS = 50_000

/** @param {Context} ctx @returns {Promise<Answer>} */
async function putBlock(ctx) {
  const id = blockIdOf(ctx)
  refuseConditions(ctx)
  const size = declaredBytes(ctx)
  if (size > MAX_BLOCK_BYTES) throw new AzureError('RequestBodyTooLarge', { MaxLimit: MAX_BLOCK_BYTES })
  if (size === 0) throw badHeader('Content-Length', '0')
  checkBlock(ctx, id)
  const body = await storeBody(ctx)
  keepBlock(ctx, id, body)
  return { status: 201, headers: sumHeaders(ctx, body) }
}

/**
 * Blocks whose bytes come from a URL. https://learn.microsoft.com/rest/api/storageservices/put-block-from-url
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function putBlockFromUrl(ctx) {
  const id = blockIdOf(ctx)
  refuseConditions(ctx)
  if (Number(ctx.header('content-length') ?? 0) > 0) throw badHeader('Content-Length', ctx.header('content-length'))
  checkBlock(ctx, id)
  const source = await storeSource(ctx)
  keepBlock(ctx, id, source)
  return { status: 201, headers: sumHeaders(ctx, source) }
}

/**
 * Adds a block, if it still may be.
 *
 * @param {Context} ctx
 * @param {string} id
 * @param {{ bytes: number, segments: import('../common/types').Segment[] }} body
 */
function keepBlock(ctx, id, { bytes, segments }) {
  checkBlock(ctx, id)
  makeEntry(ctx).uncommitted.set(id, { id, size: bytes, segments })
}

/** @param {Context} ctx */
function blockIdOf(ctx) {
  const id = ctx.query.get('blockid')
  if (id === undefined) throw new AzureError('MissingRequiredQueryParameter', { QueryParameterName: 'blockid' })
  const bytes = Buffer.from(id, 'base64')
  if (bytes.length === 0 || bytes.length > 64 || bytes.toString('base64') !== id) throw badParameter('blockid', id)
  return id
}

/** @param {Context} ctx @param {string} id @throws {AzureError} */
function checkBlock(ctx, id) {
  const entry = entryOf(ctx)
  if (!entry) return
  checkReplaced(ctx, entry.current)
  const other = entry.uncommitted.values().next().value ?? entry.current?.blocks[0]
  if (other && other.id.length !== id.length) throw new AzureError('InvalidBlobOrBlock')
}

/**
 * Puts a blob together. All blocks that are not named are dropped, whoever wrote them.
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 *
 * @param {Context} ctx
 * @returns {Promise<Answer>}
 */
async function putBlockList(ctx) {
  const description = readDescription(ctx)
  const document = await receiveDocument(ctx)
  const wanted = readBlockList(document.text)
  if (wanted.length > MAX_BLOCKS) throw new AzureError('BlockListTooLong')
  const entry = entryOf(ctx)
  checkWrite(ctx, entry?.current)
  const known = new Map(entry?.current?.blocks.map(block => [block.id, block]))
  const blocks = wanted.map(id => {
    const found = entry?.uncommitted.get(id) ?? known.get(id)
    if (!found) throw new AzureError('InvalidBlockList')
    return found
  })
  const blob = putBlob(ctx, {
    ...description,
    size: blocks.reduce((sum, { size }) => sum + size, 0),
    segments: blocks.flatMap(({ segments }) => segments),
    blocks,
  })
  // The sum is that of the list, not of the blob.
  return { status: 201, headers: { ...writtenHeaders(blob), ...sumHeaders(ctx, document) } }
}

/** Whichever list a block is named of, it is looked for in both, as `Latest` means. @param {string} text @returns {string[]} ids, in the order of the blob */
function readBlockList(text) {
  const document = readXml(text)
  if (document.name !== 'BlockList') throw new AzureError('InvalidXmlDocument')
  return document.children.map(({ name, text: id }) => {
    if (!['Committed', 'Uncommitted', 'Latest'].includes(name)) throw new AzureError('InvalidXmlDocument')
    return id.trim()
  })
}

/** https://learn.microsoft.com/rest/api/storageservices/get-block-list @param {Context} ctx @returns {Answer} */
function getBlockList(ctx) {
  const entry = entryOf(ctx)
  const current = entry?.current
  const uncommitted = [...(entry?.uncommitted.values() ?? [])]
  if (!current && uncommitted.length === 0) throw new AzureError('BlobNotFound')
  const kind = (ctx.query.get('blocklisttype') ?? 'committed').toLowerCase()
  if (!['committed', 'uncommitted'].includes(kind)) throw badParameter('blocklisttype', kind)
  const element = (/** @type {Block} */ { id, size }) => ({ Name: id, Size: size })
  const list =
    kind === 'committed'
      ? { CommittedBlocks: { Block: (current?.blocks ?? []).map(element) } }
      : { UncommittedBlocks: { Block: uncommitted.sort(byId).map(element) } }
  const body = writeAzureXml('BlockList', list)
  return { status: 200, body, ...(current && { headers: { ETag: current.etag } }) }
}

/** Uncommitted blocks come in the order of their ids. @param {Block} a @param {Block} b */
function byId(a, b) {
  return a.id < b.id ? -1 : 1
}

/**
 * What a request copies from another place, which the store reads itself, over HTTP.
 */

/** Conditions on the source, which the request has behind `x-ms-source-`. */
const CONDITIONS = ['if-match', 'if-unmodified-since']

/**
 * Asks the source for its bytes.
 *
 * @param {Context} ctx
 * @returns {Promise<http.IncomingMessage>} whose status is 200 or 206
 * @throws {AzureError} CannotVerifyCopySource, SourceConditionNotMet
 */
async function openSource(ctx) {
  const { own, hostname, port, path, secure } = placeOf(ctx)
  if (!own && hasPlus(path)) throw new AzureError('CannotVerifyCopySource')
  const request = (secure ? https : http).request({
    hostname,
    port,
    path,
    headers: headersFor(ctx),
    agent: false,
    signal: ctx.signal,
    // Stores of a sandbox have certificates of their own.
    rejectUnauthorized: false,
  })
  request.end()
  const [response] = await once(request, 'response').catch(cause => {
    throw new AzureError('CannotVerifyCopySource', { cause })
  })
  if (response.statusCode === 200 || response.statusCode === 206) return response
  response.resume()
  throw refusalOf(response.statusCode)
}

/** Azure sends a plus of a key otherwise than it was signed: presigned URLs with one fail. @param {string} path */
function hasPlus(path) {
  return /^[^?]*%2B/i.test(path)
}

/** @param {Context} ctx */
function placeOf(ctx) {
  const text = ctx.header('x-ms-copy-source') ?? ''
  const [, scheme, host, path] = /^(https?):\/\/([^/?]+)(\/[^#]*)$/.exec(text) ?? []
  if (host === undefined) throw badHeader('x-ms-copy-source', text)
  const [, hostname, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  return { own: host === ctx.header('host'), hostname, port, path, secure: scheme === 'https' }
}

/** @param {Context} ctx */
function headersFor(ctx) {
  /** @type {Record<string, string>} */
  const headers = {}
  for (const name of CONDITIONS) {
    const value = ctx.header(`x-ms-source-${name}`)
    if (value !== undefined) headers[name] = value
  }
  const range = ctx.header('x-ms-source-range')
  if (range !== undefined && !/^bytes=\d+-\d+$/.test(range)) throw badHeader('x-ms-source-range', range)
  if (range !== undefined) headers.range = range
  return headers
}

/** @param {number} status of the source's answer */
function refusalOf(status) {
  if (status === 412) return new AzureError('SourceConditionNotMet')
  if (status === 416) return new AzureError('InvalidRange')
  // Its status is the source's.
  return new AzureError('CannotVerifyCopySource', { status: Math.max(status, 400) })
}

/**
 * Stores the bytes of a source as a segment.
 *
 * @param {Context} ctx
 * @returns {Promise<import('./payload').Received & { segments: import('../common/types').Segment[] }>}
 */
async function storeSource(ctx) {
  const response = await openSource(ctx)
  const declared = Number(response.headers['content-length'])
  return ctx.state.blobs.store(false, async write => {
    const crc64 = createCrc64()
    let bytes = 0
    try {
      for await (const piece of response) {
        crc64.update(piece)
        bytes += piece.length
        await write(piece)
      }
    } catch (cause) {
      throw new AzureError('OperationTimedOut', { cause })
    }
    if (!Number.isNaN(declared) && bytes !== declared) throw new AzureError('OperationTimedOut')
    return { bytes, crc64: crc64.digest() }
  })
}

module.exports = { getBlockList, putBlock, putBlockFromUrl, putBlockList }
