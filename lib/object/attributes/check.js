'use strict'

/**
 * Compares the attributes of a written object with what its store reports: all of one object, of many objects those of the first of
 * each kind. A notice names what is missing. None of this fails a copy.
 */

const { asXferError } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { notice } = require('../../notices')
const { compareAttributes, comparisonOf, kindsOf, noticesOfLosses } = require('./compare')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {[key: string, value: string]} Tag */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} Place */
/** stored: as it was found there, where somebody has looked already. @typedef {{ etag: string, stored?: ObjectHead }} Written */

/**
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
  const about = comparisonOf(store)
  const { kept, lost } = compareAttributes(attributes, object, about)
  const { tags: wanted = [] } = attributes
  const missing = await missingTags({ store, key }, wanted, object, signal)
  const { tags: _, ...rest } = kept
  const tags = wanted.filter(tag => !missing.includes(tag))
  return {
    attributes: { ...rest, ...(tags.length > 0 && { tags }) },
    notices: [
      ...noticesOfLosses(lost, attributes, object, { text, defaultClass: about.defaultClass }),
      ...(missing.length > 0 ? [tellTags(missing, wanted, text)] : []),
    ],
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
  const which = lost.length === all.length ? { all: all.length } : { names: lost.map(([key]) => key) }
  return notice('TAGS_NOT_WRITTEN', { location: text, ...which, reason: 'its store did not keep them' })
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
   */
  return async (place, attributes, { way, ...written }, signal) => {
    const kinds = kindsOf(attributes, comparisonOf(place.store)).map(kind => `${way} ${kind}`)
    const due = kinds.filter(kind => !seen.has(kind))
    if (due.length === 0) return
    for (const kind of due) seen.add(kind)
    const { notices, looked } = await checkAttributes(place, attributes, written, signal)
    if (!looked) for (const kind of due) seen.delete(kind)
    for (const one of notices) tell(one)
  }
}

module.exports = { checkAttributes, createFirstLooks }
