'use strict'

/**
 * The attributes of a copy: read from the source before the first byte is moved, and checked at the destination afterwards.
 * A notice names every attribute that is lost.
 */

const { checkAttributes } = require('./check')
const { attributesFor, wantsTags } = require('./wanted')
const { asXferError } = require('../../errors')
const { notice } = require('../../notices')

/** @typedef {import('../../types').AttributeWish} AttributeWish */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text' | 'versionId'>} End */

/** Answers of stores that have no tags: not allowed, not implemented, or something else than tags. */
const NO_TAGS = new Set(['STORE_REFUSED', 'NOT_A_STORE'])

/**
 * @param {{ source: End, destination: Pick<End, 'store'> }} ends
 * @param {ObjectDescription & { lastModifiedMs?: number }} object as its head, or the answer to a read, tells it
 * @param {AttributeWish} wish
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ attributes: ObjectAttributes, notices: import('../../types').Notice[] }>}
 * @throws {import('../../types').XferError} where the tags cannot be asked for, and that is for no missing permission
 */
async function readSourceAttributes({ source, destination }, object, wish, signal) {
  const asked = destination.store.tags ? await askTags(source, object, wish, signal) : { tags: [], notices: [] }
  const stores = { source: source.store, destination: destination.store }
  const { attributes, notices } = attributesFor(object, wish, { tags: asked.tags, text: source.text, stores })
  return { attributes, notices: [...notices, ...asked.notices] }
}

/**
 * The source's tags, or a notice that says why they are not known.
 *
 * @param {End} source
 * @param {Pick<ObjectDescription, 'tags'>} object
 * @param {AttributeWish} wish
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ tags: Array<[key: string, value: string]>, notices: import('../../types').Notice[] }>}
 */
async function askTags({ store, key, text, versionId }, object, wish, signal) {
  if (!store.tags || !wantsTags(object, wish)) return { tags: [], notices: [] }
  try {
    return { tags: await store.tags.read(key, { signal, versionId }), notices: [] }
  } catch (cause) {
    const error = asXferError(cause)
    const { status, storeCode, permission } = error.facts
    const denied = error.code === 'ACCESS_DENIED'
    if (!denied && !NO_TAGS.has(error.code)) throw error
    const said = storeCode ?? (status === undefined ? 'no answer of a store' : `HTTP ${status}`)
    const reason = denied ? `${permission} is missing (${said})` : `its store knows no ${permission} (${said})`
    return { tags: [], notices: [notice('TAGS_NOT_READ', { location: text, reason })] }
  }
}

/**
 * Reports the attributes of a single object that the destination did not keep.
 *
 * @param {import('../../types').WriteWork} work
 * @param {import('../../types').Written} written
 * @returns {Promise<ObjectAttributes>} those that the copy has, as far as that may be known
 */
async function checkCopiedAttributes({ job, attributes }, written) {
  const { abort: signal, emit } = job.run
  const { attributes: kept, notices } = await checkAttributes(job.destination, attributes, written, signal)
  for (const notice of notices) emit(notice)
  return kept
}

module.exports = { readSourceAttributes, checkCopiedAttributes }
