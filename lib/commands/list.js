'use strict'

/** `xfer ls`: what is at one level below a location, or everything that is below it. */

const { guardHandler } = require('../async')
const { openAsked } = require('../job')
const { listLevel } = require('../listing')
const { inCallersWords } = require('../options')
const { placeText } = require('../stores')

/** @typedef {import('../types').ListEntry} ListEntry */

/** What separates the levels of keys. */
const DELIMITER = '/'

/**
 * Lists objects whose keys begin with that of the location, and the prefixes at the same level.
 *
 * @param {string} location `s3://bucket/prefix`; the key is the beginning of keys, and may be empty
 * @param {import('../types').ListOptions} [options]
 * @returns {AsyncGenerator<ListEntry, void, undefined>} in the order of the store; nothing if there is nothing
 * @throws {import('../types').XferError}
 */
async function* list(location, options = {}) {
  const { options: given, finish } = guardHandler('onEvent', options)
  try {
    const asked = /** @type {const} */ ({ name: 'list', text: location, side: 'source', as: 'beginning' })
    const one = await openAsked(asked, given)
    try {
      yield* entriesOf(one, given.recursive ?? false)
    } finally {
      await one.close()
    }
    await finish()
  } catch (error) {
    throw inCallersWords(given, error, { what: 'listing' })
  }
}

/**
 * @param {import('../job/open-one').One} one
 * @param {boolean} recursive
 * @returns {AsyncGenerator<ListEntry, void, undefined>}
 */
async function* entriesOf({ place, end: { store, key: prefix }, run }, recursive) {
  const level = prefix.slice(0, prefix.lastIndexOf(DELIMITER) + 1).length
  const named = (/** @type {string} */ key) => ({
    location: placeText({ ...place, key }),
    key,
    name: key.slice(level),
  })
  const how = { delimiter: recursive ? undefined : DELIMITER, signal: run.cancel }
  for await (const page of listLevel({ store, prefix }, how)) {
    for (const { prefix: below, object } of page) {
      if (below !== undefined) yield { type: 'prefix', ...named(below) }
      else yield { type: 'object', ...named(object.key), ...detailsOf(object) }
    }
  }
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
