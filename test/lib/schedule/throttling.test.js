'use strict'

const fc = require('fast-check')
const { createPressure } = require('../../../lib/schedule')
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

  test('costs no part an attempt', async () => {
    const rig = createRig({ parts: 1, retries: 0, answer: ({ nth }) => nth <= 20 && throttle() })
    expect(await rig.go()).toMatchObject([{ etag: '"1-21"' }])
    expect(rig.eventsOf('throttle')).toHaveLength(20)
    expect(rig.eventsOf('part')).toMatchObject([{ attempt: 1 }])
    expect(rig.eventsOf('retry')).toEqual([])
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

  test('waits longer while nothing but refusals come, and no longer than some seconds', async () => {
    const rig = createRig({ parts: 1, answer: ({ nth }) => nth <= 12 && throttle() })
    await rig.go()
    const delays = rig.eventsOf('throttle').map(({ delayMs }) => delayMs)
    expect(delays.slice(0, 6)).toEqual([...delays.slice(0, 6)].sort((a, b) => a - b))
    expect(new Set(delays.slice(0, 4)).size).toBe(4)
    expect(Math.max(...delays)).toBeLessThan(20_000)
  })
})

test('a quota that is used up is told while parts wait for it, and not before or after', async () => {
  const pressure = createPressure({ random: () => 0.5 })
  const told = []
  const answer = () => {
    told.push(pressure.hindrances())
    return false
  }
  const rig = createRig({ parts: 6, concurrency: 1, limits: { perMinute: 2 }, partsPerInvocation: 1, pressure, answer })
  await rig.go()
  const waiting = { waiting: { perMinute: 2 } }
  // The second invocation of each minute is the last one; after the sixth nothing waits.
  expect(told).toEqual([{}, waiting, {}, waiting, {}, {}])
  expect(pressure.hindrances()).toEqual({})
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

  test('is told by its side, with its own limit, and does not lower that of the platform', async () => {
    const answer = ({ nth, partNumber }) => {
      if (partNumber === 150 && nth === 1) return throttle()
      return partNumber % 2 === 0 && nth === 1 && slowDown()
    }
    const rig = createRig({ parts: 150, concurrency: 100, retries: 0, answer })
    await rig.go()
    const store = rig.eventsOf('throttle').filter(event => event.store)
    const platform = rig.eventsOf('throttle').filter(event => !event.store)
    expect(new Set(store.map(event => event.store))).toEqual(new Set(['destination']))
    expect(Math.min(...store.map(({ limit }) => limit))).toBeLessThan(60)
    expect(platform).toHaveLength(1)
    // It was the last part, alone: seven tenths of all that was asked for.
    expect(platform[0].limit).toBe(70)
  })

  test('and a platform that never refused is asked for all again at once when the store recovers', async () => {
    const pressure = createPressure({ random: () => 0.5 })
    const busy = ({ clock, inFlight }) => clock.elapsedMs() < 5_000 && inFlight > 10 && slowDown()
    const rig = createRig({ parts: 20_000, concurrency: 100, retries: 0, pressure, answer: busy })
    await rig.go()
    expect(rig.eventsOf('throttle').every(({ store }) => store === 'destination')).toBe(true)
    expect(pressure.hindrances()).toEqual({})
    const lateMs = rig.clock.elapsedMs() - 2_000
    expect(rig.started.filter(({ atMs }) => atMs >= lateMs && atMs < lateMs + 1_000).length).toBeGreaterThan(900)
  })

  test('is asked nothing until the time that it named', async () => {
    const answer = ({ partNumber, nth }) => partNumber === 1 && nth === 1 && failure('STORE_THROTTLED', 30_000)
    const rig = createRig({ parts: 20, takesMs: partNumber => partNumber * 10, answer })
    await rig.go()
    const [{ delayMs, atMs }] = rig.eventsOf('throttle')
    expect(delayMs).toBeGreaterThanOrEqual(30_000)
    expect(rig.started.filter(one => one.atMs > atMs && one.atMs < atMs + delayMs)).toEqual([])
  })

  test('without end is given up after ten minutes', async () => {
    const rig = createRig({ parts: 20, answer: slowDown })
    await expect(rig.go()).rejects.toMatchObject({ code: 'STORE_THROTTLED', exitCode: 1 })
    expect(rig.clock.elapsedMs() / 60_000).toBeLessThan(11)
  })
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
