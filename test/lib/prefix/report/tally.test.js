'use strict'

const { createActivity, progressAt } = require('../../../../lib/progress')
const { createTally } = require('../../../../lib/prefix/report/tally')

const MiB = 1024 ** 2
const progress = (tally, nowMs) => progressAt({ activity: createActivity(), at: tally.at }, nowMs)
const copied = (bytes, how = {}) => ({ bytes, seen: 0, proof: [], ...how })

describe('the estimate', () => {
  test('of small objects is that of their number, whatever bytes they have', () => {
    const tally = createTally({ startMs: 0 })
    for (let i = 0; i < 3000; i++) tally.chosen(i === 2999 ? MiB : 12)
    expect(progress(tally, 0)).not.toHaveProperty('etaMs')
    tally.listingEnded()
    // Twenty a second, of which the large one is the last.
    for (let i = 1; i <= 600; i++) tally.copied(copied(12), i * 50)
    expect(progress(tally, 30_000).etaMs / 1000).toBeCloseTo(120, -1)
  })

  test('is absent if nothing was copied for long', () => {
    const tally = createTally({ startMs: 0 })
    for (let i = 0; i < 3000; i++) tally.chosen(12)
    tally.listingEnded()
    for (let i = 1; i <= 20; i++) tally.copied(copied(12), i * 50)
    expect(progress(tally, 1000).etaMs).toBeGreaterThan(0)
    expect(progress(tally, 120_000)).not.toHaveProperty('etaMs')
  })
})

test('what an earlier run has moved is seen, and moves nothing now', () => {
  const tally = createTally({ startMs: 0 })
  tally.chosen(20 * MiB)
  tally.listingEnded()
  tally.moved(15 * MiB, 1000, true)
  expect(progress(tally, 1000)).toMatchObject({ bytesDone: 15 * MiB, bytesPerSecond: 0 })
  tally.moved(MiB, 2000)
  expect(progress(tally, 2000)).toMatchObject({ bytesDone: 16 * MiB, bytesPerSecond: MiB / 2 })
  tally.copied(copied(20 * MiB, { seen: 16 * MiB, before: 15 * MiB }), 4000)
  expect(tally.bytes).toEqual({ chosen: 20 * MiB, copied: 20 * MiB, before: 15 * MiB })
  expect(progress(tally, 4000)).toMatchObject({ bytesDone: 20 * MiB, etaMs: 0 })
})
