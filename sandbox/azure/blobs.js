'use strict'

const { checkLease, checkRead, checkWrite } = require('./conditions')
const { describe, readDescription, readMetadata, tierOf } = require('./description')
const {
  blobOf,
  changeBlob,
  checkReplaced,
  entryOf,
  momentOf,
  newEtag,
  newVersion,
  putBlob,
  writtenHeaders,
} = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { declaredBytes, storeBody, sumHeaders } = require('./payload')

/**
 * Blobs as a whole: written, described, deleted, and their snapshots.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').BlobType} BlobType
 */

const MIB = 1024 * 1024
const MAX_APPEND_BYTES = 100 * MIB

/** https://learn.microsoft.com/rest/api/storageservices/put-blob @param {Context} ctx @returns {Promise<Answer>} */
async function putWholeBlob(ctx) {
  const type = blobTypeOf(ctx)
  const description = readDescription(ctx, { standard: true })
  if (type !== 'BlockBlob') return createEmpty(ctx, type, description)
  const limit = maxPutBytes(ctx)
  if (declaredBytes(ctx) > limit) throw new AzureError('RequestBodyTooLarge', { MaxLimit: limit })
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
  checkLease(ctx, entry)
  checkWrite(ctx, entry?.current)
  checkReplaced(ctx, entry?.current)
}

/** @param {Context} ctx @returns {BlobType} */
function blobTypeOf(ctx) {
  const type = ctx.header('x-ms-blob-type')
  if (type === undefined) throw new AzureError('MissingRequiredHeader', { HeaderName: 'x-ms-blob-type' })
  if (type === 'BlockBlob' || type === 'AppendBlob' || type === 'PageBlob') return type
  throw badHeader('x-ms-blob-type', type)
}

/** Larger ones came with later versions. @param {Context} ctx */
function maxPutBytes({ version, state: { options } }) {
  const ofVersion = version >= '2019-12-12' ? Infinity : version >= '2016-05-31' ? 256 * MIB : 64 * MIB
  return Math.min(ofVersion, options.maxPutBytes)
}

/**
 * An append or page blob, without contents.
 *
 * @param {Context} ctx
 * @param {BlobType} type
 * @param {import('./types').Description} description
 * @returns {Answer}
 */
function createEmpty(ctx, type, { tier: _, ...description }) {
  if (declaredBytes(ctx) > 0) throw badHeader('Content-Length', ctx.header('content-length'))
  const size = type === 'PageBlob' ? Number(ctx.header('x-ms-blob-content-length')) : 0
  if (!Number.isInteger(size) || size % 512 !== 0) throw badHeader('x-ms-blob-content-length')
  checkPlace(ctx)
  const pages = type === 'PageBlob' ? { sequenceNumber: 0 } : {}
  // The pages that nobody wrote are zeros; here the blob's bytes are made up, which is as good to be refused or copied.
  const segments = size > 0 ? [{ size, phase: 0 }] : []
  const blob = putBlob(ctx, { ...description, ...pages, type, size, segments, blocks: [] })
  return { status: 201, headers: writtenHeaders(blob) }
}

/** https://learn.microsoft.com/rest/api/storageservices/append-block @param {Context} ctx @returns {Promise<Answer>} */
async function appendBlock(ctx) {
  const { blob, entry } = blobOf(ctx)
  if (blob.type !== 'AppendBlob') throw new AzureError('InvalidBlobType')
  if (declaredBytes(ctx) > MAX_APPEND_BYTES) throw new AzureError('RequestBodyTooLarge')
  checkLease(ctx, entry)
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
  if (blob.rehydrating !== undefined)
    headers['x-ms-archive-status'] = `rehydrate-pending-to-${blob.rehydrating.toLowerCase()}`
  return { status: 200, headers }
}

