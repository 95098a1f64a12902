'use strict'

/** One side of a range, page by page: requests the next page while the current one is compared. */

const { XferError } = require('../errors')
const { compareNames } = require('./names')

/** How many pages in a row that bring nothing are accepted: a store may skip many deleted objects, but not for ever. */
const MOST_EMPTY = 500

/** @typedef {import('../types').ListedPlace} ListedPlace */

/**
 * @typedef {object} Begun a first page that was fetched before
 * @property {Page} page
 * @property {string} [next] the marker of the following page
 * @property {string[]} [lacks] what the answer left out, see the store's `list`
 */

/** @typedef {ReturnType<typeof createPages>} Pages */

/**
 * @param {object} how
 * @param {ListedPlace} how.place
 * @param {string} [how.after] start of the range, exclusive
 * @param {string} [how.until] end of the range, inclusive
 * @param {string} [how.end] no name of this side is greater than this
 * @param {Begun} [how.begun]
 * @param {import('./range').Walk['list']} how.list
 * @param {(page: Page) => void} how.onPage called for each page
 */
function createPages({ place, after, until, end, begun, list, onPage }) {
  const { store, key: prefix } = place
  const { facts } = store
  /** The page that is being compared. @type {Page | undefined} */
  let present
  /** The page after it. @type {Page | undefined} */
  let arrived
  /** @type {Promise<void> | undefined} */
  let coming
  /** @type {string | undefined} */
  let marker
  /** @type {string | undefined} */
  let last
  let finished = false
  /** What the last page leaves out, until another request proves that it is the last. @type {string[] | undefined} */
  let unsure
  /** Set when no request could prove it. @type {string[] | undefined} */
  let unproved
  let empty = 0
  /** The names of the last page that had any: guesses about the rest start from them. @type {readonly string[]} */
  let newest = []

  /** @param {Begun} answer */
  function arrive({ page, next, lacks }) {
    arrived = page
    last = page.last
    marker = next
    unsure = next === undefined && !page.beyond ? lacks : undefined
    finished = (next === undefined && unsure === undefined) || page.beyond
    if (page.names.length > 0) newest = page.names
  }

  /**
   * If the list seems to have ended but does not say so correctly, it is asked for the names after its last one: an empty
   * answer is the end, otherwise the list continues.
   */
  async function ask() {
    const lacks = unsure
    const asked = lacks ? undefined : marker
    const past = lacks && last !== undefined && (after === undefined || compareNames(last, after) > 0)
    const from = past ? last : after
    const answer = await list(place, asked === undefined ? { after: from } : { marker: asked }).catch(error => {
      if (!lacks || error.code !== 'STORE_REFUSED') throw error
    })
    // The range may have been shortened meanwhile; then this page no longer matters.
    if (finished) return
    if (!answer) {
      finished = true
      unproved = lacks
      return
    }
    const { objects, next } = answer
    const page = readPage(objects, { prefix, after: from, until, last: lacks ? undefined : last, facts })
    if (next !== undefined && next === asked)
      throw disordered(facts, 'what it names as the next page is the one before')
    empty = objects.length === 0 ? empty + 1 : 0
    if ((next !== undefined || answer.lacks !== undefined) && empty > MOST_EMPTY) {
      throw disordered(facts, `${MOST_EMPTY} pages of it, one after the other, held nothing`)
    }
    if (!lacks || page.names.length > 0 || (next !== undefined && !page.early)) arrive({ page, ...answer })
    else {
      finished = true
      // The answer began somewhere else, so it proves nothing.
      if (page.early && !page.beyond) unproved = lacks
    }
    onPage(page)
  }

  function askAhead() {
    if (finished || arrived || coming) return
    coming = ask().then(() => {
      coming = undefined
    })
    // The error is thrown when the page is needed.
    coming.catch(() => {})
  }

  if (begun) arrive(begun)

  const pages = {
    /** The names of the page that is being compared. @type {readonly string[]} */
    names: [],
    /** Their objects. @type {readonly ListedObject[]} */
    objects: [],
    /** How many of them were taken. */
    at: 0,

    /** Waits until a name is available or the side has ended. @throws {XferError} of the store, or LISTING_DISORDERED */
    async fill() {
      while (pages.at >= pages.names.length) {
        if (arrived) {
          present = arrived
          arrived = undefined
          pages.names = present.names
          pages.objects = present.objects
          pages.at = 0
          askAhead()
        } else if (finished) return
        else {
          askAhead()
          await coming
        }
      }
    },
    /** Whether the loaded pages are all of this side. */
    ended: () => finished && arrived === undefined,
    /** When the side ended without proof: what its last answer left out. */
    unproved: () => unproved,
    /** Whether more pages may follow. */
    more: () => !finished && unsure === undefined && newest.length > 0,
    newest: () => newest,
    /** The greatest name of this side that is known. */
    high: () => lower(end, until),
    /** Sets the end of this side. @param {string} name no name of this side is greater */
    learnEnd(name) {
      end = lower(end, name)
    },
    /** Shortens the range. @param {string} name */
    limit(name) {
      until = name
      if (last !== undefined && compareNames(last, name) >= 0) finished = true
      if (present) cutPage(present, name)
      if (arrived) cutPage(arrived, name)
    },
  }
  return pages
}

