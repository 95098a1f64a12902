'use strict'

/** Places of objects: parses, completes, prints and compares them, and opens their stores, with settings and identity. */

const { XferError, redact, usage } = require('../errors')
const { NO_PROXY, noteProxy, readCertificates, readProxy } = require('../http')
const { brief } = require('./common')
const { withDefaults } = require('./defaults')
const { ownFactsOf } = require('./own-rows')
const { STORES, dialects, examples, factoryOf } = require('./registry')

/** @typedef {import('./contract').Place} Place */
/** @typedef {import('./contract').Identity} Identity */
/** @typedef {import('./contract').StoreFactory<any>} StoreFactory */

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
 * @param {{ containerAlone?: boolean, accountAlone?: boolean, ofJournal?: boolean }} [options] containerAlone: a source may have no key
 *   either; accountAlone: and no container; ofJournal: the text is a journal's, whose key is no folder's, whatever is there by now
 * @returns {Place} key is '' if none was given
 * @throws {XferError} BAD_LOCATION
 */
function parsePlace(text, side, { containerAlone = false, accountAlone = false, ofJournal = false } = {}) {
  const factory = factoryOfText(text)
  if (!factory) {
    const reason = 'it has no scheme that xfer knows'
    throw new XferError('BAD_LOCATION', { side, location: redact(text), reason, forms: examples(side) })
  }
  /** @param {string} reason @param {string} [location] @param {object} [more] */
  const refuse = (reason, location = brief(text), more = {}) =>
    new XferError('BAD_LOCATION', { side, location, reason, forms: factory.forms, ...more })
  const { asFolder, keyFault, parse, parseAccount } = factory.place()
  const account = accountAlone ? parseAccount?.(text) : undefined
  if (account) return account
  const parsed = parse(text, { side, refuse })
  const place = (ofJournal ? undefined : asFolder?.(parsed)) ?? parsed
  if (side === 'destination' && factory.sourceOnly) {
    const reason = `${place.scheme}:// is for sources only, with a presigned URL too`
    throw refuse(reason, placeText(place), { forms: examples() })
  }
  const { key } = place
  // The query of an address may be a signature.
  const location = brief(factory.sourceOnly ? placeText(place) : text)
  if (side === 'source' && key === '' && !containerAlone)
    throw refuse('it names no key', location, factory.single ? {} : { lacks: 'key' })
  const fault = keyFault?.(key)
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
  const fault = factoryOf(destination.scheme)?.place().keyFault?.(key)
  if (fault !== undefined) {
    const reason = `with the name appended its key ${fault}`
    throw badLocation(destination, { side: 'destination', location: placeText(destination), reason })
  }
  return { ...destination, key }
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

/** What can be done with the place before its store is open. @param {Pick<Place, 'scheme'>} place @returns {StoreFactory} */
function factoryOfPlace({ scheme }) {
  return /** @type {StoreFactory} */ (factoryOf(scheme))
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
 * A text that is equal for two places of the same object. The journal keeps it. Only `readPlaceId` parses it.
 *
 * @param {Pick<Place, 'container' | 'key'>} place
 * @param {Pick<Identity, 'host'>} identity
 * @param {string} [versionId] if a version was chosen
 * @returns {string}
 */
function placeId({ container, key }, { host }, versionId) {
  return JSON.stringify([host, container, key, ...(versionId === undefined ? [] : [versionId])])
}

/** @param {string} id of a place, or of a prefix, which ends with a star */
function readPlaceId(id) {
  const [host, container, key] = /** @type {string[]} */ (JSON.parse(id.replace(/\*$/, '')))
  return { host, container, key }
}

/** @param {string} id of a prefix @param {string} name @returns {string} the id of the key with the name appended */
function idBelow(id, name) {
  const { host, container, key } = readPlaceId(id)
  return JSON.stringify([host, container, key + name])
}

/**
 * Reads the settings of one side's store from options, environment and files.
 *
 * @param {Place} place
 * @param {'source' | 'destination'} side
 * @param {import('../types').SideOptions} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./contract').StoreSettings>}
 * @throws {import('../types').XferError} of exit status 2 or 4
 */
async function resolveSettings(place, side, options, env) {
  const settings = /** @type {import('./contract').StoreSettings & { endpoint?: string }} */ (
    await factoryOfPlace(place).settings(place, side, options, env)
  )
  const proxy = readProxy(options.proxy, side, env)
  const own = readCertificates(options.ca, side)
  return {
    ...settings,
    ...ownFactsOf(env, settings.endpoint),
    ...(own !== undefined && { ca: `${settings.ca ?? ''}${own}` }),
    proxy,
    ...(options.proxy !== undefined && { ownProxy: true }),
  }
}

/**
 * Texts that tell whether two places are in the same store (`Identity` of the contract). `id` is equal for the same object.
 *
 * @param {Place} place
 * @param {import('./contract').StoreSettings} settings
 * @returns {import('./contract').Identity & { id: string }}
 */
function identify(place, settings) {
  const identity = factoryOfPlace(place).place().identify(place, settings)
  return { ...identity, id: placeId(place, identity, settings.versionId) }
}

/**
 * @param {Place} place of the destination
 * @param {import('./contract').StoreSettings} settings
 * @param {{ encryption?: { kind: string }, ttlMs?: number }} attributes set by options
 * @throws {import('../types').XferError} USAGE if the store or the settings do not fit them
 */
function checkAttributes(place, settings, attributes) {
  const { checkAttributes: check, encryptions = [], lapses, terms } = factoryOfPlace(place)
  const { kind } = attributes.encryption ?? {}
  if (attributes.ttlMs !== undefined && !lapses) {
    throw usage(`The destination is ${place.scheme}://, whose objects do not end by themselves.`, 'Leave --ttl out.')
  }
  if (kind !== undefined && !encryptions.includes(kind)) {
    const text = `The destination is ${place.scheme}://, which has no encryption "${kind}".`
    const { encryption } = terms?.('destination') ?? {}
    const advice = encryption === undefined ? '' : ` The options for its encryption: ${encryption}.`
    throw usage(text, `Leave the option out.${advice}`)
  }
  check?.(settings, attributes)
}

/**
 * Whether the objects of a store can have a header that describes their content.
 *
 * @param {Pick<import('./contract').Store, 'contentHeaders' | 'asciiHeaders'>} store
 * @param {string} name in lower case
 * @param {string} value
 */
function takesHeader({ contentHeaders, asciiHeaders }, name, value) {
  return !contentHeaders || (contentHeaders.includes(name) && !(asciiHeaders && /[^\x20-\x7e]/.test(value)))
}

/**
 * @param {import('./contract').Store} store of the destination
 * @param {import('./contract').ObjectMetadata} given set by options
 * @throws {XferError} USAGE if the store cannot have them
 */
function checkMetadata(store, { headers, user }) {
  const header = Object.keys(headers).find(name => !takesHeader(store, name, headers[name]))
  if (header !== undefined) {
    const beyond = store.contentHeaders?.includes(header) ? ' with characters outside ASCII' : ''
    const text = `The destination is ${store.facts.protocol}, whose objects have no header ${header}${beyond}.`
    throw usage(text, `Leave out --${header}.`)
  }
  for (const [name, value] of Object.entries(user)) {
    const fault = store.metadataFault?.(name, value)
    if (fault === undefined) continue
    const text = `--metadata-set ${name}: ${store.facts.protocol} cannot have it, because ${name} ${fault}.`
    throw usage(text, 'Give it another name.')
  }
}

/**
 * @param {Place} place
 * @param {import('./contract').StoreSettings} settings
 * @param {() => number} [now] this machine's clock, epoch milliseconds
 * @returns {import('./contract').Store} without retries: see withRetry
 */
function openStore(place, settings, now) {
  const own = factoryOfPlace(place).open(place, settings, { location: placeText(place), now, dialects })
  const store = withDefaults(own, settings)
  if (!settings.proxy) return store
  return settings.proxy === NO_PROXY ? { ...store, proxy: NO_PROXY } : throughProxy(store, settings.proxy)
}

/**
 * A store whose data requests go through the proxy of its settings, as far as this machine sends them.
 *
 * @param {import('./contract').Store} store
 * @param {import('../http/agents').FindProxy} proxy
 * @returns {import('./contract').Store}
 */
function throughProxy(store, proxy) {
  /** @template A @param {(what: A) => Promise<import('./contract').Transfer>} make */
  const noted = make => async (/** @type {A} */ what) => {
    const transfer = await make(what)
    noteProxy(transfer.request, proxy)
    return transfer
  }
  return {
    ...store,
    proxy,
    read: noted(store.read),
    put: noted(store.put),
    upload: { ...store.upload, part: noted(store.upload.part) },
  }
}

/**
 * A key is any text: `./`, `../`, `//` and `\\` have no special meaning. But there are servers that write another object than the one
 * named, without an error: of those that are known to, the store refuses such keys before anything is written.
 *
 * @param {Pick<import('../job/contract').Side, 'store' | 'key'>} destination whose server has told its name
 * @throws {XferError} KEY_INVALID
 */
function checkKey({ store, key }) {
  const reason = store.keyFault?.(key)
  if (reason !== undefined) throw new XferError('KEY_INVALID', { ...store.facts, key, reason })
}

module.exports = {
  asPrefix,
  completeDestination,
  factoryOfPlace,
  factoryOfText,
  idBelow,
  parsePlace,
  placeText,
  readPlaceId,
  textToOpen,
  checkAttributes,
  checkKey,
  checkMetadata,
  identify,
  openStore,
  resolveSettings,
  takesHeader,
}