/** https://learn.microsoft.com/rest/api/storageservices/set-blob-metadata @param {Context} ctx @returns {Answer} */
function setMetadata(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkLease(ctx, entry)
  checkWrite(ctx, blob)
  const changed = {
    ...blob,
    metadata: readMetadata(ctx),
    etag: newEtag(),
    modifiedMs: ctx.state.now(),
    ...newVersion(ctx),
  }
  const versions = blob.versionId === undefined ? entry.versions : [...entry.versions, blob]
  changeBlob(ctx, { ...entry, versions }, changed)
  return { status: 200, headers: writtenHeaders(changed) }
}

/** Those that are not given are removed. https://learn.microsoft.com/rest/api/storageservices/set-blob-properties @param {Context} ctx @returns {Answer} */
function setProperties(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkLease(ctx, entry)
  checkWrite(ctx, blob)
  const { content } = readDescription(ctx)
  const changed = { ...blob, content, etag: newEtag(), modifiedMs: ctx.state.now() }
  changeBlob(ctx, entry, changed)
  return { status: 200, headers: writtenHeaders(changed) }
}

/** https://learn.microsoft.com/rest/api/storageservices/snapshot-blob @param {Context} ctx @returns {Answer} */
function makeSnapshot(ctx) {
  const { blob, entry } = blobOf(ctx)
  checkWrite(ctx, blob)
  const metadata = readMetadata(ctx)
  const snapshot = { ...blob, snapshot: momentOf(ctx), ...(metadata.length > 0 && { metadata }) }
  ctx.state.catalog.putEntry(ctx.container().name, { ...entry, snapshots: [...entry.snapshots, snapshot] }, 'kept')
  return { status: 201, headers: { ...writtenHeaders(snapshot), 'x-ms-snapshot': String(snapshot.snapshot) } }
}

/** https://learn.microsoft.com/rest/api/storageservices/delete-blob @param {Context} ctx @returns {Answer} */
function deleteBlob(ctx) {
  const { blob, entry } = blobOf(ctx)
  const container = ctx.container()
  const answer = { status: 202, headers: { 'x-ms-delete-type-permanent': 'true' } }
  const keep = (/** @type {Partial<import('./types').Entry>} */ facts) =>
    ctx.state.catalog.putEntry(container.name, { ...entry, ...facts }, 'kept')
  checkWrite(ctx, blob)
  if (ctx.query.has('snapshot')) {
    keep({ snapshots: entry.snapshots.filter(one => one !== blob) })
    return answer
  }
  if (ctx.query.has('versionid')) {
    if (blob === entry.current) throw new AzureError('OperationNotAllowedOnRootBlob', { status: 403 })
    keep({ versions: entry.versions.filter(one => one !== blob) })
    return answer
  }
  checkLease(ctx, entry)
  checkFolderEmpty(ctx, blob.size === 0 ? `${ctx.key}/` : undefined)
  checkSnapshots(ctx, entry)
  if (ctx.header('x-ms-delete-snapshots') === 'only') keep({ snapshots: [] })
  else {
    const versions = blob.versionId === undefined ? entry.versions : [...entry.versions, blob]
    ctx.state.catalog.putEntry(
      container.name,
      { ...entry, current: undefined, snapshots: [], versions, lease: undefined },
      'dropped',
    )
  }
  return answer
}

/** @param {Context} ctx @param {string | undefined} below the prefix of what the folder would have */
function checkFolderEmpty({ state, container }, below) {
  if (!state.options.hierarchical || below === undefined) return
  const full = [...container().entries.values()].some(({ name, current }) => current && name.startsWith(below))
  if (full) throw new AzureError('DirectoryIsNotEmpty')
}

/** @param {Context} ctx @param {import('./types').Entry} entry */
function checkSnapshots(ctx, { snapshots }) {
  const how = ctx.header('x-ms-delete-snapshots')
  if (how !== undefined && how !== 'include' && how !== 'only') throw badHeader('x-ms-delete-snapshots', how)
  if (snapshots.length > 0 && how === undefined) throw new AzureError('SnapshotsPresent')
}

module.exports = {
  appendBlock,
  checkPlace,
  deleteBlob,
  getProperties,
  makeSnapshot,
  maxPutBytes,
  putWholeBlob,
  setMetadata,
  setProperties,
}