/** @param {string | undefined} a @param {string | undefined} b undefined for no bound */
function lower(a, b) {
  if (a === undefined || b === undefined) return a ?? b
  return compareNames(a, b) <= 0 ? a : b
}

/** Checks one page of a list before it is used: an object in the wrong place would seem to be missing. */

/** @typedef {import('../types').ListedObject} ListedObject */

/**
 * @typedef {object} Page
 * @property {string[]} names in order, only those of the range
 * @property {ListedObject[]} objects the objects of these names
 * @property {string | undefined} last the last name on the page, even if it is outside the range
 * @property {boolean} beyond whether the page has names above the range, so that the range has ended
 * @property {ListedObject[]} odd objects whose keys cannot be read, so that their order is unknown
 * @property {boolean} early whether the page has names below the range: the store ignored `after`
 */

/**
 * @param {readonly ListedObject[]} objects as the store listed them
 * @param {object} bounds
 * @param {string} bounds.prefix the part of the keys before the names
 * @param {string} [bounds.after] start of the range, exclusive
 * @param {string} [bounds.until] end of the range, inclusive
 * @param {string} [bounds.last] the last name of the page before
 * @param {Record<string, any>} bounds.facts the store's facts for errors
 * @returns {Page}
 * @throws {XferError} LISTING_DISORDERED
 */
function readPage(objects, { prefix, after, until, last, facts }) {
  /** @type {Page} */
  const page = { names: [], objects: [], odd: [], last, beyond: false, early: false }
  for (const object of objects) {
    const { key } = object
    if (!key.startsWith(prefix)) throw disordered(facts, `it lists ${shown(key)} below ${shown(prefix)}`)
    if (object.doubtful) {
      page.odd.push(object)
      continue
    }
    const name = key.slice(prefix.length)
    if (page.last !== undefined && compareNames(page.last, name) >= 0) {
      throw disordered(facts, `it lists ${shown(key)} behind ${shown(prefix + page.last)}`)
    }
    page.last = name
    if (after !== undefined && page.names.length === 0) {
      const order = compareNames(name, after)
      if (order < 0) page.early = true
      if (order <= 0) continue
    }
    if (until !== undefined && compareNames(name, until) > 0) {
      page.beyond = true
      break
    }
    page.names.push(name)
    page.objects.push(object)
  }
  return page
}

/**
 * Cuts a page when its range has been shortened.
 *
 * @param {Page} page
 * @param {string} until
 */
function cutPage(page, until) {
  const { names, objects, last } = page
  page.beyond ||= last !== undefined && compareNames(last, until) > 0
  const end = names.findIndex(name => compareNames(name, until) > 0)
  if (end < 0) return
  names.length = end
  objects.length = end
}

/** @param {string} key */
function shown(key) {
  return JSON.stringify(key.length > 200 ? `${key.slice(0, 200)}…` : key)
}

/** @param {Record<string, any>} facts @param {string} reason */
function disordered(facts, reason) {
  return new XferError('LISTING_DISORDERED', { ...facts, reason })
}

module.exports = { MOST_EMPTY, createPages, disordered, readPage }
