'use strict'

const { randomUUID } = require('node:crypto')
const { checkLease } = require('./conditions')
const { checkTags, leaseState } = require('./description')
const { blobOf, changeBlob } = require('./entries')
const { AzureError, badHeader } = require('./errors')
const { receiveText } = require('./payload')
const { childText, readDocument, writeXml } = require('./xml')

/**
 * What can be changed of a blob without writing it: tags, lease.
 *
 * @typedef {import('./types').Context} Context
 * @typedef {import('./types').Answer} Answer
 * @typedef {import('./types').Lease} Lease
 */

const MAX_LEASE_SECONDS = 60

/** https://learn.microsoft.com/rest/api/storageservices/get-blob-tags @param {Context} ctx @returns {Answer} */
function getTags(ctx) {
  if (ctx.state.options.hierarchical) throw new AzureError('FeatureNotYetSupportedForHierarchicalNamespaceAccounts')
  const Tag = blobOf(ctx).blob.tags.map(([Key, Value]) => ({ Key, Value }))
  return { status: 200, body: writeXml('Tags', { TagSet: { Tag } }) }
}

/** https://learn.microsoft.com/rest/api/storageservices/set-blob-tags @param {Context} ctx @returns {Promise<Answer>} */
async function setTags(ctx) {
  const document = readDocument(await receiveText(ctx))
  const set = document.children.find(({ name }) => name === 'TagSet')
  if (document.name !== 'Tags' || !set) throw new AzureError('InvalidXmlDocument')
  const tags = set.children.map(tag => {
    const [key, value] = ['Key', 'Value'].map(name => childText(tag, name))
    return /** @type {[string, string]} */ ([key ?? '', value ?? ''])
  })
  checkTags(ctx, tags)
  const { blob, entry } = blobOf(ctx)
  checkLease(ctx, entry)
  // Tags are not part of the blob's state: its ETag stays.
  changeBlob(ctx, entry, { ...blob, tags })
  return { status: 204 }
}

/** https://learn.microsoft.com/rest/api/storageservices/lease-blob @param {Context} ctx @returns {Answer} */
function leaseBlob(ctx) {
  const { entry, blob } = blobOf(ctx)
  const action = ctx.header('x-ms-lease-action')?.toLowerCase() ?? ''
  const act = Object.hasOwn(LEASE_ACTIONS, action) ? LEASE_ACTIONS[action] : undefined
  if (!act) throw badHeader('x-ms-lease-action', action)
  const { status, lease } = act(ctx, entry.lease)
  ctx.state.catalog.putEntry(ctx.container().name, { ...entry, lease }, 'kept')
  const times = { ETag: blob.etag, 'Last-Modified': new Date(blob.modifiedMs).toUTCString() }
  return { status, headers: { ...times, ...(lease && { 'x-ms-lease-id': lease.id }) } }
}

/** @type {Record<string, (ctx: Context, lease?: Lease) => { status: number, lease?: Lease }>} */
const LEASE_ACTIONS = {
  acquire(ctx, lease) {
    const duration = Number(ctx.header('x-ms-lease-duration'))
    if (duration !== -1 && !(duration >= 15 && duration <= MAX_LEASE_SECONDS)) {
      throw badHeader('x-ms-lease-duration', ctx.header('x-ms-lease-duration'))
    }
    const proposed = ctx.header('x-ms-proposed-lease-id')?.toLowerCase()
    if (leaseState(ctx, lease) === 'leased' && lease?.id !== proposed) throw new AzureError('LeaseAlreadyPresent')
    return { status: 201, lease: { id: proposed ?? randomUUID(), duration, ...endOf(ctx, duration) } }
  },
  release(ctx, lease) {
    if (!lease) throw new AzureError('LeaseNotPresentWithLeaseOperation')
    if (ctx.header('x-ms-lease-id')?.toLowerCase() !== lease.id)
      throw new AzureError('LeaseIdMismatchWithLeaseOperation')
    return { status: 200 }
  },
}

/** @param {Context} ctx @param {number} duration seconds */
function endOf({ state }, duration) {
  return duration === -1 ? {} : { untilMs: state.now() + duration * 1000 }
}

module.exports = { getTags, leaseBlob, setTags }
