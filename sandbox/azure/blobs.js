'use strict'

const { contentOf } = require('../common/content')
const { checkRead, checkWrite } = require('./conditions')
const { describe, readDescription, tierOf } = require('./description')
const { blobOf, changeBlob, checkReplaced, entryOf, newEtag, putBlob, writtenHeaders } = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { declaredBytes, storeBody, sumHeaders } = require('./payload')

/**
 * Blobs as a whole: written, described, read, deleted.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').BlobType} BlobType
 */

const MIB = 1024 * 1024
const MAX_PUT_BYTES = 5000 * MIB

/** https://learn.microsoft.com/rest/api/storageservices/put-blob @param {Context} ctx @returns {Promise<Answer>} */
async function putWholeBlob(ctx) {
  const type = blobTypeOf(ctx)
  const description = readDescription(ctx, { standard: true })
  if (type === 'AppendBlob') return createAppendBlob(ctx, description)
  if (declaredBytes(ctx) > MAX_PUT_BYTES) throw new AzureError('RequestBodyTooLarge', { MaxLimit: MAX_PUT_BYTES })
  checkPlace(ctx)
  const body = await storeBody(ctx, { md5: true })
  try {
    // Checked again: another client may have written the blob while the body was received.
    checkPlace(ctx)
    if (body.md5 !== undefined) description.content['Content-MD5'] ??= body.md5
    const blob = putBlob(ctx, { ...description, type, size: body.bytes, segments: body.segments, blocks: [] })
    return { status: 201, headers: { ...writtenHeaders(blob), ...sumHeaders(ctx, body) } }
  } finally {
    body.release()
  }
}

/** Whether a blob may be written under this name. @param {Context} ctx */
function checkPlace(ctx) {
  const entry = entryOf(ctx)
  checkWrite(ctx, entry?.current)
  checkReplaced(ctx, entry?.current)
}

/** @param {Context} ctx @returns {BlobType} */
function blobTypeOf(ctx) {
  const type = ctx.header('x-ms-blob-type')
  if (type === undefined) throw new AzureError('MissingRequiredHeader', { HeaderName: 'x-ms-blob-type' })
  if (type === 'BlockBlob' || type === 'AppendBlob') return type
  throw badHeader('x-ms-blob-type', type)
}

/**
 * Without contents.
 *
 * @param {Context} ctx
 * @param {import('./types').Description} description
 * @returns {Answer}
 */
function createAppendBlob(ctx, { tier: _, ...description }) {
  if (declaredBytes(ctx) > 0) throw badHeader('Content-Length', ctx.header('content-length'))
  checkPlace(ctx)
  const blob = putBlob(ctx, { ...description, type: 'AppendBlob', size: 0, segments: [], blocks: [] })
  return { status: 201, headers: writtenHeaders(blob) }
}

/** https://learn.microsoft.com/rest/api/storageservices/append-block @param {Context} ctx @returns {Promise<Answer>} */
async function appendBlock(ctx) {
  const { blob, entry } = blobOf(ctx)
  if (blob.type !== 'AppendBlob') throw new AzureError('InvalidBlobType')
  checkWrite(ctx, blob)
  const body = await storeBody(ctx, {})
  try {
    const now = blobOf(ctx).blob
    const segments = [...now.segments, ...body.segments]
    const changed = { ...now, segments, size: now.size + body.bytes, etag: newEtag(), modifiedMs: ctx.state.now() }
    changeBlob(ctx, entry, changed)
    const headers = {
      'x-ms-blob-append-offset': String(now.size),
      'x-ms-blob-committed-block-count': String(segments.length),
    }
    return { status: 201, headers: { ...writtenHeaders(changed), ...headers, ...sumHeaders(ctx, body) } }
  } finally {
    body.release()
  }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-properties @param {Context} ctx @returns {Answer} */
function getProperties(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkRead(ctx, blob)
  const tier = tierOf(ctx, blob)
  /** @type {Record<string, string>} */
  const headers = { ...describe(ctx, blob, entry), 'Content-Length': String(blob.size) }
  if (tier) headers['x-ms-access-tier'] = tier.tier
  if (tier?.inferred) headers['x-ms-access-tier-inferred'] = 'true'
  return { status: 200, headers }
}

/** https://learn.microsoft.com/rest/api/storageservices/get-blob @param {Context} ctx @returns {Answer} */
function getBlob(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkRead(ctx, blob)
  if (blob.tier === 'Archive') throw new AzureError('BlobArchived')
  const wanted = intervalOf(ctx, blob.size)
  const { start, length } = wanted ?? { start: 0, length: blob.size }
  /** @type {Record<string, string>} */
  const headers = { ...describe(ctx, blob, entry), 'Content-Length': String(length) }
  if (wanted) {
    const said = ctx.effects.wrongContentRange ? start + 1 : start
    headers['Content-Range'] = `bytes ${said}-${said + length - 1}/${blob.size}`
    if (headers['Content-MD5'] !== undefined) headers['x-ms-blob-content-md5'] = headers['Content-MD5']
    delete headers['Content-MD5']
  }
  const content = contentOf(ctx, blob.segments, start, length)
  if (!content) throw new AzureError('BytesNotKept', { status: 403, message: 'The bytes of this blob were not kept.' })
  return { status: wanted ? 206 : 200, headers, content }
}

/**
 * @param {Context} ctx
 * @param {number} size
 * @returns {{ start: number, length: number } | undefined} undefined: the whole blob
 * @throws {AzureError} InvalidRange
 */
function intervalOf(ctx, size) {
  const range = ctx.header('x-ms-range') ?? ctx.header('range')
  if (range === undefined || ctx.effects.ignoreRange) return undefined
  // As in Azure, a range from the end, and several ones, are not known: the whole blob is the answer.
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(range) ?? []
  if (first === undefined) return undefined
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  if (start < size) return { start, length: end - start + 1 }
  throw new AzureError('InvalidRange', { headers: { 'Content-Range': `bytes */${size}` } })
}

/** https://learn.microsoft.com/rest/api/storageservices/delete-blob @param {Context} ctx @returns {Answer} */
function deleteBlob(ctx) {
  const { blob, entry } = blobOf(ctx)
  const container = ctx.container()
  const answer = { status: 202, headers: { 'x-ms-delete-type-permanent': 'true' } }
  checkWrite(ctx, blob)
  if (ctx.query.has('versionid')) {
    if (blob === entry.current) throw new AzureError('OperationNotAllowedOnRootBlob', { status: 403 })
    const versions = entry.versions.filter(one => one !== blob)
    ctx.state.catalog.putEntry(container.name, { ...entry, versions }, 'kept')
    return answer
  }
  checkFolderEmpty(ctx, blob.size === 0 ? `${ctx.key}/` : undefined)
  const versions = blob.versionId === undefined ? entry.versions : [...entry.versions, blob]
  const deleted = { ...entry, current: undefined, versions }
  ctx.state.catalog.putEntry(container.name, deleted, 'dropped')
  return answer
}

/** @param {Context} ctx @param {string | undefined} below the prefix of what the folder would have */
function checkFolderEmpty({ state, container }, below) {
  if (!state.options.hierarchical || below === undefined) return
  const full = [...container().entries.values()].some(({ name, current }) => current && name.startsWith(below))
  if (full) throw new AzureError('DirectoryIsNotEmpty')
}

module.exports = { appendBlock, deleteBlob, getBlob, getProperties, putWholeBlob }
