'use strict'

/** Simulated stores that bear little for a while; sandbox-store.test.js has a real one. */

const { MODEL, PROFILES } = require('../../../bench/simulation/model')
const { simulate } = require('../../../bench/simulation/run')

/** Nothing else fails. */
const CALM = { ...MODEL, failures: { exited: 0, hung: 0, lost: 0, storeError: 0, storeBusy: 0 } }

describe.each([
  ['50 of 200 at once', { asked: 200, bears: { atOnce: 50 }, busy: 0.8 * 50 }],
  ['150 of 200 at once', { asked: 200, bears: { atOnce: 150 }, busy: 0.8 * 150 }],
  ['10 a second, of 200 at once', { asked: 200, bears: { perSecond: 10 }, begun: 0.7 * 10 }],
])('a store that bears %s for two minutes, and then all', (_name, { asked, bears, busy = 0, begun = 0 }) => {
  let run
  beforeAll(async () => {
    const copy = { bytes: 7e11, limits: PROFILES.unthrottled, hedge: true, seed: 1, concurrency: asked, model: CALM }
    run = await simulate({ ...copy, bears: { ...bears, untilMs: 120_000 } })
  }, 120_000)

  test('refuses few of what is asked, once the first crowd was refused', () => {
    expect(run.failure).toBeUndefined()
    const { refused, refusedLater, takenNarrow } = run.store
    expect(refusedLater / (refusedLater + takenNarrow)).toBeLessThan(0.06)
    // The first crowd has two lanes in each invocation.
    expect(refused).toBeLessThan(2 * asked + 0.06 * takenNarrow)
  })

  test('has nearly as much to do as it bears', () => {
    expect(run.store.busyNarrow).toBeGreaterThan(busy)
    expect(run.store.takenNarrow / 120).toBeGreaterThan(begun)
  })

  test('is asked for all again within twenty seconds', () => {
    expect(run.store.backMs.get(0.9 * asked)).toBeLessThan(20_000)
  })
})
