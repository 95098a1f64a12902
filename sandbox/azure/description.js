'use strict'

const { AzureError, badHeader } = require('./errors')

/**
 * What a write says of a blob, and what reads say of it.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Description} Description
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

/** Header of reads → that of writes. */
const CONTENT = {
  'Content-Type': 'x-ms-blob-content-type',
  'Content-Encoding': 'x-ms-blob-content-encoding',
  'Content-Language': 'x-ms-blob-content-language',
  'Content-Disposition': 'x-ms-blob-content-disposition',
  'Cache-Control': 'x-ms-blob-cache-control',
  'Content-MD5': 'x-ms-blob-content-md5',
}
const TIERS = ['Hot', 'Cool', 'Cold', 'Archive']
const METADATA_BYTES = 8192

/**
 * @param {Context} ctx
 * @returns {Description}
 * @throws {AzureError}
 */
function readDescription(ctx) {
  /** @type {Record<string, string>} */
  const content = {}
  for (const [name, header] of Object.entries(CONTENT)) {
    const value = ctx.header(header)
    if (value) content[name] = value
  }
  content['Content-Type'] ??= 'application/octet-stream'
  return {
    content,
    metadata: readMetadata(ctx),
    tags: readTagsHeader(ctx),
    tier: readTier(ctx),
  }
}

/**
 * Names of metadata are identifiers, and keep their case.
 * https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata
 *
 * @param {Context} ctx
 * @returns {Description['metadata']}
 */
function readMetadata({ req }) {
  /** @type {Description['metadata']} */
  const metadata = []
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const [header, value] = [req.rawHeaders[i], req.rawHeaders[i + 1]]
    if (!/^x-ms-meta-/i.test(header)) continue
    const name = header.slice('x-ms-meta-'.length)
    const twice = metadata.some(([other]) => other.toLowerCase() === name.toLowerCase())
    if (twice || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) {
      throw new AzureError('InvalidMetadata')
    }
    metadata.push([name, value.trim()])
  }
  const bytes = metadata.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > METADATA_BYTES) throw new AzureError('MetadataTooLarge')
  return metadata
}

/** @param {Context} ctx @returns {Description['tags']} */
function readTagsHeader(ctx) {
  const text = ctx.header('x-ms-tags')
  if (text === undefined || text === '') return []
  return checkTags(ctx, [...new URLSearchParams(text)])
}

/**
 * https://learn.microsoft.com/rest/api/storageservices/set-blob-tags
 *
 * @param {Context} ctx
 * @param {Description['tags']} tags
 * @throws {AzureError}
 */
function checkTags(ctx, tags) {
  if (ctx.state.options.hierarchical) throw new AzureError('FeatureNotYetSupportedForHierarchicalNamespaceAccounts')
  const names = new Set(tags.map(([key]) => key))
  const wrong = tags.find(
    ([key, value]) =>
      key === '' || key.length > 128 || value.length > 256 || !/^[A-Za-z0-9 +\-./:=_]*$/.test(key + value),
  )
  if (wrong || names.size < tags.length || tags.length > 10) {
    throw new AzureError('InvalidTag', { status: 400, message: 'The tags specified are invalid.' })
  }
  return tags
}

/** @param {Context} ctx @returns {string | undefined} */
function readTier(ctx) {
  const tier = ctx.header('x-ms-access-tier')
  if (tier !== undefined && !TIERS.includes(tier)) throw badHeader('x-ms-access-tier', tier)
  return tier
}

/**
 * The headers of Get Blob and Get Blob Properties that do not depend on the range.
 *
 * @param {Context} ctx
 * @param {StoredBlob} blob
 * @returns {Record<string, string>}
 */
function describe(ctx, blob) {
  const { options } = ctx.state
  /** @type {Record<string, string>} */
  const headers = {
    ...blob.content,
    ETag: ctx.effects.etag ?? blob.etag,
    'Last-Modified': new Date(blob.modifiedMs).toUTCString(),
    'Accept-Ranges': 'bytes',
    'x-ms-blob-type': 'BlockBlob',
  }
  for (const [name, value] of blob.metadata) headers[`x-ms-meta-${name}`] = value
  if (blob.tags.length > 0) headers['x-ms-tag-count'] = String(blob.tags.length)
  if (blob.versionId !== undefined) headers['x-ms-version-id'] = blob.versionId
  if (options.hierarchical) headers['x-ms-resource-type'] = isFolder(blob) ? 'directory' : 'file'
  return headers
}

/** @param {StoredBlob} blob */
function isFolder({ metadata }) {
  return metadata.some(([name, value]) => name.toLowerCase() === 'hdi_isfolder' && value === 'true')
}

/** @param {StoredBlob} blob */
function tierOf({ tier }) {
  return { tier: tier ?? 'Hot', inferred: tier === undefined }
}

module.exports = { checkTags, describe, isFolder, readDescription, tierOf }
