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
})

describe('what is counted ahead of the listing', () => {
  const setUp = () => {
    const tally = createTally({ startMs: 0 })
    const ahead = { through: false, objects: 0, bytes: 0 }
    tally.countsAhead(() => ahead)
    for (let i = 0; i < 100; i++) {
      tally.listed(MiB)
      tally.chosen(MiB)
    }
    return { tally, ahead }
  }

  test('is part of the total, and with it the time left is known', () => {
    const { tally, ahead } = setUp()
    expect(progress(tally, 0)).toMatchObject({ objectsTotal: 100, bytesTotal: 100 * MiB, listing: true })
    for (let i = 1; i <= 50; i++) tally.copied(copied(MiB), i * 100)
    Object.assign(ahead, { objects: 600, bytes: 600 * MiB })
    expect(progress(tally, 5000)).toMatchObject({ objectsDone: 50, objectsTotal: 600, listing: true })
    expect(progress(tally, 5000)).not.toHaveProperty('etaMs')
    ahead.through = true
    const known = progress(tally, 5000)
    expect(known).toMatchObject({ objectsTotal: 600, bytesTotal: 600 * MiB, listing: false, objectsPerSecond: 10 })
    expect(known.etaMs / 1000).toBeCloseTo(55, -1)
  })

  test('is less by what is skipped or filtered, and in the end the listing is right', () => {
    const { tally, ahead } = setUp()
    Object.assign(ahead, { through: true, objects: 300, bytes: 300 * MiB })
    for (let i = 0; i < 50; i++) {
      tally.listed(MiB)
      tally.skipped()
    }
    tally.listed(MiB)
    tally.filtered(MiB)
    expect(progress(tally, 0)).toMatchObject({ objectsTotal: 250, bytesTotal: 250 * MiB })
    tally.listingEnded()
    expect(progress(tally, 0)).toMatchObject({ objectsTotal: 100, bytesTotal: 100 * MiB, listing: false })
  })
})

test('an object that failed is not done', () => {
  const tally = createTally({ startMs: 0 })
  for (const _ of [1, 2, 3]) tally.chosen(MiB)
  tally.listingEnded()
  tally.copied(copied(MiB), 1000)
  tally.failed({ name: 'a', code: 'ACCESS_DENIED', message: 'It is denied.' }, { seen: 0 })
  expect(progress(tally, 1000)).toMatchObject({ objectsDone: 1, objectsFailed: 1, objectsTotal: 3 })
})

test('what an earlier run has moved is seen, and moves nothing now', () => {
  const tally = createTally({ startMs: 0 })
  tally.chosen(20 * MiB)
  tally.listingEnded()
  tally.moved(15 * MiB, 1000, true)
  expect(progress(tally, 1000)).toMatchObject({ bytesDone: 15 * MiB, resumedBytes: 15 * MiB, bytesPerSecond: 0 })
  tally.moved(MiB, 2000)
  expect(progress(tally, 2000)).toMatchObject({ bytesDone: 16 * MiB, bytesPerSecond: MiB / 2 })
  tally.copied(copied(20 * MiB, { seen: 16 * MiB, before: 15 * MiB }), 4000)
  expect(tally.bytes).toEqual({ chosen: 20 * MiB, copied: 20 * MiB, before: 15 * MiB })
  expect(progress(tally, 4000)).toMatchObject({ bytesDone: 20 * MiB, etaMs: 0 })
})

describe('the phase', () => {
  const phaseOf = (tally, nowMs) => progress(tally, nowMs).phase

  test('is listing until an object is chosen, then copying', () => {
    const tally = createTally({ startMs: 0 })
    expect(progress(tally, 500)).toMatchObject({ phase: 'listing', phaseMs: 500, elapsedMs: 500 })
    tally.chosen(MiB)
    expect(progress(tally, 1000)).toMatchObject({ phase: 'copying', phaseMs: 0, elapsedMs: 1000 })
  })

  test('is assembling once all bytes are there, and no longer than an object is assembled', () => {
    const tally = createTally({ startMs: 0 })
    for (const _ of [1, 2]) tally.chosen(MiB)
    tally.moved(MiB, 1000)
    tally.assembling('a', 30)
    tally.listingEnded()
    expect(phaseOf(tally, 1000)).toBe('copying')
    tally.moved(MiB, 2000)
    tally.assembling('b', 12)
    expect(progress(tally, 2000)).toMatchObject({ phase: 'assembling', partsAssembling: 42 })
    expect(progress(tally, 4000)).toMatchObject({ phase: 'assembling', phaseMs: 2000 })
    for (const name of ['a', 'b']) tally.assembling(name)
    expect(phaseOf(tally, 5000)).toBe('copying')
  })

  test('is deleting in the end', () => {
    const tally = createTally({ startMs: 0 })
    tally.listingEnded()
    tally.deletes(3000)
    tally.deleted(1000)
    expect(progress(tally, 0)).toMatchObject({ phase: 'deleting', objectsDeleted: 1000, objectsToDelete: 3000 })
  })
})
