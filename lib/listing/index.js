'use strict'

/**
 * Lists the objects of one prefix, or of two prefixes side by side in pairs by name, holding only a few pages at a time.
 * It lists many ranges of names at once: it starts with one range and splits the longest one while the caller waits and
 * more lists are allowed. See docs/design/listing.md.
 */

const { setMaxListeners } = require('node:events')
const { compareNames } = require('./names')
const { abortReason, throwIfAborted, usage } = require('../errors')
const { lazily } = require('../lazily')
const { disordered } = require('./pages')
const { createRange } = require('./range')

const LISTS = 16
/** Most keys with unreadable characters: the list of a store with more of them cannot be compared. */
const MOST_ODD = 10_000
/** How many guesses may find nothing: a first few, and a part of all requests. */
const MISSES = { first: 8, part: 1 / 4 }

/** @typedef {import('../types').WalkStep} Step */
/** @typedef {import('../types').Pair} Pair */
/** @typedef {import('../types').WalkOptions} WalkOptions */
/** @typedef {import('./range').WalkedRange} WalkedRange */

/**
 * Steps are made on demand: the listing waits while the caller does not ask. The pairs of each range come in order.
 *
 * @param {WalkOptions} options
 * @returns {AsyncGenerator<Step, void, undefined>}
 * @throws {import('../types').XferError} LISTING_DISORDERED, what the stores throw, the signal's reason
 */
async function* walk({ source, destination, lists: most = LISTS, skips, ranges = [{}], signal }) {
  // A list that begins in the middle of a folder reads all of its names.
  const lists = [source, destination].some(place => place?.store.can?.listsAlone) ? 1 : most
  const stop = new AbortController()
  // Each request adds a listener.
  setMaxListeners(0, stop.signal)
  /** Steps that the caller has not taken yet. @type {Array<{ step: Step, taken: () => void }>} */
  const ready = []
  /** @type {Set<WalkedRange>} */
  const live = new Set()
  /** @type {Set<Promise<unknown>>} */
  const asked = new Set()
  let lastId = Math.max(0, ...ranges.map(({ id = 0 }) => id))
  const newId = () => ++lastId
  const waiting = ranges.map(({ id = newId(), after, until }) => ({ id, after, until }))
  /** @type {unknown} */
  let failure
  /** Odd keys already reported: ranges that were split list some of them twice. */
  const told = { source: new Set(), destination: new Set() }
  let wake = () => {}
  let hungry = false
  let splits = lists > 1
  let probes = 0
  let requests = 0
  let misses = 0

  /** @type {import('./range').Walk} */
  const shared = {
    places: destination ? { source, destination } : { source },
    async list({ store, key: prefix }, page) {
      throwIfAborted(stop.signal)
      if (!store.list) {
        const text = `The ${store.facts.side} is a store that does not list objects.`
        throw usage(text, 'Copy single objects, or name them with --files-from.')
      }
      requests++
      const after = page.after === undefined ? undefined : prefix + page.after
      /** @type {Parameters<import('../types').ListObjects>[0]} */
      const list = { prefix, after, marker: page.marker }
      if (skips) list.skips = key => skips(key.slice(prefix.length))
      const answer = store.list(list, { signal: stop.signal })
      asked.add(answer)
      return await answer.finally(() => asked.delete(answer))
    },
    onPage({ early, odd }, side) {
      const place = /** @type {import('../types').ListedPlace} */ (shared.places[side])
      for (const object of odd) {
        if (told[side].has(object.key)) continue
        if (told[side].size === MOST_ODD) {
          throw disordered(place.store.facts, 'it lists thousands of keys that it cannot write')
        }
        told[side].add(object.key)
        give({ type: 'odd', side, name: object.key.slice(place.key.length), object })
      }
      // The store ignores the start of the range: two ranges would list everything twice.
      if (early) splits = false
      split()
    },
    newId,
    onSplit(range, rest, into) {
      give({ type: 'split', range, until: into.after, into })
      begin(rest)
    },
  }

  /** Ends everything that still runs. @param {unknown} error undefined: nobody asks for more */
  function end(error) {
    failure ??= error
    stop.abort(error)
    for (const { taken } of ready.splice(0)) taken()
    wake()
  }

  const onAbort = () => end(abortReason(/** @type {AbortSignal} */ (signal)))

  /** Resolves when the caller has taken the step. @param {Step} step @returns {Promise<void>} */
  function give(step) {
    return new Promise(taken => {
      ready.push({ step, taken })
      wake()
    })
  }

  /** @param {WalkedRange} range */
  function begin(range) {
    live.add(range)
    run(range).catch(end)
  }

  /** @param {WalkedRange} range */
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

  /** Starts waiting ranges, as many as may be listed at once. */
  function fillUp() {
    while (waiting.length > 0 && live.size + probes < lists) {
      begin(createRange(shared, /** @type {import('../types').NameRange} */ (waiting.shift())))
    }
  }

  /** Splits ranges while the caller waits. Otherwise the listing is fast enough. */
  function split() {
    while (hungry && splits && live.size + probes + waiting.length < lists) {
      if (misses > MISSES.first + requests * MISSES.part) return
      const [longest] = [...live].map(range => ({ range, keys: range.toCome() })).sort((a, b) => b.keys - a.keys)
      if (!longest?.keys) return
      probes++
      splitOne(longest.range).catch(end)
    }
  }

  /** @param {WalkedRange} range */
  async function splitOne(range) {
    const what = await range.split().catch(error => {
      // If the error matters, listing the range meets it too. Disorder always matters.
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

  try {
    for (;;) {
      if (failure !== undefined) throw failure
      const first = ready.shift()
      if (first) {
        first.taken()
        yield first.step
        continue
      }
      if (live.size === 0 && waiting.length === 0) return
      const woken = new Promise(resolve => {
        wake = () => resolve(undefined)
      })
      hungry = true
      split()
      await woken
      hungry = false
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    end(undefined)
    await Promise.allSettled(asked)
  }
}

/** @param {Step} step of a walk of the source alone @returns {import('../types').ListedObject[]} @throws {import('../types').XferError} of what cannot be listed */
function objectsOf(step) {
  if (step.type === 'odd') {
    if (step.object.cause) throw step.object.cause
    return [step.object]
  }
  return step.type === 'pairs' ? step.pairs.flatMap(({ source }) => source ?? []) : []
}

const own = { compareNames, objectsOf, walk }

// Copies do not need the levels.
module.exports = /** @type {typeof own & typeof import('./level')} */ (
  lazily(own, [[() => require('./level'), ['listLevel']]])
)
