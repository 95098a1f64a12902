'use strict'

const { pageOf, readToken, writeToken, compareUtf8 } = require('../common/pages')
const { describe, isFolder, tierOf } = require('./description')
const { AzureError, badParameter } = require('./errors')
const { writeAzureXml } = require('../common/xml')

/**
 * Lists of blobs and of containers.
 * https://learn.microsoft.com/rest/api/storageservices/list-blobs
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('../common/types').Answer} Answer
 */

// These characters XML cannot carry.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be encoded
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** @param {Context} ctx @returns {Answer} */
function listBlobs(ctx) {
  const { entries } = ctx.container()
  const [prefix, delimiter, from] = ['prefix', 'delimiter', 'startfrom'].map(name => ctx.query.get(name) ?? '')
  const max = readMax(ctx)
  const include = new Set((ctx.query.get('include') ?? '').split(','))
  const isListed = (/** @type {string} */ name) => {
    const { current, uncommitted } = /** @type {import('./types').Entry} */ (entries.get(name))
    return current ? !hides(ctx, name, delimiter) : include.has('uncommittedblobs') && uncommitted.size > 0
  }
  const names = entries.sortedKeys().filter(name => compareUtf8(name, from) >= 0 && isListed(name))
  const page = pageOf(names, { prefix, delimiter, after: readMarker(ctx), max })
  const folders = page.keys.filter(name => delimiter !== '' && isFolderName(ctx, name))
  const body = writeAzureXml('EnumerationResults', {
    Prefix: ctx.query.get('prefix'),
    Marker: ctx.query.get('marker'),
    MaxResults: ctx.query.has('maxresults') ? max : undefined,
    Delimiter: delimiter === '' ? undefined : delimiter,
    Blobs: {
      Blob: page.keys.filter(name => !folders.includes(name)).map(name => blobElement(ctx, name, include)),
      BlobPrefix: [...page.prefixes, ...folders.map(name => `${name}/`)].sort().map(nameElement),
    },
    NextMarker: page.truncated ? writeToken(page.last) : '',
  })
  return { status: 200, body }
}

/** Whether a name is a directory, which a list with a delimiter shows as a prefix. @param {Context} ctx @param {string} name */
function isFolderName({ state, container }, name) {
  const current = state.options.hierarchical ? container().entries.get(name)?.current : undefined
  return current !== undefined && isFolder(current)
}

/** A directory with contents, whose prefix a list with a delimiter shows anyway. @param {Context} ctx @param {string} name @param {string} delimiter */
function hides(ctx, name, delimiter) {
  if (delimiter === '' || !isFolderName(ctx, name)) return false
  return [...ctx.container().entries.keys()].some(other => other.startsWith(`${name}/`))
}

/** @param {string} name */
function nameElement(name) {
  return UNFIT.test(name) ? { 'Name Encoded="true"': encodeURIComponent(name) } : { Name: name }
}

/** @param {Context} ctx @param {string} name @param {Set<string>} include */
function blobElement(ctx, name, include) {
  const entry = /** @type {import('./types').Entry} */ (ctx.container().entries.get(name))
  const blob = entry.current
  if (!blob) return { ...nameElement(name), Properties: { 'Content-Length': 0, BlobType: 'BlockBlob' } }
  const said = describe(ctx, blob)
  const { tier, inferred } = tierOf(blob)
  const folder = ctx.state.options.hierarchical && isFolder(blob)
  return {
    ...nameElement(name),
    Properties: {
      'Last-Modified': said['Last-Modified'],
      Etag: said.ETag.replace(/^"(.*)"$/, '$1'),
      ResourceType: said['x-ms-resource-type'],
      'Content-Length': blob.size,
      'Content-Type': blob.content['Content-Type'] ?? '',
      'Content-MD5': blob.content['Content-MD5'] ?? '',
      BlobType: 'BlockBlob',
      ...(!folder && { AccessTier: tier, AccessTierInferred: inferred || undefined }),
    },
    Metadata: include.has('metadata') ? Object.fromEntries(blob.metadata) : undefined,
  }
}

/** @param {Context} ctx */
function readMax(ctx) {
  const text = ctx.query.get('maxresults')
  const { pageSize } = ctx.state.options
  if (text === undefined) return pageSize
  if (!/^\d{1,9}$/.test(text)) throw badParameter('maxresults', text)
  return Math.min(Number(text), pageSize)
}

/** @param {Context} ctx @returns {string} */
function readMarker(ctx) {
  const marker = ctx.query.get('marker') ?? ''
  const name = marker === '' ? '' : readToken(marker)
  if (name === undefined) throw new AzureError('OutOfRangeInput', { status: 400 })
  return name
}

/** https://learn.microsoft.com/rest/api/storageservices/list-containers2 @param {Context} ctx @returns {Answer} */
function listContainers(ctx) {
  const names = [...ctx.state.catalog.containers.keys()].sort()
  const prefix = ctx.query.get('prefix') ?? ''
  const page = pageOf(names, { prefix, delimiter: '', after: readMarker(ctx), max: readMax(ctx) })
  const body = writeAzureXml('EnumerationResults', {
    Containers: {
      Container: page.keys.map(Name => {
        const { modifiedMs } = /** @type {import('./types').Container} */ (ctx.state.catalog.containers.get(Name))
        return { Name, Properties: { 'Last-Modified': new Date(modifiedMs).toUTCString() } }
      }),
    },
    NextMarker: page.truncated ? writeToken(page.last) : '',
  })
  return { status: 200, body }
}

module.exports = { listBlobs, listContainers }
