'use strict'

/** One side of a range, page by page: the next one is asked for while the present one is compared. */

const { compareNames } = require('./order')
const { cutPage, disordered, readPage } = require('./page')

/** A store may have nothing to show for a while, for much was deleted there; but not for ever. */
const MOST_EMPTY = 500

/** @typedef {import('./page').Page} Page */
/** @typedef {import('../types').ListedPlace} ListedPlace */

/**
 * @typedef {object} Begun a first page that is there already
 * @property {Page} page
 * @property {string} [next] the marker of the following one
 * @property {string[]} [lacks] what it leaves out, as of the store's `list`
 */

/** @typedef {ReturnType<typeof createPages>} Pages */

/**
 * @param {object} how
 * @param {ListedPlace} how.place
 * @param {string} how.within what all names begin with
 * @param {string} [how.after] names are above it
 * @param {string} [how.until] and not above this
 * @param {string} [how.end] it is known that this side has none above this
 * @param {Begun} [how.begun]
 * @param {import('./range').Walk['list']} how.list
 * @param {(page: Page) => void} how.onPage told of each that came
 * @param {(page: Page) => void} how.onOdd told of each, before
 */
function createPages({ place, within, after, until, end, begun, list, onPage, onOdd }) {
  const { store, prefix } = place
  const { facts } = store
  /** The one that is being compared. @type {Page | undefined} */
  let present
  /** How much of it was taken. */
  let at = 0
  /** The one behind it. @type {Page | undefined} */
  let arrived
  /** @type {Promise<void> | undefined} */
  let coming
  /** @type {string | undefined} */
  let marker
  /** @type {string | undefined} */
  let last
  let finished = false
  /** What the last page of all leaves out, until another request has shown that it is the last. @type {string[] | undefined} */
  let unsure
  /** No request could show it. @type {string[] | undefined} */
  let unproved
  let empty = 0
  /** What came last, and had anything: what there may be behind it is guessed from that. @type {readonly string[]} */
  let newest = []

  /** @param {Page} page @param {string | undefined} next @param {string[] | undefined} lacks */
  function arrive(page, next, lacks) {
    arrived = page
    last = page.last
    marker = next
    unsure = next === undefined && !page.beyond ? lacks : undefined
    finished = (next === undefined && unsure === undefined) || page.beyond
    if (page.names.length > 0) newest = page.names
  }

  /** What is below all that are wanted need not be said. @param {string | undefined} name */
  const bound = name => (name?.startsWith(within) ? name : undefined)

  /**
   * The list seems to have ended, and does not say so as it should: it is asked for what is behind its last name. Nothing there
   * is an end; otherwise it goes on.
   *
   * @param {string[]} lacks
   */
  async function askForMore(lacks) {
    const from = higher(last, after)
    const answer = await list(place, { within, after: bound(from) }).catch(error => {
      if (error.code !== 'STORE_REFUSED') throw error
    })
    if (finished) return
    if (answer === undefined) {
      finished = true
      unproved = lacks
      return
    }
    const { objects, next, lacks: more } = answer
    const page = readPage(objects, { prefix, within, after: from, until, facts })
    onOdd(page)
    if (page.names.length > 0 || (next !== undefined && !page.early)) {
      arrive(page, next, more)
      return onPage(page)
    }
    finished = true
    // It began somewhere else, so that it says nothing of what is behind.
    if (page.early && !page.beyond) unproved = lacks
  }

  async function ask() {
    if (unsure) return await askForMore(unsure)
    const from = bound(after)
    const asked = marker
    const { objects, next, lacks } = await list(
      place,
      asked === undefined ? { within, after: from } : { within, marker: asked },
    )
    // It may have been cut short meanwhile, and then this is of no interest any more.
    if (finished) return
    const page = readPage(objects, { prefix, within, after, until, last, facts })
    if (next !== undefined && next === asked)
      throw disordered(facts, 'what it names as the next page is the one before')
    empty = objects.length === 0 ? empty + 1 : 0
    if (next !== undefined && empty > MOST_EMPTY) {
      throw disordered(facts, `${MOST_EMPTY} pages of it, one after the other, held nothing`)
    }
    onOdd(page)
    arrive(page, next, lacks)
    onPage(page)
  }

  function askAhead() {
    if (finished || arrived || coming) return
    coming = ask().then(() => {
      coming = undefined
    })
    // Kept for whoever wants the page, which may be later.
    coming.catch(() => {})
  }

  if (begun) arrive(begun.page, begun.next, begun.lacks)

  return {
    /** So that there is a name to take, or none will come any more. @throws {XferError} of the store, or LISTING_DISORDERED */
    async fill() {
      while (present === undefined || at >= present.names.length) {
        if (arrived) {
          present = arrived
          arrived = undefined
          at = 0
          askAhead()
        } else if (finished) return
        else {
          askAhead()
          await coming
        }
      }
    },
    /** @returns {string | undefined} the next one, of those that are here */
    peek: () => present?.names[at],
    /** The object whose name was looked at. */
    take() {
      return /** @type {Page} */ (present).objects[at++]
    },
    /** Whether what is here is all. */
    ended: () => finished && arrived === undefined,
    /** Of a side that has ended without showing it: what its last answer left out. */
    unproved: () => unproved,
    /** Whether there may be more than is here. */
    more: () => !finished && unsure === undefined && newest.length > 0,
    newest: () => newest,
    /** Nothing of this side is known above it. */
    high: () => lower(end, until),
    /** @param {string} name nothing of this side is above it */
    learnEnd(name) {
      end = lower(end, name)
    },
    /** The range ends there. @param {string} name */
    limit(name) {
      until = name
      if (last !== undefined && compareNames(last, name) >= 0) finished = true
      if (present) cutPage(present, name)
      if (arrived) cutPage(arrived, name)
    },
  }
}

/** @param {string | undefined} a @param {string | undefined} b undefined: no bound */
function lower(a, b) {
  if (a === undefined || b === undefined) return a ?? b
  return compareNames(a, b) <= 0 ? a : b
}

/** @param {string | undefined} a @param {string | undefined} b */
function higher(a, b) {
  if (a === undefined || b === undefined) return a ?? b
  return compareNames(a, b) >= 0 ? a : b
}

module.exports = { createPages }
