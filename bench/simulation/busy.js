'use strict'

/** Stores that allow little for two minutes, and then everything: measures how much is refused, how much of the allowed rate is used, and how soon the full rate is used again. */

const { median } = require('../measure')
const { MODEL, PROFILES } = require('./model')
const { simulate } = require('./run')
const { header, line } = require('./table')

const UNTIL_MS = 120_000
const BYTES = 1e12

/** @type {Array<{ asked: number, bears: { atOnce?: number, perSecond?: number } }>} */
const STORES = [
  { asked: 64, bears: { atOnce: 4 } },
  { asked: 200, bears: { atOnce: 20 } },
  { asked: 200, bears: { atOnce: 50 } },
  { asked: 200, bears: { atOnce: 150 } },
  { asked: 1000, bears: { atOnce: 50 } },
  { asked: 200, bears: { perSecond: 3 } },
  { asked: 200, bears: { perSecond: 10 } },
  { asked: 1000, bears: { perSecond: 50 } },
]

const COLUMNS = [
  'borne',
  'asked',
  'refused at first',
  'of attempts after that',
  'used of what is borne',
  'half',
  '90 %',
]

/** No failures, except for requests that the store refuses. */
const CALM = { ...MODEL, failures: { exited: 0, hung: 0, lost: 0, storeError: 0, storeBusy: 0 } }

/** @param {number[]} seeds @returns {AsyncGenerator<string>} lines of a Markdown table */
async function* busyStores(seeds) {
  yield header(COLUMNS)
  for (const { asked, bears } of STORES) {
    /** @type {Array<Awaited<ReturnType<typeof simulate>>['store']>} */
    const runs = []
    for (const seed of seeds) {
      const copy = { bytes: BYTES, limits: PROFILES.unthrottled, hedge: true, seed, concurrency: asked, model: CALM }
      const { store, failure } = await simulate({ ...copy, bears: { ...bears, untilMs: UNTIL_MS } })
      if (failure) throw failure
      runs.push(store)
    }
    const of = (/** @type {(run: typeof runs[number]) => number} */ figure) => median(runs.map(figure))
    const back = (/** @type {number} */ share) =>
      `${(of(run => run.backMs.get(Math.round(asked * share)) ?? 0) / 1000).toFixed(0)} s`
    const { atOnce, perSecond = 0 } = bears
    const used = of(run =>
      atOnce === undefined ? run.takenNarrow / (UNTIL_MS / 1000) / perSecond : run.busyNarrow / atOnce,
    )
    yield line([
      atOnce === undefined ? `${perSecond} a second` : `${atOnce} at once`,
      String(asked),
      String(of(run => run.refused - run.refusedLater)),
      `${of(run => (100 * run.refusedLater) / (run.refusedLater + run.takenNarrow)).toFixed(1)} %`,
      `${(100 * used).toFixed(0)} %`,
      atOnce !== undefined && atOnce > asked / 2 ? '–' : back(0.5),
      back(0.9),
    ])
  }
}

module.exports = { busyStores }
