'use strict'

/** One range of names: lists both sides page by page, merges them in order, and splits the range when it is long. */

const { guessCut, guessRest, compareNames } = require('./names')
const { createPages, readPage } = require('./pages')

/** How many guesses one page allows. */
const MOST_GUESSES = 6
/** A shorter rest is listed sooner than split. */
const LEAST_PAGES = 2

/** @typedef {import('./pages').Pages} Pages */
/** @typedef {import('../types').Pair} Pair */
/** @typedef {import('../types').NameRange} NameRange */
/** @typedef {import('../types').ListedPlace} ListedPlace */
/** @typedef {import('../types').SideName} SideName */
/** @typedef {{ side: SideName, place: ListedPlace, pages: Pages }} ListedEnd */

/**
 * @typedef {object} WalkedRange
 * @property {number} id
 * @property {() => Promise<import('../types').PairsStep | import('../types').EndStep>} next an end step ends the range
 * @property {() => number} toCome guesses how many keys another range could list; 0: not worth a request, or not now
 * @property {() => Promise<'split' | 'ignored' | 'late' | 'nothing'>} split cuts off the end of the range if
 *   there are keys at the guessed cut; the page that shows them is the first page of the new range. ignored: the store
 *   ignores where a list should start; late: the range went past the cut meanwhile
 */

/**
 * Shared by all ranges of a walk.
 *
 * @typedef {object} Walk
 * @property {{ source: ListedPlace, destination?: ListedPlace }} places
 * @property {(place: ListedPlace, page: { after?: string, marker?: string }) => ReturnType<import('../types').ListObjects>} list
 *   after: a name
 * @property {(page: import('./pages').Page, side: SideName) => void} onPage called for each page
 * @property {() => number} newId
 * @property {(range: number, rest: WalkedRange, bounds: NameRange & { after: string }) => void} onSplit called at once, before either range gives another step
 */

/**
 * @param {Walk} walk
 * @param {NameRange} bounds
 * @param {Partial<Record<SideName, { end?: string, begun?: import('./pages').Begun }>>} [known] what is known of each side
 * @returns {WalkedRange}
 */
function createRange(walk, { id, after, until }, known = {}) {
  const { places } = walk
  const entries = /** @type {Array<[SideName, ListedPlace]>} */ (Object.entries(places))
  /** @type {ListedEnd[]} */
  const ends = entries.map(([side, place]) => {
    const onPage = (/** @type {import('./pages').Page} */ page) => walk.onPage(page, side)
    return { side, place, pages: createPages({ list: walk.list, onPage, place, after, until, ...known[side] }) }
  })
  /** The last name of a returned pair. @type {string | undefined} */
  let through
  let ended = false
  let asking = false
  /** Guesses in a row that found nothing. */
  let failures = 0
  /** Guesses already made from this page. @type {{ names: readonly string[], count: number }} */
  let guesses = { names: [], count: 0 }

  /** All pairs that the loaded pages decide. @returns {Pair[]} */
  function merge() {
    const [source, destination] = /** @type {[Pages, Pages?]} */ (ends.map(({ pages }) => pages))
    /** @type {Pair[]} */
    const pairs = []
    for (;;) {
      /** The next name of each side; undefined: none is loaded. @type {string | undefined} */
      const ours = source.names[source.at]
      const theirs = destination?.names[destination.at]
      // The next page of the other side may have a smaller name.
      if (ours === undefined && !source.ended()) break
      if (theirs === undefined && destination && !destination.ended()) break
      if (ours === undefined && theirs === undefined) break
      const order = ours === undefined ? 1 : theirs === undefined ? -1 : compareNames(ours, theirs)
      pairs.push({
        name: /** @type {string} */ (order <= 0 ? ours : theirs),
        source: order <= 0 ? source.objects[source.at++] : undefined,
        destination: order >= 0 ? destination?.objects[destination.at++] : undefined,
      })
    }
    return pairs
  }

  /** @returns {Pick<import('../types').EndStep, 'unproved'>} */
  function unproved() {
    const found = ends.map(({ side, pages }) => [side, pages.unproved()]).filter(([, lacks]) => lacks)
    return found.length > 0 ? { unproved: Object.fromEntries(found) } : {}
  }

  /** @param {Pages} pages @returns {number} keys to come on this side; 0 when they are not worth another request */
  function restOf({ newest, more, high }) {
    if (!more()) return 0
    const rest = guessRest({ names: newest(), high: high() })
    return rest < LEAST_PAGES * newest().length ? 0 : rest
  }

  /** The side with more keys to come, and their number. */
  function longest() {
    return ends.map(end => ({ end, keys: restOf(end.pages) })).reduce((a, b) => (b.keys > a.keys ? b : a))
  }

  /**
   * @param {ListedEnd} end
   * @param {string} cut
   * @returns {ReturnType<WalkedRange['split']>}
   */
  async function cutAt({ side, place, pages }, cut) {
    const { objects, next, lacks } = await walk.list(place, { after: cut })
    const { key: prefix, store } = place
    const page = readPage(objects, { prefix, after: cut, until, facts: store.facts })
    walk.onPage(page, side)
    if (page.early) return 'ignored'
    if (page.names.length === 0) {
      failures++
      // An empty page that is not the last one proves nothing.
      if (page.beyond || next === undefined) pages.learnEnd(cut)
      return 'nothing'
    }
    if (ended || (through !== undefined && compareNames(through, cut) > 0)) return 'late'
    const highs = Object.fromEntries(ends.map(one => [one.side, { end: one.pages.high() }]))
    const bounds = { id: walk.newId(), after: cut, until }
    const rest = createRange(walk, bounds, { ...highs, [side]: { ...highs[side], begun: { page, next, lacks } } })
    until = cut
    for (const one of ends) one.pages.limit(cut)
    failures = 0
    walk.onSplit(id, rest, bounds)
    return 'split'
  }

  return {
    id,

    async next() {
      for (;;) {
        await Promise.all(ends.map(({ pages }) => pages.fill()))
        const pairs = merge()
        if (pairs.length > 0) {
          through = pairs[pairs.length - 1].name
          return { type: 'pairs', range: id, pairs, through }
        }
        ended = ends.every(({ pages }) => pages.at >= pages.names.length && pages.ended())
        if (ended) return { type: 'end', range: id, ...unproved() }
      }
    },

    toCome() {
      if (asking || ended) return 0
      const { end, keys } = longest()
      return guesses.count >= MOST_GUESSES && guesses.names === end.pages.newest() ? 0 : keys
    },

    async split() {
      const { end } = longest()
      const names = end.pages.newest()
      const cut = guessCut({ names, high: end.pages.high() }, failures)
      const count = guesses.names === names ? guesses.count + 1 : 1
      guesses = { names, count: cut === undefined ? MOST_GUESSES : count }
      if (cut === undefined) return 'late'
      asking = true
      try {
        return await cutAt(end, cut)
      } finally {
        asking = false
      }
    },
  }
}

module.exports = { createRange }
