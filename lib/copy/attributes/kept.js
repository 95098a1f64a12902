'use strict'

/**
 * Compares the attributes that a copy was written with to those that its store reports afterwards. A notice names every
 * attribute that is lost.
 */

const { isUnchanged } = require('../../destination')
const { asXferError } = require('../../errors')
const { decodeMail } = require('../../http')
const { sameEtag } = require('../../integrity')
const { notice } = require('../../notices')

/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */
/** @typedef {import('../../types').ObjectHead} ObjectHead */
/** @typedef {[key: string, value: string]} Tag */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text'>} WrittenPlace */
/**
 * bytes: of an upload; stored: as it was found there, where somebody has looked already.
 *
 * @typedef {{ etag: string, bytes?: number, stored?: ObjectHead }} WrittenAs
 */

/**
 * Compares the attributes of a written object with what its store reports: all of one object, of many objects those of the first of
 * each kind. A notice names what is missing. None of this fails a copy.
 *
 * @param {WrittenPlace} place
 * @param {ObjectAttributes} attributes that it was written with
 * @param {WrittenAs} written
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ attributes: ObjectAttributes, notices: import('../../types').Notice[], looked: boolean }>} attributes: that it has, as
 *   far as that is known; looked: whether the object was looked at, and is the one that was written
 */
async function checkAttributes({ store, key, text }, attributes, { etag, bytes, stored }, signal) {
  const unknown = { attributes, notices: [], looked: false }
  if (kindsOf(attributes, store).length === 0) return unknown
  const object = stored ?? (await store.head(key, { signal }).catch(() => undefined))
  // The object cannot be read, or somebody else has written it since; gofakes3 completes an upload with another ETag than it has.
  if (!object || !(sameEtag(object.etag, etag) || object.bytes === bytes)) return unknown
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
 * An object with the right bytes may be from before: it is the copy if it has the attributes of the copy.
 *
 * @param {Pick<WrittenPlace, 'store' | 'key'>} place
 * @param {ObjectAttributes} attributes
 * @param {{ object: ObjectHead, before?: import('../../destination/conditions').Looked }} found object: as it is there; before: what
 *   was there beforehand, as far as somebody looked
 * @param {AbortSignal} [signal]
 * @returns {Promise<boolean>} whether it has these attributes and no others, as far as its store tells them. True of another one than
 *   before in a store that may not keep them
 */
async function hasAttributes(place, attributes, { object, before }, signal) {
  if (!place.store.can.keepsMetadata && !isUnchanged(before, object)) return true
  const { metadata, tags = [] } = attributes
  const { headers, user } = object.metadata
  const isMore = (/** @type {string} */ name) => !(name in metadata.headers) && !isUntyped(name, headers[name])
  if (Object.keys(headers).some(isMore) || Object.keys(user).some(name => !(name in metadata.user))) return false
  if ((object.tags ?? tags.length) !== tags.length) return false
  const about = { ...comparisonOf(place.store), metadata: true, text: '' }
  if (compareAttributes(attributes, object, about).notices.length > 0) return false
  return (await missingTags(place, tags, object, signal)).length === 0
}

/**
 * @param {Pick<WrittenPlace, 'store' | 'key'>} place
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
   * @param {WrittenPlace} place
   * @param {ObjectAttributes} attributes
   * @param {WrittenAs & { way: 'put' | 'upload' | 'copy' }} written
   * @param {AbortSignal} [signal]
   * @returns {Promise<void> | undefined} undefined: it was looked at others of its kinds
   */
  return (place, attributes, { way, ...written }, signal) => {
    const due = []
    for (const kind of kindsOf(attributes, place.store)) {
      if (!seen.has(`${way} ${kind}`)) due.push(`${way} ${kind}`)
    }
    return due.length === 0 ? undefined : lookAt(due, place, attributes, written, signal)
  }

  /**
   * @param {string[]} due
   * @param {WrittenPlace} place
   * @param {ObjectAttributes} attributes
   * @param {WrittenAs} written
   * @param {AbortSignal} [signal]
   */
  async function lookAt(due, place, attributes, written, signal) {
    for (const kind of due) seen.add(kind)
    const { notices, looked } = await checkAttributes(place, attributes, written, signal)
    if (!looked) for (const kind of due) seen.delete(kind)
    for (const one of notices) tell(one)
  }
}

/** The headers that stores report for objects that were written without any. */
const UNTYPED = new Set(['binary/octet-stream', 'application/octet-stream', ''])
/** Those whose values are the same in upper and lower case. */
const CASELESS = new Set(['content-type', 'content-encoding', 'content-language', 'cache-control'])

/**
 * @typedef {object} ComparedAbout
 * @property {boolean} metadata content headers and user metadata are not known to be kept, so they are compared
 * @property {boolean} [datesExpires] an `Expires` is kept only if it is a date
 * @property {string} [defaultClass] the store's name for its default storage class
 */

/** What to compare of the objects of a store. @param {import('../../types').Store} store @returns {ComparedAbout} */
function comparisonOf({ can, facts }) {
  const { keepsMetadata, datesExpires } = can
  return { metadata: !keepsMetadata, datesExpires, defaultClass: facts.terms?.storageClass }
}

