'use strict'

/**
 * What a copy has beside its bytes: from what the source is described by and what was asked for to what is written; read
 * before the first byte is moved. kept.js says what of it the destination kept. docs/design/attributes.md
 */

const { XferError, asXferError } = require('../../errors')
const { headerTexts } = require('../../http')
const { notice } = require('../../notices')
const { takesHeader } = require('../../stores')
const { secondsOf, MTIME_IN_SECONDS } = require('../../stores').mtime

/** @typedef {import('../../types').AttributeWish} AttributeWish */
/** @typedef {import('../../types').ObjectAttributes} ObjectAttributes */
/** @typedef {import('../../types').ObjectDescription} ObjectDescription */
/** @typedef {Pick<import('../../job/open').Side, 'store' | 'key' | 'text' | 'versionId'>} AttributesEnd */

/**
 * @param {Pick<ObjectDescription, 'metadata' | 'storageClass' | 'encryption' | 'redirect' | 'unkept' | 'tags'> & { lastModifiedMs?: number }} object
 *   the source
 * @param {AttributeWish} wish
 * @param {{ tags?: ObjectAttributes['tags'], text: string, stores: Stores }} facts tags: of the source, in its
 *   order; text: the source, for people
 * @returns {{ attributes: ObjectAttributes, notices: import('../../types').Notice[] }}
 */
function attributesFor(object, wish, { tags = [], text, stores }) {
  const { headers, user } = wish.metadata === 'copy' ? object.metadata : { headers: {}, user: {} }
  const { given, encryption, ttlMs } = wish
  const { destination } = stores
  const left = destination.contentHeaders
    ? Object.keys(headers).filter(name => !takesHeader(destination, name, headers[name]))
    : []
  const content = left.length > 0 ? without(headers, left) : headers
  const keepsTime = wish.mtime || destination.can.keepsTimes
  const seconds = keepsTime ? mtimeOf(object, stores.source) : undefined
  const { mtime: convention = MTIME_IN_SECONDS } = destination
  const mtime = seconds === undefined ? undefined : convention.write(seconds)
  const fitted = fitUser(user, mtime, stores, text)
  const storageClass = 'name' in wish.storageClass ? wish.storageClass.name : object.storageClass
  const { classes } = stores.source.can
  const knowsClass = classes !== undefined && classes === destination.can.classes
  const isCarried = 'name' in wish.storageClass || knowsClass
  /** @type {ObjectAttributes} */
  const attributes = {
    metadata: { headers: { ...content, ...given.headers }, user: { ...fitted.user, ...given.user } },
  }
  if (wish.tags === 'copy' && tags.length > 0 && destination.tags) attributes.tags = tags
  if (storageClass !== undefined && isCarried) attributes.storageClass = storageClass
  if (encryption) attributes.encryption = encryption
  if (ttlMs !== undefined) attributes.ttlMs = ttlMs
  const notices = noticesOf(object, wish, { text, destination, left }).concat(fitted.notices)
  if (storageClass !== undefined && !isCarried) {
    const [from, to] = [stores.source.facts.protocol, destination.facts.protocol]
    notices.push(notice('STORAGE_CLASS_NOT_CARRIED', { location: text, storageClass, from, to }))
  }
  return { attributes, notices }
}

/**
 * @param {Pick<ObjectDescription, 'encryption' | 'redirect' | 'unkept' | 'tags'>} object
 * @param {AttributeWish} wish
 * @param {{ text: string, destination: AttributesStore, left: string[] }} facts left: names of headers that the copy is without
 */
function noticesOf({ encryption, redirect, unkept = [], tags = 0 }, wish, { text, destination, left }) {
  /** @type {Notice[]} */
  const notices = []
  if (encryption?.ownKey !== undefined && !wish.encryption) {
    const { ownKey, keyId } = encryption
    notices.push(notice('ENCRYPTION_KEY_NOT_COPIED', { location: text, ownKey, keyId, terms: destination.facts.terms }))
  }
  // Nobody expects tags of a file.
  const tagless = tags > 0 && wish.tags === 'copy' && !destination.tags && !destination.can.keepsTimes
  const names = [
    ...(redirect === undefined ? [] : ['its website redirect location']),
    ...(tagless ? ['its tags'] : []),
    ...unkept,
    ...left.map(name => `its header ${name}`),
  ]
  if (names.length > 0) notices.push(notice('ATTRIBUTES_NOT_COPIED', { location: text, names }))
  return notices
}

/**
 * When the file was last modified that the source was made of, or else the source itself.
 *
 * @param {Pick<ObjectDescription, 'metadata'> & { lastModifiedMs?: number }} object
 * @param {AttributesStore} store of the object
 * @returns {string | undefined} seconds since the epoch
 */
function mtimeOf({ metadata: { user }, lastModifiedMs }, { mtime = MTIME_IN_SECONDS }) {
  return mtime.read(user) ?? (lastModifiedMs === undefined ? undefined : secondsOf(lastModifiedMs))
}

