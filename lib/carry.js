'use strict'

/**
 * What a copy carries beside its bytes: found out before the first byte is moved, and looked at once the copy is there.
 * Nothing is lost that is not told.
 */

const { attributesFor, droppedFrom, mayBeDropped, wantsTags } = require('./attributes')
const { asXferError } = require('./errors')
const { sameEtag } = require('./integrity')

/** @typedef {import('./types').AttributeWish} AttributeWish */
/** @typedef {import('./types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('./types').ObjectDescription} ObjectDescription */
/** @typedef {Pick<import('./job').Side, 'store' | 'key' | 'text' | 'versionId'>} End */

/** Answers of stores that have no tags: not allowed, not implemented, or something else than tags. */
const NO_TAGS = new Set(['STORE_REFUSED', 'NOT_A_STORE'])

/**
 * @param {End} source
 * @param {ObjectDescription & { lastModifiedMs?: number }} object as its head, or the answer to a read, tells it
 * @param {AttributeWish} wish
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ attributes: ObjectAttributes, notices: string[] }>} notices: sentences for the user
 * @throws {import('./types').XferError} where the tags cannot be asked for, and that is for no missing permission
 */
async function carry(source, object, wish, signal) {
  const asked = await askTags(source, object, wish, signal)
  const { attributes, notices } = attributesFor(object, wish, { tags: asked.tags, text: source.text })
  return { attributes, notices: [...notices, ...asked.notices] }
}

/**
 * The source's tags, or a sentence that says why they are not known.
 *
 * @param {End} source
 * @param {Pick<ObjectDescription, 'tags'>} object
 * @param {AttributeWish} wish
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ tags: Array<[key: string, value: string]>, notices: string[] }>}
 */
async function askTags({ store, key, text, versionId }, object, wish, signal) {
  if (!wantsTags(object, wish)) return { tags: [], notices: [] }
  try {
    return { tags: await store.tags(key, { signal, versionId }), notices: [] }
  } catch (cause) {
    const error = asXferError(cause)
    const { status, storeCode } = error.facts
    const denied = error.code === 'ACCESS_DENIED'
    if (!denied && !NO_TAGS.has(error.code)) throw error
    const permission = versionId === undefined ? 's3:GetObjectTagging' : 's3:GetObjectVersionTagging'
    const said = storeCode ?? (status === undefined ? 'no answer of a store' : `HTTP ${status}`)
    const why = denied ? `${permission} is missing (${said})` : `its store knows no ${permission} (${said})`
    const notice = `The tags of ${text}, if it has any, are not copied, for ${why}; --tags none copies none.`
    return { tags: [], notices: [notice] }
  }
}

/**
 * Whether the destination kept what it was sent: some take what they do not know, and say nothing. Who may only write is
 * not let look, and is told nothing.
 *
 * @param {End} destination
 * @param {ObjectAttributes} attributes that it was written with
 * @param {{ etag: string, stored?: ObjectDescription & { etag: string } }} written stored: as it was found there, where
 *   somebody has looked already
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[]>} sentences for the user
 */
async function lookAtCarried({ store, key, text }, attributes, { etag, stored }, signal) {
  if (!mayBeDropped(attributes)) return []
  try {
    const found = stored ?? (await store.head(key, { signal }))
    // Somebody else has written it since.
    if (!sameEtag(found.etag, etag)) return []
    const asks = attributes.tags && found.tags === undefined
    const tags = asks ? (await store.tags(key, { signal }).catch(() => undefined))?.length : found.tags
    return droppedFrom(attributes, { ...found, tags }, text)
  } catch {
    return []
  }
}

module.exports = { carry, lookAtCarried }
