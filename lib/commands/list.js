'use strict'

/** `xfer ls`: what is at one level below a location, or everything that is below it. */

const { guardHandler } = require('../async')
const { usage } = require('../errors')
const { openAsked } = require('../job')
const { listLevel } = require('../listing')
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
    throw usage(text, `Name a ${container}, or leave out -r.`)
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

module.exports = { list }
