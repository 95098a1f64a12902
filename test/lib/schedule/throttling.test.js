'use strict'

const fc = require('fast-check')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { createRig, failure, refusal } = require('./rig')

const throttle = retryAfterMs => refusal('PLATFORM_THROTTLED', retryAfterMs)

/** A platform that bears so many at once and refuses the rest. */
const bears =
  most =>
  ({ inFlight }) =>
    inFlight > most && throttle()

describe('a platform that refuses some', () => {
  test('gets fewer at once, and every part is copied all the same', async () => {
    const rig = createRig({ parts: 300, concurrency: 100, retries: 0, answer: bears(10) })
    expect(await rig.go()).toHaveLength(300)
    const limits = rig.eventsOf('throttle').map(({ limit }) => limit)
    expect(Math.max(...limits)).toBeLessThan(100)
    const late = rig.started.filter(({ atMs }) => atMs > rig.clock.elapsedMs() / 2)
    const refusedLate = rig.eventsOf('throttle').filter(({ atMs }) => atMs > rig.clock.elapsedMs() / 2)
    expect(refusedLate.length).toBeLessThan(late.length / 2)
  })

  test('is asked nothing until the time that it named', async () => {
    const rig = createRig({
      parts: 8,
      takesMs: partNumber => partNumber * 10,
      answer: ({ partNumber, nth }) => partNumber === 1 && nth === 1 && throttle(30_000),
    })
    await rig.go()
    const [{ delayMs }] = rig.eventsOf('throttle')
    expect(delayMs).toBeGreaterThanOrEqual(30_000)
    const resumed = rig.started.filter(({ atMs }) => atMs > 10)
    expect(resumed.map(({ partNumber }) => partNumber).sort()).toEqual([1, 5, 6, 7, 8])
    expect(Math.min(...resumed.map(({ atMs }) => atMs))).toBe(10 + delayMs)
  })
})

describe('a store that asks for fewer requests', () => {
  const slowDown = () => failure('STORE_THROTTLED')

  test('gets fewer, and no part loses an attempt by it', async () => {
    const rig = createRig({ parts: 8, concurrency: 8, retries: 0, answer: ({ nth }) => nth <= 3 && slowDown() })
    expect(await rig.go()).toHaveLength(8)
    expect(rig.eventsOf('retry')).toEqual([])
    expect(rig.eventsOf('throttle')).toHaveLength(24)
    expect(Math.min(...rig.eventsOf('throttle').map(({ limit }) => limit))).toBeLessThan(8)
  })
})

test.each(['STORE_THROTTLED', 'PLATFORM_THROTTLED'])('%s of some, for hours, ends no job that goes on', async code => {
  const refuses = nth => nth === 1 && (code === 'STORE_THROTTLED' ? failure(code) : throttle())
  const rig = createRig({ parts: 40, concurrency: 2, takesMs: 120_000, answer: ({ nth }) => refuses(nth) })
  expect(await rig.go()).toHaveLength(40)
  expect(rig.clock.elapsedMs() / 60_000).toBeGreaterThan(60)
})

test('a store that refuses a part of each invocation, for hours, ends no job that goes on', async () => {
  const answer = ({ partNumber, nth }) => nth === 1 && partNumber % 2 === 0 && failure('STORE_THROTTLED')
  const rig = createRig({ parts: 80, concurrency: 1, partsPerInvocation: 4, takesMs: 60_000, answer })
  expect(await rig.go()).toHaveLength(80)
  expect(rig.clock.elapsedMs() / 60_000).toBeGreaterThan(60)
})

describe('a platform that refuses all', () => {
  test('is given up after ten minutes, with its own error', async () => {
    const rig = createRig({ parts: 50, concurrency: 20, answer: () => throttle() })
    await expect(rig.go()).rejects.toMatchObject({ code: 'PLATFORM_THROTTLED', exitCode: 5 })
    const minutes = rig.clock.elapsedMs() / 60_000
    expect(minutes).toBeGreaterThan(10)
    expect(minutes).toBeLessThan(11)
  })
})

