'use strict'

/** Places of objects: parses, completes, prints and compares them. */

const { XferError, redact, usage } = require('../errors')
const { brief } = require('./common')
const { STORES, examples, factoryOf } = require('./registry')

/** @typedef {import('./contract').Place} Place */
/** @typedef {import('./contract').Identity} Identity */

/** No paths: nothing, standard input and output, what has a colon behind its first word (as of another tool), a secret. */
const NO_PATH = /^(?:-?|[A-Za-z][\w.+-]*:.*|\\\\.*|.*(?:^|;) *AccountKey=.*)$/is

/**
 * The kind of store that a text names, as an address or as a path.
 *
 * @param {string} text
 * @returns {import('./contract').StoreFactory<any> | undefined}
 */
function factoryOfText(text) {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1].toLowerCase()
  if (scheme !== undefined) return factoryOf(scheme)
  return NO_PATH.test(text) ? undefined : STORES.find(({ paths }) => paths)
}

/**
 * @param {string} text such as `s3://bucket/key` or a path; a destination may have no key
 * @param {'source' | 'destination'} side
 * @param {{ containerAlone?: boolean, accountAlone?: boolean }} [options] containerAlone: a source may have no key either;
 *   accountAlone: and no container
 * @returns {Place} key is '' if none was given
 * @throws {XferError} BAD_LOCATION
 */
function parsePlace(text, side, { containerAlone = false, accountAlone = false } = {}) {
  const factory = factoryOfText(text)
  if (!factory) {
    const reason = 'it has no scheme that xfer knows'
    throw new XferError('BAD_LOCATION', { side, location: redact(text), reason, forms: examples(side) })
  }
  /** @param {string} reason @param {string} [location] @param {object} [more] */
  const refuse = (reason, location = brief(text), more = {}) =>
    new XferError('BAD_LOCATION', { side, location, reason, forms: factory.forms, ...more })
  const { keyFault, parse, parseAccount } = factory.place()
  const account = accountAlone ? parseAccount?.(text) : undefined
  if (account) return account
  const place = parse(text, { side, refuse })
  if (side === 'destination' && factory.sourceOnly) {
    const reason = `${place.scheme}:// is for sources only, with a presigned URL too`
    throw refuse(reason, placeText(place), { forms: examples() })
  }
  const { key } = place
  // The query of an address may be a signature.
  const location = brief(factory.sourceOnly ? placeText(place) : text)
  if (side === 'source' && key === '' && !containerAlone)
    throw refuse('it names no key', location, factory.single ? {} : { lacks: 'key' })
  const fault = keyFault(key)
  if (fault !== undefined) throw refuse(`the key ${fault}`, location)
  return place
}

/** @param {Place} place @param {{ side: string, location: string, reason: string, lacks?: 'key' | 'name' }} facts lacks: what a prefix does not need */
function badLocation({ scheme }, facts) {
  return new XferError('BAD_LOCATION', { ...facts, forms: factoryOf(scheme)?.forms })
}

/**
 * Completes a destination's key. If it is empty or ends in a slash, the last segment of the source's key is appended.
 *
 * @param {Place} destination
 * @param {Place} source
 * @returns {Place}
 * @throws {XferError} BAD_LOCATION if the result is not a valid key
 */
function completeDestination(destination, source) {
  if (destination.key !== '' && !destination.key.endsWith('/')) return destination
  const segment = source.name ?? source.key.slice(source.key.lastIndexOf('/') + 1)
  if (segment === '') {
    const reason = 'it ends in a slash, so there is no name to append to the destination'
    throw badLocation(source, { side: 'source', location: placeText(source), reason, lacks: 'name' })
  }
  const key = destination.key + segment
  const fault = keyFaultOf(destination.scheme, key)
  if (fault !== undefined) {
    const reason = `with the name appended its key ${fault}`
    throw badLocation(destination, { side: 'destination', location: placeText(destination), reason })
  }
  return { ...destination, key }
}

/** @param {string} scheme of a store @param {string} key @returns {string | undefined} why no object there can have it, to follow "the key" */
function keyFaultOf(scheme, key) {
  return factoryOf(scheme)?.place().keyFault(key)
}

/** The place with a slash at its end where the file system has a folder of that name. @param {Place} place @returns {Place} */
function asFolder(place) {
  return factoryOf(place.scheme)?.place().asFolder?.(place) ?? place
}

/**
 * The checks of `xfer doctor` that only the kind of store of this place has, instead of the usual ones; undefined: it has none.
 *
 * @param {Place} place
 * @param {Parameters<NonNullable<import('./contract').StoreFactory['checks']>>[1]} how
 */
function ownChecks(place, how) {
  return factoryOf(place.scheme)?.checks?.(place, how)
}

/**
 * The place as a prefix: a slash is appended to its key unless it ends in one.
 *
 * @param {Place} place
 * @returns {Place} key is '' for a whole container
 * @throws {XferError} USAGE if there is nothing below the places of its store
 */
function asPrefix(place) {
  const { key, scheme } = place
  if (factoryOf(scheme)?.single) {
    const text = `A place of ${scheme}:// is one object, and everything below a prefix is asked for.`
    throw usage(text, 'Copy each object by itself, without -r.')
  }
  return key === '' || key.endsWith('/') ? place : { ...place, key: `${key}/` }
}

/** Whether it is in a container, which has a name and a life of its own. @param {Place} place */
function hasContainers({ scheme }) {
  return factoryOf(scheme)?.place().parseAccount !== undefined
}

/** @param {Pick<Place, 'scheme' | 'account' | 'container' | 'key' | 'typed'>} place @returns {string} for messages, as the user typed it */
function placeText({ scheme, account, container, key, typed }) {
  const text = factoryOf(scheme)?.place().text?.({ key })
  if (text !== undefined) return text
  return `${scheme}://${typed ?? (account === undefined ? container : `${account}/${container}`)}/${key}`
}

/**
 * The text of a journal's location, to open it again: as the user typed it, unless other options now override what was typed.
 *
 * @param {{ text: string, typed?: string }} end
 * @param {'source' | 'destination'} side
 * @param {object} [options] of that side
 * @returns {string}
 * @throws {XferError} BAD_LOCATION
 */
function textToOpen({ text, typed }, side, options = {}) {
  if (typed === undefined) return text
  const inPlace = Object.entries(parsePlace(typed, side, { containerAlone: true }).options ?? {})
  return inPlace.every(([name, value]) => /** @type {any} */ (options)[name] === value) ? typed : text
}

/**
 * A text that is equal for two places of the same object. The journal keeps it. Only `idBelow` parses it.
 *
 * @param {Pick<Place, 'container' | 'key'>} place
 * @param {Pick<Identity, 'host'>} identity
 * @param {string} [versionId] if a version was chosen
 * @returns {string}
 */
function placeId({ container, key }, { host }, versionId) {
  return JSON.stringify([host, container, key, ...(versionId === undefined ? [] : [versionId])])
}

/** @param {string} id of a place @param {string} name @returns {string} the id of the key with the name appended */
function idBelow(id, name) {
  const [host, container, key] = JSON.parse(id)
  return JSON.stringify([host, container, key + name])
}

module.exports = {
  asFolder,
  asPrefix,
  completeDestination,
  factoryOfText,
  hasContainers,
  idBelow,
  keyFaultOf,
  ownChecks,
  parsePlace,
  placeId,
  placeText,
  textToOpen,
}
