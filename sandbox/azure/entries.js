'use strict'

const { randomBytes } = require('node:crypto')
const { SortedMap } = require('../common/pages')
const { isFolder } = require('./description')
const { AzureError } = require('./errors')

/**
 * Containers, what a name stands for in one, and how a new blob takes the place of the old one.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Entry} Entry
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

/** @param {Context} ctx @returns {Entry | undefined} @throws {AzureError} ContainerNotFound */
function entryOf(ctx) {
  return ctx.container().entries.get(ctx.key ?? '')
}

/** What the name of the request, or another one, stands for; new where it stands for nothing. @param {Context} ctx @param {string} [name] */
function makeEntry(ctx, name = ctx.key ?? '') {
  const { entries } = ctx.container()
  /** @type {Entry} */
  const entry = entries.get(name) ?? { name, versions: [], uncommitted: new Map() }
  entries.set(name, entry)
  return entry
}

/**
 * The blob that a request reads, or one of its versions.
 *
 * @param {Context} ctx
 * @returns {{ blob: StoredBlob, entry: Entry }}
 * @throws {AzureError} BlobNotFound
 */
function blobOf(ctx) {
  const entry = entryOf(ctx)
  const version = ctx.query.get('versionid')
  const blob =
    version === undefined
      ? entry?.current
      : [...(entry?.versions ?? []), entry?.current].find(one => one?.versionId === version)
  if (!entry || !blob) throw new AzureError('BlobNotFound')
  return { blob, entry }
}

/**
 * Stores a blob as the current one of its name. Its uncommitted blocks are gone.
 *
 * @param {Context} ctx
 * @param {Omit<StoredBlob, 'etag' | 'modifiedMs'>} facts
 * @returns {StoredBlob}
 * @throws {AzureError} BlobArchived, ResourceTypeMismatch
 */
function putBlob(ctx, facts) {
  const { hierarchical, versioning } = ctx.state.options
  const old = entryOf(ctx)?.current
  checkReplaced(ctx, old)
  if (hierarchical) makeFolders(ctx)
  const nowMs = ctx.state.now()
  const blob = {
    ...facts,
    // A blob that is replaced leaves its tier to the new one.
    tier: facts.tier ?? old?.tier,
    etag: newEtag(),
    modifiedMs: nowMs,
    ...(versioning && { versionId: momentOf(nowMs) }),
  }
  const entry = makeEntry(ctx)
  if (old?.versionId !== undefined) entry.versions.push(old)
  entry.current = blob
  entry.uncommitted = new Map()
  return blob
}

/** Takes the current blob away. Its versions stay. @param {Context} ctx @param {Entry} entry */
function dropBlob(ctx, entry) {
  if (entry.current?.versionId !== undefined) entry.versions.push(entry.current)
  entry.current = undefined
  entry.uncommitted = new Map()
  if (entry.versions.length === 0) ctx.container().entries.delete(entry.name)
}

/** @param {Context} ctx @param {StoredBlob | undefined} old @throws {AzureError} */
function checkReplaced(ctx, old) {
  if (!old) return
  if (ctx.state.options.hierarchical && isFolder(old)) throw new AzureError('ResourceTypeMismatch')
  if (old.tier === 'Archive') throw new AzureError('BlobArchived')
}

/** Folders above a name are blobs of their own, where the namespace is hierarchical. @param {Context} ctx */
function makeFolders(ctx) {
  const parts = (ctx.key ?? '').split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..')) throw new AzureError('InvalidResourceName')
  for (let depth = 1; depth < parts.length; depth++) {
    const entry = makeEntry(ctx, parts.slice(0, depth).join('/'))
    if (entry.current && !isFolder(entry.current)) throw new AzureError('ResourceTypeMismatch')
    const times = { etag: newEtag(), modifiedMs: ctx.state.now() }
    /** @type {[string, string][]} */
    const metadata = [['hdi_isfolder', 'true']]
    entry.current ??= { size: 0, segments: [], blocks: [], content: {}, tags: [], metadata, ...times }
  }
}

/** Of the last moment that was named: no two are the same. */
let lastTicks = 0n

/** A time with seven digits, as versions are named. @param {number} nowMs */
function momentOf(nowMs) {
  const ticks = BigInt(nowMs) * 10_000n
  lastTicks = ticks > lastTicks ? ticks : lastTicks + 1n
  const seconds = new Date(Number(lastTicks / 10_000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(lastTicks % 10_000_000n).padStart(7, '0')}Z`
}

function newEtag() {
  return `"0x8D${randomBytes(6).toString('hex').toUpperCase()}"`
}

/** @param {StoredBlob} blob @returns {Record<string, string>} of the answer to a write */
function writtenHeaders(blob) {
  return {
    ETag: blob.etag,
    'Last-Modified': new Date(blob.modifiedMs).toUTCString(),
    ...(blob.versionId !== undefined && { 'x-ms-version-id': blob.versionId }),
  }
}

/** https://learn.microsoft.com/rest/api/storageservices/create-container @param {Context} ctx @returns {import('../common/types').Answer} */
function createContainer({ state, bucketName: name = '' }) {
  if (!isContainerName(name)) throw new AzureError('InvalidResourceName')
  if (state.catalog.containers.has(name)) throw new AzureError('ContainerAlreadyExists')
  addContainer(state, name)
  return { status: 201 }
}

/** https://learn.microsoft.com/rest/api/storageservices/delete-container @param {Context} ctx @returns {import('../common/types').Answer} */
function deleteContainer(ctx) {
  ctx.state.catalog.containers.delete(ctx.container().name)
  return { status: 202 }
}

/** @param {import('./types').State} state @param {string} name */
function addContainer({ catalog, now }, name) {
  catalog.containers.set(name, { name, modifiedMs: now(), entries: new SortedMap() })
}

/** https://learn.microsoft.com/rest/api/storageservices/naming-and-referencing-containers--blobs--and-metadata @param {string} name */
function isContainerName(name) {
  return /^[a-z0-9](-?[a-z0-9])+$/.test(name) && name.length >= 3 && name.length <= 63
}

module.exports = {
  addContainer,
  createContainer,
  deleteContainer,
  isContainerName,
  blobOf,
  checkReplaced,
  dropBlob,
  entryOf,
  makeEntry,
  putBlob,
  writtenHeaders,
}
