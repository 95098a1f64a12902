'use strict'

/** What is asked of the factory of a place: settings, identity, the store itself. */

const { XferError, usage } = require('../errors')
const { NO_PROXY, noteProxy, readCertificates, readProxy } = require('../http')
const { ownFactsOf } = require('./own-rows')
const { placeId, placeText } = require('./places')
const { dialects, factoryOf } = require('./registry')

/** @typedef {import('./contract').Place} Place */
/** @typedef {import('./contract').StoreFactory<any>} StoreFactory */

/** @param {Place} place @returns {StoreFactory} */
function factoryOfPlace({ scheme }) {
  return /** @type {StoreFactory} */ (factoryOf(scheme))
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
    ...(settings.endpoint && { own: ownFactsOf(env, settings.endpoint) }),
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
 * @param {import('./contract').Store} store of the destination
 * @param {import('./contract').ObjectMetadata} given set by options
 * @throws {XferError} USAGE if the store cannot have them
 */
function checkMetadata(store, { headers, user }) {
  const header = Object.keys(headers).find(name => store.contentHeaders && !store.contentHeaders.includes(name))
  if (header !== undefined) {
    const text = `The destination is ${store.facts.protocol}, whose objects have no header ${header}.`
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
  const store = factoryOfPlace(place).open(place, settings, { location: placeText(place), now, dialects })
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

/**
 * The store's words for facts of an error that is found before the store is open.
 *
 * @param {Place} place
 * @param {'source' | 'destination'} side
 */
function termsOf(place, side) {
  return factoryOfPlace(place).terms?.(side)
}

module.exports = { checkAttributes, checkKey, checkMetadata, identify, openStore, resolveSettings, termsOf }
