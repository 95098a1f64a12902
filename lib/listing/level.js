'use strict'

/** Lists what is at one level below a prefix, as a file system lists a folder; or all that is below it, in the store's order. */

const { setMaxListeners } = require('node:events')
const { usage } = require('../errors')
const { compareNames } = require('./names')
const { MOST_EMPTY, disordered } = require('./pages')

/** @typedef {import('../types').ListedObject} ListedObject */

/** key: of an object, or the beginning of keys, up to and including the delimiter. @typedef {{ key: string, object?: ListedObject }} LevelEntry */

/**
 * Holds one page, and the next one while the caller is busy. The order within a page is that of the keys' UTF-8 bytes; that of
 * pages is the store's. So it also lists a store that has another order, and notices one whose list never ends.
 *
 * @param {import('../types').ListedPlace} place key: the beginning of the keys
 * @param {object} [how]
 * @param {string} [how.delimiter] keys with it behind the prefix are listed by their beginning; absent: all keys are listed
 * @param {AbortSignal} [how.signal]
 * @returns {AsyncGenerator<LevelEntry[], void, undefined>} the pages; none is empty
 * @throws {import('../types').XferError} USAGE if the store lists nothing, LISTING_DISORDERED, what the store throws
 */
async function* listLevel({ store, key: prefix }, { delimiter, signal } = {}) {
  const { list, facts } = store
  if (!list) throw usage('This store does not list objects.', 'Look at one object with xfer head.')
  const stop = new AbortController()
  // Each request adds a listener.
  setMaxListeners(0, stop.signal)
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  /** @param {{ marker?: string, after?: string }} from @returns {ReturnType<import('../types').ListObjects>} */
  const ask = from => {
    const page = list({ prefix, delimiter, ...from }, { signal: ended })
    // Thrown where it is waited for.
    page.catch(() => {})
    return page
  }
  const checkNew = createRepetitionGuard(facts)
  let empty = 0
  /** The last one that was listed. */
  let last = ''
  /** @type {ReturnType<typeof ask> | undefined} */
  let asked = ask({})
  /** @type {string | undefined} */
  let marker
  /** Whether the page was asked for by the name that it is to begin behind. */
  let byName = false
  try {
    while (asked) {
      /** @type {Awaited<ReturnType<import('../types').ListObjects>>} */
      const page = await asked
      const { next, lacks } = page
      if (next !== undefined && next === marker)
        throw disordered(facts, 'what it names as the next page is the one before')
      marker = next
      asked = next === undefined ? undefined : ask({ marker: next })
      const entries = entriesOf(page, prefix, delimiter).filter(entry => {
        // A page may begin with the prefix that the page before ended with.
        const isNew = byName ? compareNames(entry.key, last) > 0 : entry.key !== last || entry.object !== undefined
        if (isNew) last = entry.key
        return isNew
      })
      // The list seems to end, and does not say so: what follows its last name is asked for.
      byName = next === undefined && lacks !== undefined && entries.length > 0
      if (byName) asked = ask({ after: last })
      empty = entries.length === 0 ? empty + 1 : 0
      if (empty > MOST_EMPTY) {
        throw disordered(facts, `${MOST_EMPTY} pages of it, one after the other, held nothing new`)
      }
      if (entries.length === 0) continue
      checkNew(entries[0].key)
      yield entries
    }
  } finally {
    stop.abort()
  }
}

/**
 * In order. Groups keys by itself where the store has not.
 *
 * @param {{ objects: ListedObject[], prefixes?: string[] }} page
 * @param {string} prefix
 * @param {string | undefined} delimiter
 * @returns {LevelEntry[]}
 */
function entriesOf({ objects, prefixes = [] }, prefix, delimiter) {
  for (const { cause } of objects) if (cause) throw cause
  if (delimiter === undefined) return objects.map(object => ({ key: object.key, object }))
  const folders = new Set(prefixes)
  /** @type {LevelEntry[]} */
  const entries = []
  for (const object of objects) {
    const at = object.key.indexOf(delimiter, prefix.length)
    if (at < 0) entries.push({ key: object.key, object })
    else folders.add(object.key.slice(0, at + delimiter.length))
  }
  for (const key of folders) entries.push({ key })
  return folders.size === 0 ? entries : entries.sort((a, b) => compareNames(a.key, b.key))
}

/** In any order of a store some pages go on behind the one before; a list that runs backwards need not come to an end. */
const MOST_BACKWARDS = 100

/**
 * Notices pages that come again, whatever their order is: it remembers the beginning of one page, and of ever later ones. And
 * pages each of which begins before the last one.
 * https://en.wikipedia.org/wiki/Cycle_detection#Brent's_algorithm
 *
 * @param {Record<string, any>} facts
 * @returns {(first: string) => void} throws LISTING_DISORDERED
 */
function createRepetitionGuard(facts) {
  /** @type {string | undefined} */
  let remembered
  let pages = 0
  let renewAt = 1
  let before = ''
  let backwards = 0
  return first => {
    backwards = compareNames(first, before) < 0 ? backwards + 1 : 0
    before = first
    if (backwards > MOST_BACKWARDS)
      throw disordered(facts, `${MOST_BACKWARDS} pages of it, one after the other, run backwards`)
    if (first === remembered) throw disordered(facts, `it lists ${JSON.stringify(first)} again and again`)
    if (++pages < renewAt) return
    remembered = first
    renewAt *= 2
  }
}

module.exports = { listLevel }
