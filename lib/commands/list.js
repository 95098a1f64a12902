'use strict'

/** `xfer ls`: what is at one level below a location, or everything that is below it; and `xfer du`, which adds it up. */

const { guardHandler, askHandler } = require('../async')
const { XferError } = require('../errors')
const { openAsked, ask } = require('../job')
const { listLevel, objectsOf, walk } = require('../listing')
const { placeText } = require('../stores')

/** @typedef {import('../types').ListEntry} ListEntry */

/** What separates the levels of keys. */
const DELIMITER = '/'

/**
 * Lists objects whose keys begin with that of the location, and the prefixes at the same level; or the containers, if the location
 * names none.
 *
 * @param {string} location `s3://bucket/prefix`; the key is the beginning of keys, and may be empty; `s3://`, `az://account`
 * @param {import('../types').ListOptions} [options]
 * @returns {AsyncGenerator<ListEntry, void, undefined>} in the order of the store; nothing if there is nothing
 * @throws {import('../types').XferError}
 */
async function* list(location, options = {}) {
  const { options: given, finish } = guardHandler('onEvent', options)
  const one = await openAsked({ name: 'list', text: location, side: 'source', as: 'account' }, given)
  try {
    if (one.place.container === '' && one.end.store.containers) yield* containersOf(one, given.recursive ?? false)
    else yield* entriesOf(one, given.recursive ?? false)
  } finally {
    await one.close()
  }
  await finish()
}

/**
 * @param {import('../job/open-one').One} one
 * @param {boolean} recursive
 * @returns {AsyncGenerator<ListEntry, void, undefined>}
 */
async function* entriesOf({ place, end, run }, recursive) {
  const level = end.key.lastIndexOf(DELIMITER) + 1
  const named = (/** @type {string} */ key) => ({
    location: placeText({ ...place, key }),
    key,
    name: key.slice(level),
  })
  const how = { delimiter: recursive ? undefined : DELIMITER, signal: run.cancel }
  for await (const page of listLevel(end, how)) {
    for (const { key, object } of page) {
      if (object) yield { type: 'object', ...named(key), ...detailsOf(object) }
      else yield { type: 'prefix', ...named(key) }
    }
  }
}

/**
 * @param {import('../job/open-one').One} one whose place names no container
 * @param {boolean} recursive
 * @returns {AsyncGenerator<ListEntry, void, undefined>}
 */
async function* containersOf({ place, end: { store }, run }, recursive) {
  if (recursive) {
    const { container = 'container' } = store.facts.terms ?? {}
    const text = `What is below all ${container}s is not listed at once.`
    throw new XferError('USAGE', { text, advice: `Name a ${container}, or leave out -r.` })
  }
  const { containers = async () => ({ containers: [] }) } = store
  /** @type {string | undefined} */
  let marker
  do {
    /** @type {Awaited<ReturnType<NonNullable<import('../types').Store['containers']>>>} */
    const page = await containers({ marker }, { signal: run.cancel })
    for (const { name, createdMs } of page.containers) {
      const typed = place.typed && place.typed + name
      const location = placeText({ ...place, container: name, typed }).replace(/\/$/, '')
      yield { type: 'container', location, name, ...(createdMs !== undefined && { createdMs }) }
    }
    marker = page.next
  } while (marker !== undefined)
}

/** @param {import('../types').ListedObject} object */
function detailsOf({ bytes, etag, lastModifiedMs, storageClass }) {
  return {
    bytes,
    etag,
    ...(lastModifiedMs !== undefined && { lastModifiedMs }),
    ...(storageClass !== undefined && { storageClass }),
  }
}

/** `xfer du`: how many bytes and objects are below a location, in all and by prefix of one level. */

/** @typedef {import('../types').Usage} Usage */
/** @typedef {import('../types').PrefixUsage} PrefixUsage */

/**
 * Adds up the objects whose keys begin with that of the location. If the prefixes are told, the list is read in its order, so
 * that each is told once, when it is complete; else many ranges of it are read at once.
 *
 * @param {string} location `s3://bucket/prefix`; the key is the beginning of keys, and may be empty
 * @param {import('../types').UsageOptions} [options]
 * @returns {Promise<Usage>}
 * @throws {import('../types').XferError}
 */
async function usage(location, options = {}) {
  const asked = /** @type {const} */ ({ name: 'usage', text: location, side: 'source', as: 'beginning' })
  return await ask(asked, options, async ({ place, end, run }) => {
    const total = { bytes: 0, objects: 0 }
    const { onPrefix } = options
    const groups = onPrefix && createGroups(end.key, key => ({ location: placeText({ ...place, key }), key }))
    const lists = groups ? 1 : undefined
    for await (const step of walk({ source: end, lists, signal: run.cancel })) {
      for (const { key, bytes } of objectsOf(step)) {
        total.bytes += bytes
        total.objects++
        const complete = groups?.add(key, bytes)
        // It is waited for, so that a slow reader slows the count.
        if (onPrefix && complete) await askHandler('onPrefix', onPrefix, complete)
      }
    }
    const last = groups?.last()
    if (onPrefix && last) await askHandler('onPrefix', onPrefix, last)
    return { location: end.text, ...total }
  })
}

/**
 * Adds up the prefixes of one level, one at a time: keys come in order.
 *
 * @param {string} prefix the beginning of the keys
 * @param {(key: string) => { location: string, key: string }} placed
 */
function createGroups(prefix, placed) {
  const level = prefix.lastIndexOf(DELIMITER) + 1
  /** @type {PrefixUsage | undefined} */
  let open
  return {
    /** @param {string} key @param {number} bytes @returns {PrefixUsage | undefined} the prefix before, which is complete now */
    add(key, bytes) {
      const at = key.indexOf(DELIMITER, prefix.length)
      const below = at < 0 ? undefined : key.slice(0, at + 1)
      if (open && below === open.key) {
        open.bytes += bytes
        open.objects++
        return undefined
      }
      const complete = open
      open = below === undefined ? undefined : { ...placed(below), name: below.slice(level), bytes, objects: 1 }
      return complete
    },
    last: () => open,
  }
}

module.exports = { list, usage }