/**
 * What of an object's attributes a store may drop without a word, each by a name of its own: whether one of a kind was kept
 * says something of the others of that kind.
 *
 * @param {ObjectAttributes} attributes
 * @param {WrittenPlace['store']} store
 * @returns {string[]}
 */
function kindsOf({ metadata: { headers, user }, tags = [], storageClass, encryption }, store) {
  const { can } = store
  const compares = !can.keepsMetadata
  const kinds = []
  for (const name of Object.keys(headers)) if (isDoubtful(name, headers[name], compares, can)) kinds.push(name)
  if (compares && Object.keys(user).length > 0) kinds.push('user metadata')
  if (tags.length > 0) kinds.push('tags')
  if (storageClass !== undefined && storageClass !== store.facts.terms?.storageClass)
    kinds.push(`class ${storageClass}`)
  if (encryption) kinds.push(`encryption ${encryption.kind}`)
  return kinds
}

/**
 * All but the tags.
 *
 * @param {ObjectAttributes} written
 * @param {ObjectDescription} found
 * @param {ComparedAbout & { text: string }} about text: the object, for people
 * @returns {{ kept: ObjectAttributes, notices: import('../../types').Notice[] }} kept: of what was written what is there, as it is
 *   there; with the tags that were written. notices: of what its store did not keep as it was sent
 */
function compareAttributes(written, found, about) {
  const { metadata: compares, defaultClass, text: location } = about
  const { metadata, storageClass, encryption, ...rest } = written
  const { headers, user } = metadata
  const there = found.metadata
  const lostHeaders = Object.keys(headers)
    .filter(name => isDoubtful(name, headers[name], compares, about))
    .filter(name => !sameHeader(name, headers, there.headers))
  const lostUser = compares ? Object.keys(user).filter(name => !sameUser(user[name], there.user[name])) : []
  /** @type {ObjectAttributes} */
  const kept = {
    ...rest,
    metadata: { headers: mended(headers, lostHeaders, there.headers), user: mended(user, lostUser, there.user) },
  }
  const without = lostHeaders.filter(name => there.headers[name] === undefined)
  /** @type {string[]} */
  const changed = []
  for (const name of lostUser) (there.user[name] === undefined ? without : changed).push(`user metadata ${name}`)
  /** @type {import('../../notices/table').NoticeFacts[]} */
  const losses = without.length > 0 ? [{ without }] : []
  for (const name of lostHeaders) {
    if (there.headers[name] !== undefined) losses.push({ name, found: there.headers[name], sent: headers[name] })
  }
  if (changed.length > 0) losses.push({ changed })
  // The Content-Encoding that is there, with the framing of the upload.
  const { framed } = found
  if (compares && framed !== undefined) {
    losses.push({ name: 'content-encoding', framed: true, found: framed, sent: headers['content-encoding'] ?? 'none' })
    kept.metadata.headers['content-encoding'] = framed
  }
  if (storageClass !== undefined) {
    const now = found.storageClass ?? defaultClass
    if (now !== storageClass) losses.push({ name: 'storage class', found: now ?? 'of its default', sent: storageClass })
    kept.storageClass = now === storageClass ? now : found.storageClass
  }
  if (encryption) {
    const { kind } = found.encryption ?? { kind: 'none' }
    if (kind !== encryption.kind) losses.push({ name: 'encryption', found: kind, sent: `--sse ${encryption.kind}` })
    kept.encryption = kind === encryption.kind ? encryption : found.encryption
  }
  return { kept, notices: losses.map(loss => notice('ATTRIBUTES_NOT_KEPT', { location, ...loss })) }
}

/** @param {string} name @param {Record<string, string>} written @param {Record<string, string>} found */
function sameHeader(name, written, found) {
  const [one, other] = [written[name], found[name]]
  if (isUntyped(name, one)) return other === undefined || isUntyped(name, other)
  if (other === undefined) return one === ''
  if (name === 'expires' && Date.parse(one) === Date.parse(other)) return true
  return plain(name, one) === plain(name, other)
}

/**
 * Whether a store may have lost a header.
 *
 * @param {string} name
 * @param {string} value
 * @param {boolean} compares content headers are not known to be kept
 * @param {Pick<ComparedAbout, 'datesExpires'>} how
 */
function isDoubtful(name, value, compares, { datesExpires }) {
  if (datesExpires && name === 'expires' && new Date(value).toUTCString() !== value) return true
  return compares && !isUntyped(name, value)
}

/** @param {string} name @param {string} value */
function isUntyped(name, value) {
  return name === 'content-type' && UNTYPED.has(value)
}

/** Without what stores are free to write otherwise. @param {string} name @param {string} value */
function plain(name, value) {
  const dense = value.replace(/\s+/g, '')
  return CASELESS.has(name) ? dense.toLowerCase() : dense
}

/** @param {string} one @param {string | undefined} other */
function sameUser(one, other) {
  return other !== undefined && decodeMail(one).trim() === decodeMail(other).trim()
}

/**
 * @param {Record<string, string>} written
 * @param {string[]} lost names
 * @param {Record<string, string>} found
 * @returns {Record<string, string>}
 */
function mended(written, lost, found) {
  const entries = Object.entries(written).map(([name, value]) => [name, lost.includes(name) ? found[name] : value])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

module.exports = { checkAttributes, compareAttributes, createFirstLooks, hasAttributes }
