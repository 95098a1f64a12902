'use strict'

/**
 * The attributes of a copy: read from the source before the first byte is moved, and checked at the destination afterwards.
 * A notice names every attribute that is lost.
 */

const { attributesFor } = require('./wanted')
const { asXferError } = require('../../errors')
const { notice } = require('../../notices')
const { sameEtag } = require('../../integrity')
const { compareAttributes, comparisonOf, kindsOf } = require('./compare')

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
  const stores = { source: source.store, destination: destination.store }
  // Who is not told how many there are may be one who may not read them.
  const asks = destination.store.tags && wish.tags === 'copy' && object.tags !== 0
  if (!asks) return attributesFor(object, wish, { text: source.text, stores })
  const asked = await askTags(source, signal)
  const { attributes, notices } = attributesFor(object, wish, { tags: asked.tags, text: source.text, stores })
  return { attributes, notices: [...notices, ...asked.notices] }
}

/**
 * The source's tags, or a notice that says why they are not known.
 *
 * @param {End} source
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ tags: Array<[key: string, value: string]>, notices: import('../../types').Notice[] }>}
 */
async function askTags({ store, key, text, versionId }, signal) {
  if (!store.tags) return { tags: [], notices: [] }
  try {
    return { tags: await store.tags.read(key, { signal, versionId }), notices: [] }
  } catch (cause) {
    const error = asXferError(cause)
    const { status, storeCode, permission } = error.facts
    const denied = error.code === 'ACCESS_DENIED'
    if (!denied && !NO_TAGS.has(error.code)) throw error
    const said = storeCode ?? (status === undefined ? 'no answer of a store' : `HTTP ${status}`)
    const reason = denied ? `${permission} is missing (${said})` : `its store knows no ${permission} (${said})`
    return { tags: [], notices: [notice('TAGS_NOT_COPIED', { location: text, reason })] }
  }
}

/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {[key: string, value: string]} Tag */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} Place */
/** stored: as it was found there, where somebody has looked already. @typedef {{ etag: string, stored?: ObjectHead }} Written */

/**
 * Compares the attributes of a written object with what its store reports: all of one object, of many objects those of the first of
 * each kind. A notice names what is missing. None of this fails a copy.
 *
 * @param {Place} place
 * @param {ObjectAttributes} attributes that it was written with
 * @param {Written} written
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ attributes: ObjectAttributes, notices: import('../../types').Notice[], looked: boolean }>} attributes: that it has, as
 *   far as that is known; looked: whether the object was looked at, and is the one that was written
 */
async function checkAttributes({ store, key, text }, attributes, { etag, stored }, signal) {
  const unknown = { attributes, notices: [], looked: false }
  if (kindsOf(attributes, comparisonOf(store)).length === 0) return unknown
  const object = stored ?? (await store.head(key, { signal }).catch(() => undefined))
  // The object cannot be read, or somebody else has written it since.
  if (!object || !sameEtag(object.etag, etag)) return unknown
  // By its answer the store may have told its name.
  const { kept, notices } = compareAttributes(attributes, object, { ...comparisonOf(store), text })
  const { tags: wanted = [] } = attributes
  const missing = await missingTags({ store, key }, wanted, object, signal)
  const { tags: _, ...rest } = kept
  const tags = wanted.filter(tag => !missing.includes(tag))
  return {
    attributes: { ...rest, ...(tags.length > 0 && { tags }) },
    notices: [...notices, ...(missing.length > 0 ? [tellTags(missing, wanted, text)] : [])],
    looked: true,
  }
}

/**
 * @param {Pick<Place, 'store' | 'key'>} place
 * @param {Tag[]} wanted
 * @param {ObjectHead} found
 * @param {AbortSignal} [signal]
 * @returns {Promise<Tag[]>} none where they may not be read
 */
async function missingTags({ store, key }, wanted, found, signal) {
  if (wanted.length === 0 || found.tags === wanted.length) return []
  try {
    const there = (await store.tags?.read(key, { signal })) ?? []
    return wanted.filter(([name, value]) => !there.some(tag => tag[0] === name && tag[1] === value))
  } catch (cause) {
    return asXferError(cause).code === 'ACCESS_DENIED' ? [] : wanted
  }
}

/** @param {Tag[]} lost @param {Tag[]} all @param {string} text the object, for people */
function tellTags(lost, all, text) {
  // Where all are lost their names do not matter, and other objects are alike.
  const names = lost.length < all.length ? lost.map(([key]) => key) : undefined
  return notice('TAGS_NOT_COPIED', { location: text, all: all.length, names, reason: 'its store did not keep them' })
}

/**
 * Looks at the first object of each kind and way: a store treats the others alike.
 *
 * @param {(notice: import('../../types').Notice) => void} tell
 */
function createFirstLooks(tell) {
  /** @type {Set<string>} */
  const seen = new Set()
  /**
   * @param {Place} place
   * @param {ObjectAttributes} attributes
   * @param {Written & { way: 'put' | 'upload' | 'copy' }} written
   * @param {AbortSignal} [signal]
   * @returns {Promise<void> | undefined} undefined: it was looked at others of its kinds
   */
  return (place, attributes, { way, ...written }, signal) => {
    const due = []
    for (const kind of kindsOf(attributes, comparisonOf(place.store))) {
      if (!seen.has(`${way} ${kind}`)) due.push(`${way} ${kind}`)
    }
    return due.length === 0 ? undefined : lookAt(due, place, attributes, written, signal)
  }

  /**
   * @param {string[]} due
   * @param {Place} place
   * @param {ObjectAttributes} attributes
   * @param {Written} written
   * @param {AbortSignal} [signal]
   */
  async function lookAt(due, place, attributes, written, signal) {
    for (const kind of due) seen.add(kind)
    const { notices, looked } = await checkAttributes(place, attributes, written, signal)
    if (!looked) for (const kind of due) seen.delete(kind)
    for (const one of notices) tell(one)
  }
}

module.exports = { checkAttributes, createFirstLooks, readSourceAttributes }
