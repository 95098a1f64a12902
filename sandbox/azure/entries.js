'use strict'

const { randomBytes } = require('node:crypto')
const { emptyEntry } = require('./catalog')
const { isFolder } = require('./description')
const { AzureError } = require('./errors')

/**
 * What a name stands for, and how a new blob takes the place of the old one.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Entry} Entry
 * @typedef {import('./types').StoredBlob} StoredBlob
 */

/** Uncommitted blocks vanish a week after the last Put Block. */
const BLOCKS_LIVE_MS = 7 * 24 * 3_600_000

/**
 * @param {Context} ctx
 * @param {string} [name] default: that of the request
 * @returns {Entry | undefined}
 * @throws {AzureError} ContainerNotFound
 */
function entryOf(ctx, name = ctx.key ?? '') {
  const container = ctx.container()
  const entry = container.entries.get(name)
  if (!entry || entry.uncommitted.size === 0 || ctx.state.now() - entry.lastBlockMs < BLOCKS_LIVE_MS) return entry
  ctx.state.catalog.putEntry(container.name, entry, 'dropped')
  return container.entries.get(name)
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
 * Stores a blob as the current one of its name.
 *
 * @param {Context} ctx
 * @param {Omit<StoredBlob, 'etag' | 'createdMs' | 'modifiedMs'>} facts
 * @param {'kept' | 'dropped'} [blocks] what becomes of the uncommitted blocks
 * @returns {StoredBlob}
 * @throws {AzureError} BlobArchived, ResourceTypeMismatch
 */
function putBlob(ctx, facts, blocks = 'dropped') {
  const entry = entryOf(ctx) ?? emptyEntry(ctx.key ?? '')
  const old = entry.current
  checkReplaced(ctx, old)
  if (ctx.state.options.hierarchical) makeFolders(ctx)
  const nowMs = ctx.state.now()
  const blob = {
    ...facts,
    // A blob that is replaced leaves its tier to the new one.
    tier: facts.tier ?? (facts.type === 'BlockBlob' ? old?.tier : undefined),
    etag: newEtag(),
    createdMs: ctx.state.options.versioning ? nowMs : (old?.createdMs ?? nowMs),
    modifiedMs: nowMs,
    ...newVersion(ctx),
  }
  const versions = old?.versionId === undefined ? entry.versions : [...entry.versions, old]
  ctx.state.catalog.putEntry(ctx.container().name, { ...entry, current: blob, versions }, blocks)
  return blob
}

/** @param {Context} ctx @param {StoredBlob | undefined} old @throws {AzureError} */
function checkReplaced(ctx, old) {
  if (!old) return
  if (ctx.state.options.hierarchical && isFolder(old)) throw new AzureError('ResourceTypeMismatch')
  if (old.tier === 'Archive') throw new AzureError('BlobArchived')
}

/** Changes the facts of the current blob; its bytes stay. @param {Context} ctx @param {Entry} entry @param {StoredBlob} blob */
function changeBlob(ctx, entry, blob) {
  ctx.state.catalog.putEntry(ctx.container().name, { ...entry, current: blob }, 'kept')
}

/** Folders above a name are blobs of their own, where the namespace is hierarchical. @param {Context} ctx */
function makeFolders(ctx) {
  const { catalog, now } = ctx.state
  const container = ctx.container()
  const parts = (ctx.key ?? '').split('/')
  if (parts.some(part => part === '' || part === '.' || part === '..')) throw new AzureError('InvalidResourceName')
  for (let depth = 1; depth < parts.length; depth++) {
    const name = parts.slice(0, depth).join('/')
    const there = container.entries.get(name)?.current
    if (there && !isFolder(there)) throw new AzureError('ResourceTypeMismatch')
    if (there) continue
    const times = { etag: newEtag(), createdMs: now(), modifiedMs: now() }
    const facts = { type: /** @type {const} */ ('BlockBlob'), size: 0, segments: [], blocks: [], content: {}, tags: [] }
    const current = { ...facts, ...times, metadata: /** @type {[string, string][]} */ ([['hdi_isfolder', 'true']]) }
    catalog.putEntry(container.name, { ...emptyEntry(name), current }, 'dropped')
  }
}

/** @param {Context} ctx @returns {{ versionId?: string }} */
function newVersion(ctx) {
  return ctx.state.options.versioning ? { versionId: momentOf(ctx) } : {}
}

/** Of the last moment that was named: no two are the same. */
let lastTicks = 0n

/** A time with seven digits, as versions are named. @param {Context} ctx */
function momentOf({ state }) {
  const ticks = BigInt(state.now()) * 10_000n
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
    'x-ms-request-server-encrypted': 'true',
    ...(blob.versionId !== undefined && { 'x-ms-version-id': blob.versionId }),
  }
}

module.exports = { blobOf, changeBlob, checkReplaced, entryOf, newEtag, putBlob, writtenHeaders }
