'use strict'

/** The real scheduler against the model of a platform: bench/simulation.js in small. */

const { MODEL, PROFILES } = require('../../../bench/simulation/model')
const { simulate } = require('../../../bench/simulation/run')

const GB = 1e9
const SEEDS = [1, 2, 3]
/** Every fiftieth container and connection crawls. */
const CRAWLING = { ...MODEL, slow: { containers: 0.02, connections: 0.02, least: 5, most: 20 } }

const sum = numbers => numbers.reduce((total, number) => total + number, 0)

/** One copy a seed. */
async function runs(copy) {
  const results = []
  for (const seed of SEEDS) results.push(await simulate({ bytes: 20 * GB, hedge: true, ...copy, seed }))
  return results
}

const profiles = Object.entries(PROFILES)

describe.each(profiles)('on the platform %s', (name, limits) => {
  test('every part is copied once, within the quotas', async () => {
    for (const { parts, outcomes, failure, minutes, calls, refused } of await runs({ limits })) {
      expect(failure).toBeUndefined()
      expect(outcomes.map(({ partNumber, bytes }) => ({ partNumber, bytes }))).toEqual(
        parts.map(({ partNumber, bytes }) => ({ partNumber, bytes })),
      )
      for (const minute of minutes) expect(minute.refused.rate).toBeLessThanOrEqual(3)
      expect(refused).toBeLessThanOrEqual(3 + 0.05 * calls)
    }
  })

  test('little is copied twice, though many are late', async () => {
    for (const { parts, hedgedBytes, events } of await runs({ limits, model: CRAWLING })) {
      expect(events.part).toBe(parts.length)
      expect(hedgedBytes).toBeLessThanOrEqual(0.1 * 20 * GB)
    }
  })

  test('second starts cost nothing where nothing crawls, and save time where something does', async () => {
    const timeOf = async copy => sum((await runs({ limits, ...copy })).map(({ timeMs }) => timeMs))
    expect(await timeOf({ hedge: true })).toBeLessThanOrEqual(1.05 * (await timeOf({ hedge: false })))
    const crawling = { model: CRAWLING }
    // Where invocations carry many parts and few may start, a second start comes late.
    const share = name === 'upstream' ? 0.9 : 0.5
    expect(await timeOf({ ...crawling, hedge: true })).toBeLessThan(
      share * (await timeOf({ ...crawling, hedge: false })),
    )
  })
})

test('activations that exit, hang or are lost, and stores that fail, cost time and no part', async () => {
  const failures = { exited: 0.03, hung: 0.01, lost: 0.03, storeError: 0.02, storeBusy: 0.01 }
  for (const limits of Object.values(PROFILES)) {
    for (const { parts, outcomes } of await runs({ limits, retries: 10, model: { ...MODEL, failures } })) {
      expect(outcomes).toHaveLength(parts.length)
    }
  }
})
