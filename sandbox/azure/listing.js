'use strict'

const { compareUtf8 } = require('../common/utf8')
const { describe, isFolder, tierOf } = require('./description')
const { AzureError, badParameter } = require('./errors')
const { quoted, writeXml } = require('./xml')

/**
 * Lists of blobs and of containers.
 * https://learn.microsoft.com/rest/api/storageservices/list-blobs
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('../common/types').Answer} Answer
 * @typedef {import('./types').Entry} Entry
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

const INCLUDES = ['metadata', 'uncommittedblobs', 'copy', 'deleted', 'tags', 'versions', 'deletedwithversions']
// These characters XML cannot carry.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to be encoded
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** One line of a list: a prefix, or a blob. @typedef {{ name: string, blob?: StoredBlob | 'uncommitted', entry?: Entry }} Line */

/** @param {Context} ctx @returns {Answer} */
function listBlobs(ctx) {
  const container = ctx.container()
  const [prefix, delimiter] = [ctx.query.get('prefix') ?? '', ctx.query.get('delimiter') ?? '']
  const max = readMax(ctx)
  const include = readIncludes(ctx)
  const from = readMarker(ctx) || (ctx.query.get('startfrom') ?? '')
  /** @type {Line[]} */
  const lines = []
  /** @type {string | undefined} */
  let next
  for (const name of container.entries.sortedKeys()) {
    if (compareUtf8(name, from) < 0 || !name.startsWith(prefix)) continue
    const at = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length)
    const common = at === -1 ? undefined : name.slice(0, at + delimiter.length)
    if (common !== undefined && lines.at(-1)?.name === common) continue
    const entry = container.entries.get(name)
    const found = entry ? blobsOf(entry, include) : []
    if (found.length === 0 || (delimiter !== '' && isFullFolder(ctx, name))) continue
    if (lines.length >= max) {
      next = name
      break
    }
    if (common !== undefined) lines.push({ name: common })
    else if (delimiter !== '' && isFolderName(ctx, name)) lines.push({ name: `${name}/` })
    else lines.push(...found.map(blob => ({ name, blob, entry })))
  }
  const root = `EnumerationResults ServiceEndpoint="${quoted(serviceEndpoint(ctx))}" ContainerName="${quoted(container.name)}"`
  const body = writeXml(root, {
    Prefix: ctx.query.get('prefix'),
    Marker: ctx.query.get('marker'),
    MaxResults: ctx.query.has('maxresults') ? max : undefined,
    Delimiter: delimiter === '' ? undefined : delimiter,
    Blobs: {
      Blob: lines.flatMap(line => (line.blob ? [blobElement(ctx, line, include)] : [])),
      BlobPrefix: lines.flatMap(line => (line.blob ? [] : [nameElement(line.name)])),
    },
    NextMarker: next === undefined ? '' : writeMarker(next),
  })
  return { status: 200, body }
}

/** Whether a name is a directory, which a list with a delimiter shows as a prefix. @param {Context} ctx @param {string} name */
function isFolderName({ state, container }, name) {
  const current = state.options.hierarchical ? container().entries.get(name)?.current : undefined
  return current !== undefined && isFolder(current)
}

/** A directory with contents, which have its prefix. @param {Context} ctx @param {string} name */
function isFullFolder(ctx, name) {
  return (
    isFolderName(ctx, name) &&
    ctx
      .container()
      .entries.sortedKeys()
      .some(other => other.startsWith(`${name}/`))
  )
}

/** What of a name is listed. @param {Entry} entry @param {Set<string>} include */
function blobsOf(entry, include) {
  /** @type {(StoredBlob | 'uncommitted')[]} */
  const found = []
  if (include.has('versions')) found.push(...entry.versions)
  if (entry.current) found.push(entry.current)
  else if (include.has('uncommittedblobs') && entry.uncommitted.size > 0) found.push('uncommitted')
  return found
}

/** @param {string} name */
function nameElement(name) {
  return UNFIT.test(name) ? { 'Name Encoded="true"': encodeURIComponent(name) } : { Name: name }
}

/** @param {Context} ctx @param {Line} line @param {Set<string>} include */
function blobElement(ctx, { name, blob, entry }, include) {
  if (typeof blob !== 'object' || !entry) {
    return { ...nameElement(name), Properties: { 'Content-Length': 0, BlobType: 'BlockBlob' } }
  }
  const said = describe(ctx, blob, entry)
  const { tier, inferred } = tierOf(ctx, blob)
  const folder = ctx.state.options.hierarchical && isFolder(blob)
  return {
    ...nameElement(name),
    VersionId: include.has('versions') ? blob.versionId : undefined,
    IsCurrentVersion: include.has('versions') && blob === entry.current ? true : undefined,
    Properties: {
      'Creation-Time': said['x-ms-creation-time'],
      'Last-Modified': said['Last-Modified'],
      Etag: said.ETag.replace(/^"(.*)"$/, '$1'),
      ResourceType: ctx.state.options.hierarchical ? said['x-ms-resource-type'] : undefined,
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
  if (Number(text) === 0) throw new AzureError('OutOfRangeQueryParameterValue', { QueryParameterName: 'maxresults' })
  return Math.min(Number(text), pageSize)
}

/** @param {Context} ctx */
function readIncludes(ctx) {
  const names = (ctx.query.get('include') ?? '').split(',').filter(name => name !== '')
  const unknown = names.find(name => !INCLUDES.includes(name))
  if (unknown !== undefined) throw badParameter('include', unknown)
  return new Set(names)
}

/** Opaque, so that clients do not make their own. @param {string} name that the next page begins with */
function writeMarker(name) {
  return `2!${Buffer.byteLength(name)}!${Buffer.from(name).toString('base64url')}`
}

/** @param {Context} ctx @returns {string} */
function readMarker(ctx) {
  const marker = ctx.query.get('marker') ?? ''
  if (marker === '') return ''
  const [, bytes, text] = /^2!(\d+)!([\w-]*)$/.exec(marker) ?? []
  const name = Buffer.from(text ?? '', 'base64url')
  if (name.length !== Number(bytes)) throw new AzureError('OutOfRangeInput', { status: 400 })
  return name.toString()
}

/** @param {Context} ctx */
function serviceEndpoint({ rawPath, account, header }) {
  const inPath = rawPath.split('/')[1] === account
  return `http://${header('host')}/${inPath ? `${account}/` : ''}`
}

/** https://learn.microsoft.com/rest/api/storageservices/list-containers2 @param {Context} ctx @returns {Answer} */
function listContainers(ctx) {
  const prefix = ctx.query.get('prefix') ?? ''
  const max = readMax(ctx)
  const marker = readMarker(ctx)
  const names = [...ctx.state.catalog.containers.keys()]
    .sort()
    .filter(name => name.startsWith(prefix) && name >= marker)
  const body = writeXml(`EnumerationResults ServiceEndpoint="${quoted(serviceEndpoint(ctx))}"`, {
    Containers: { Container: names.slice(0, max).map(Name => ({ Name })) },
    NextMarker: names.length > max ? writeMarker(names[max]) : '',
  })
  return { status: 200, body }
}

module.exports = { listBlobs, listContainers }
