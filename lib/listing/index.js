'use strict'

/**
 * The objects below one prefix, or below two of them side by side, in pairs by name, without ever holding more than a
 * few pages. Work is by ranges of names, many at once: it begins with one, and what is left of the longest is cut in two
 * as long as somebody waits and there are fewer than there may be. docs/design/listing.md tells more.
 */

const { setMaxListeners } = require('node:events')
const { compareNames } = require('./order')
const { abortReason } = require('../errors')
const { disordered } = require('./page')
const { createRange } = require('./range')

const LISTS = 16
/** Of keys that a store cannot write: one that has more is no store to compare anything by. */
const MOST_ODD = 10_000
/** Guesses that found nothing may be so many, and a part of all requests more. */
const MISSES = { first: 8, part: 1 / 4 }

/** @typedef {import('../types').WalkStep} Step */
/** @typedef {import('../types').Pair} Pair */
/** @typedef {import('../types').WalkOptions} WalkOptions */
/** @typedef {import('./range').Range} Range */

/**
 * Steps are made as they are asked for: who does not ask makes the listing wait. Of each range the pairs come in order.
 *
 * @param {WalkOptions} options
 * @returns {AsyncGenerator<Step, void, undefined>}
 * @throws {import('../types').XferError} LISTING_DISORDERED, what the stores throw, the signal's reason
 */
async function* walk(options) {
  const walker = createWalker(options)
  try {
    for (let step = await walker.next(); step !== undefined; step = await walker.next()) yield step
  } finally {
    await walker.close()
  }
}

/** @param {WalkOptions} options */
function createWalker({ source, destination, within = '', lists = LISTS, ranges = [{}], signal }) {
  const stop = new AbortController()
  // One listens for each request.
  setMaxListeners(0, stop.signal)
  /** Made, and waiting to be asked for. @type {Array<{ step: Step, taken: () => void }>} */
  const ready = []
  /** @type {Set<Range>} */
  const live = new Set()
  /** @type {Set<Promise<void>>} */
  const running = new Set()
  /** @type {Set<Promise<unknown>>} */
  const asked = new Set()
  let lastId = Math.max(0, ...ranges.map(({ id = 0 }) => id))
  const newId = () => ++lastId
  const waiting = ranges.map(({ id = newId(), after, until }) => ({ id, after, until }))
  /** @type {unknown} */
  let failure
  /** Ranges that are cut list some names twice. */
  const odd = { source: new Set(), destination: new Set() }
  let wake = () => {}
  let hungry = false
  let splits = lists > 1
  let probes = 0
  let requests = 0
  let misses = 0

  /** @type {import('./range').Walk} */
  const shared = {
    places: destination ? { source, destination } : { source },
    within,
    async list({ store, prefix }, page) {
      requests++
      const after = page.after === undefined ? undefined : prefix + page.after
      const list = { prefix: prefix + page.within, after, marker: page.marker }
      const answer = store.list(list, { signal: stop.signal })
      asked.add(answer)
      return await answer.finally(() => asked.delete(answer))
    },
    onPage({ early }) {
      // The store begins at the beginning wherever it is asked to: two ranges would list it twice.
      if (early) splits = false
      split()
    },
    onOdd(page, side) {
      for (const object of page.odd) tellOdd(object, side)
    },
    newId,
    onSplit(range, rest) {
      const into = rest.bounds()
      give({ type: 'split', range, until: /** @type {string} */ (into.after), into })
      begin(rest)
    },
  }

  /** @param {import('../types').ListedObject} object @param {'source' | 'destination'} side */
  function tellOdd(object, side) {
    if (odd[side].has(object.key)) return
    const place = /** @type {import('../types').ListedPlace} */ (shared.places[side])
    if (odd[side].size === MOST_ODD)
      throw disordered(place.store.facts, 'it lists thousands of keys that it cannot write')
    odd[side].add(object.key)
    give({ type: 'odd', side, name: object.key.slice(place.prefix.length), object })
  }

  /** @param {Promise<void>} work */
  function track(work) {
    const tracked = work.catch(fail).finally(() => running.delete(tracked))
    running.add(tracked)
  }

  /** @param {unknown} error */
  function fail(error) {
    failure ??= error
    stop.abort(error)
    for (const { taken } of ready.splice(0)) taken()
    wake()
  }

  const onAbort = () => fail(abortReason(/** @type {AbortSignal} */ (signal)))

  /** Resolves when somebody has asked for the step. @param {Step} step @returns {Promise<void>} */
  function give(step) {
    return new Promise(taken => {
      ready.push({ step, taken })
      wake()
    })
  }

  /** @param {Range} range */
  function begin(range) {
    live.add(range)
    track(run(range))
  }

  /** @param {Range} range */
  async function run(range) {
    while (!stop.signal.aborted) {
      const step = await range.next()
      if (stop.signal.aborted) return
      if (step.type === 'pairs') await give(step)
      else {
        live.delete(range)
        give(step)
        fillUp()
        return split()
      }
    }
  }

  /** Ranges that were given, as many as may be listed at once. */
  function fillUp() {
    while (waiting.length > 0 && live.size + probes < lists) {
      begin(createRange(shared, /** @type {import('../types').NameRange} */ (waiting.shift())))
    }
  }

  /** As long as somebody waits: otherwise what is listed comes fast enough. */
  function split() {
    while (hungry && splits && live.size + probes + waiting.length < lists) {
      if (misses > MISSES.first + requests * MISSES.part) return
      const [range, keys] = longestOf(live)
      if (range === undefined || keys === 0) return
      probes++
      track(splitOne(range))
    }
  }

  /** @param {Range} range */
  async function splitOne(range) {
    const what = await range.split().catch(error => {
      // Whatever it is: if it matters, those who list the range will meet it. Disorder does.
      if (stop.signal.aborted || error.code === 'LISTING_DISORDERED') throw error
      return 'ignored'
    })
    probes--
    if (what === 'ignored') splits = false
    if (what === 'nothing') misses++
    fillUp()
    split()
  }

  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  else fillUp()

  return {
    /** @returns {Promise<Step | undefined>} undefined: that was all */
    async next() {
      for (;;) {
        if (failure !== undefined) throw failure
        const first = ready.shift()
        if (first) {
          first.taken()
          return first.step
        }
        if (live.size === 0 && waiting.length === 0) return undefined
        const woken = new Promise(resolve => {
          wake = () => resolve(undefined)
        })
        hungry = true
        split()
        await woken
        hungry = false
      }
    },
    /** Nothing is left running. */
    async close() {
      signal?.removeEventListener('abort', onAbort)
      stop.abort()
      for (const { taken } of ready.splice(0)) taken()
      await Promise.allSettled([...running, ...asked])
    },
  }
}

/** @param {Iterable<Range>} ranges @returns {[range: Range | undefined, keys: number]} the one with most to come */
function longestOf(ranges) {
  /** @type {[Range | undefined, number]} */
  let longest = [undefined, 0]
  for (const range of ranges) {
    const keys = range.toCome()
    if (keys > longest[1]) longest = [range, keys]
  }
  return longest
}

module.exports = { compareNames, walk }