/**
 * @param {ObjectAttributes} attributes
 * @param {Pick<AttributeWish, 'mtime'>} wish
 * @param {{ source?: { store: AttributesStore }, destination: { store: AttributesStore } }} ends
 * @returns {import('../../types').AttributeSummary} without the time that every copy of a file has
 */
function tellAttributes({ metadata, tags = [], storageClass, encryption }, { mtime }, { source, destination }) {
  const { store } = destination
  // Of a file that is its time, and each file has one.
  if (store.can?.keepsTimes) return { headers: {}, user: 0, tags: 0 }
  const { headers, user } = metadata
  const [name] = (store.mtime ?? MTIME_IN_SECONDS).names
  return {
    headers: headerTexts(headers),
    user: Object.keys(user).filter(each => mtime || each !== name || !source?.store.can?.keepsTimes).length,
    tags: tags.length,
    ...(storageClass !== undefined && { storageClass }),
    ...(encryption && { encryption: encryption.kind }),
    ...(mtime && user[name] !== undefined && { mtime: user[name] }),
  }
}

/**
 * The refusal of a write with tags says that it had some: they may need a permission of their own, or a store that has tags.
 *
 * @param {ObjectAttributes} attributes
 * @param {import('../../types').XferError} error
 * @returns {import('../../types').XferError}
 */
function refusedWith({ tags = [] }, error) {
  const { code, facts, cause } = error
  if (tags.length === 0 || (code !== 'ACCESS_DENIED' && code !== 'STORE_REFUSED')) return error
  return new XferError(code, { ...facts, tagged: true }, { cause })
}

/** Answers of stores that have no tags: not allowed, not implemented, or something else than tags. */
const NO_TAGS = new Set(['STORE_REFUSED', 'NOT_A_STORE'])

/**
 * @param {{ source: AttributesEnd, destination: Pick<AttributesEnd, 'store'> }} ends
 * @param {ObjectDescription & { lastModifiedMs?: number }} object as its head, or the answer to a read, tells it
 * @param {AttributeWish} wish
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ attributes: ObjectAttributes, notices: import('../../types').Notice[] }>}
 * @throws {import('../../types').XferError} where the tags cannot be asked for, and that is for no missing permission
 */
async function readSourceAttributes({ source, destination }, object, wish, signal) {
  const stores = { source: source.store, destination: destination.store }
  // Who is not told how many there are may be one who may not read them.
  const asks = wish.tags === 'copy' && object.tags !== 0 && destination.store.tags
  const asked = asks ? await askTags(source, signal) : { tags: [], notices: [] }
  const { attributes, notices } = attributesFor(object, wish, { tags: asked.tags, text: source.text, stores })
  return { attributes, notices: [...notices, ...asked.notices] }
}

/**
 * The source's tags, or a notice that says why they are not known.
 *
 * @param {AttributesEnd} source
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
    const reason = denied
      ? `${permission} is missing (${said})`
      : `its store knows no ${permission ?? 'tags'} (${said})`
    return { tags: [], notices: [notice('TAGS_NOT_COPIED', { location: text, reason })] }
  }
}

/** @typedef {import('../../types').Notice} Notice */
/** @typedef {import('../../types').ObjectMetadata} ObjectMetadata */
/** @typedef {Pick<import('../../types').Store, 'mtime' | 'contentHeaders' | 'asciiHeaders' | 'metadataFault' | 'can' | 'facts' | 'tags'>} AttributesStore */
/** @typedef {{ source: AttributesStore, destination: AttributesStore }} Stores */

/** @param {Record<string, string>} all @param {readonly string[]} names */
function without(all, names) {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))
}

/**
 * The source's user metadata, as programs of the destination expect it. Not all stores note the modification time in the same way.
 *
 * @param {Record<string, string>} given
 * @param {Record<string, string> | undefined} mtime the modification time as the destination notes it, where it is to be written
 * @param {Stores} stores
 * @param {string} text the source, for people
 * @returns {{ user: Record<string, string>, notices: Notice[] }} without what the destination cannot have
 */
function fitUser(given, mtime, { source, destination }, text) {
  const { mtime: from = MTIME_IN_SECONDS } = source
  const { mtime: to = MTIME_IN_SECONDS } = destination
  const seconds = from === to ? undefined : from.read(given)
  const translated = seconds === undefined ? given : { ...without(given, from.names), ...to.write(seconds) }
  const user = { ...translated, ...mtime }
  const faults = []
  for (const name of Object.keys(user)) {
    const fault = destination.metadataFault?.(name, user[name])
    if (fault !== undefined) faults.push({ name, fault })
  }
  if (faults.length === 0) return { user, notices: [] }
  const names = faults.map(({ name }) => name)
  const { protocol } = destination.facts
  return {
    user: without(user, names),
    notices: [notice('METADATA_NOT_FITTING', { location: text, names, first: faults[0], protocol })],
  }
}

module.exports = { attributesFor, mtimeOf, refusedWith, tellAttributes, readSourceAttributes, ...require('./kept') }