test('whatever comes, in whatever order, the work ends and the limit is kept', async () => {
  const kind = fc.constantFrom('fine', 'fine', 'fine', 'throttle', 'later', 'stalled', 'platform', 'fatal')
  const plan = fc.record({
    parts: fc.integer({ min: 1, max: 12 }),
    concurrency: fc.integer({ min: 1, max: 6 }),
    kinds: fc.array(kind, { minLength: 1, maxLength: 30 }),
    takes: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 5 }),
  })
  const answers = {
    fine: () => undefined,
    throttle: () => throttle(),
    later: () => throttle(15_000),
    stalled: () => failure('STALLED'),
    platform: () => refusal('PLATFORM_ERROR'),
    fatal: () => failure('ACCESS_DENIED'),
  }
  await fc.assert(
    fc.asyncProperty(plan, async ({ parts, concurrency, kinds, takes }) => {
      let next = 0
      const rig = createRig({
        parts,
        concurrency,
        takesMs: partNumber => takes[partNumber % takes.length],
        answer: () => answers[kinds[next++ % kinds.length]](),
      })
      const end = await rig.go().catch(error => error)
      if (end instanceof Error) expect(end.code).toMatch(/^(ACCESS_DENIED|PART_FAILED|PLATFORM_THROTTLED)$/)
      else expect(end.map(({ partNumber }) => partNumber)).toEqual(Array.from({ length: parts }, (_, i) => i + 1))
      expect(rig.mostInFlight()).toBeLessThanOrEqual(concurrency)
      expect(rig.inFlight()).toBe(0)
      expect(rig.clock.pending()).toBe(0)
    }),
    { numRuns: 200 },
  )
})

/** Parts meet an outage of a store, or of the platform. */

/** From one second on, for so long. */
function awayFor(ms, { peer = 'destination', timeoutMs = 600_000 } = {}) {
  const isAway = clock => clock.elapsedMs() >= 1_000 && clock.elapsedMs() < 1_000 + ms
  const pressureOn = clock => {
    const outages = createOutages({ timeoutMs, emit() {}, clock, random: () => 0.5 })
    const error =
      peer === 'platform'
        ? refusal('PLATFORM_UNREACHABLE', undefined, { side: undefined })
        : refusal('STORE_UNREACHABLE')
    const probe = async () => {
      await clock.delay(5)
      if (isAway(clock)) throw error
    }
    outages.watch([peer], { where: 'http://there', probe })
    outages.answered(peer, 0)
    return createPressure({ outages, random: () => 0.5 })
  }
  return { isAway, pressureOn }
}

test.each(['STORE_ERROR', 'STALLED'])('%s during an outage of a store costs no attempt', async code => {
  const { isAway, pressureOn } = awayFor(20_000)
  const rig = createRig({ parts: 200, retries: 0, pressureOn, answer: ({ clock }) => isAway(clock) && failure(code) })
  expect(await rig.go()).toHaveLength(200)
  expect(rig.eventsOf('retry')).toEqual([])
  // What was under way when it began met it, and nothing started before it was over.
  const during = rig.started.filter(({ atMs }) => atMs > 1_200 && atMs < 21_000)
  expect(during).toEqual([])
  expect(rig.clock.elapsedMs()).toBeLessThan(40_000)
})

test('an outage of the platform costs no attempt, and what may have run is looked for first', async () => {
  const { isAway, pressureOn } = awayFor(13_000, { peer: 'platform' })
  const asked = []
  const rig = createRig({
    parts: 200,
    retries: 0,
    pressureOn,
    answerAll: ({ clock }) => isAway(clock) && refusal('PLATFORM_UNREACHABLE', undefined, { side: undefined }),
    settle: async parts => {
      asked.push(...parts.map(({ partNumber }) => partNumber))
      return []
    },
  })
  expect(await rig.go()).toHaveLength(200)
  expect(rig.eventsOf('retry')).toEqual([])
  const twice = [...new Set(rig.started.filter(({ nth }) => nth > 1).map(({ partNumber }) => partNumber))]
  expect(twice.length).toBeGreaterThan(0)
  expect(asked.toSorted((a, b) => a - b)).toEqual(twice.toSorted((a, b) => a - b))
})
