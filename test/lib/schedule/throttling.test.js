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

test('a platform that refuses some gets fewer at once, and every part is copied all the same', async () => {
  const rig = createRig({ parts: 300, concurrency: 100, retries: 0, answer: bears(10) })
  expect(await rig.go()).toHaveLength(300)
  const limits = rig.eventsOf('throttle').map(({ limit }) => limit)
  expect(Math.max(...limits)).toBeLessThan(100)
  const late = rig.started.filter(({ atMs }) => atMs > rig.clock.elapsedMs() / 2)
  const refusedLate = rig.eventsOf('throttle').filter(({ atMs }) => atMs > rig.clock.elapsedMs() / 2)
  expect(refusedLate.length).toBeLessThan(late.length / 2)
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
      expect([rig.inFlight(), rig.clock.pending()]).toEqual([0, 0])
    }),
    { numRuns: 200 },
  )
})

/** From one second on the platform is away for so long, as probes show. */
function awayFor(ms, { probeMs = 5, timeoutMs = 600_000 } = {}) {
  const isAway = clock => clock.elapsedMs() >= 1_000 && clock.elapsedMs() < 1_000 + ms
  const error = refusal('PLATFORM_UNREACHABLE', undefined, { side: undefined })
  const pressureOn = clock => {
    const outages = createOutages({ timeoutMs, emit() {}, clock, random: () => 0.5 })
    const probe = async () => {
      await clock.delay(probeMs)
      if (isAway(clock)) throw error
    }
    outages.watch(['platform'], { where: 'http://there', probe })
    return createPressure({ outages, random: () => 0.5 })
  }
  return { error, pressureOn, answerAll: ({ clock }) => isAway(clock) && error }
}

test('an outage longer than its limit ends the job, which says so', async () => {
  await expect(createRig({ parts: 200, ...awayFor(700_000) }).go()).rejects.toMatchObject({ code: 'OUTAGE' })
})

test('a platform that refuses before an outage and after it has not refused all the while', async () => {
  const away = awayFor(700_000, { timeoutMs: 3_600_000 })
  let back = 0
  const refuses = ms => (ms > 500 && ms < 1_000) || (ms > 701_000 && back++ === 0)
  const answer = ({ clock }) => refuses(clock.elapsedMs()) && throttle()
  const rig = createRig({ parts: 20, concurrency: 1, ...away, answer })
  expect(await rig.go()).toHaveLength(20)
})

test.each(['abort', 'cancel'])('an %s does not wait for what is found out about an outage', async how => {
  const { error, ...away } = awayFor(60_000, { probeMs: 9000 })
  const stop = new AbortController()
  const rig = createRig({ parts: 99, ...away, [how]: stop.signal })
  rig.clock.setTimeout(() => stop.abort(error), 1500)
  await expect(rig.go()).rejects.toBe(error)
  expect(rig.clock.elapsedMs()).toBe(1500)
})

test('parts that fail and are copied again, of a platform that is there, end no job that goes on', async () => {
  const { error, pressureOn } = awayFor(0)
  const answer = ({ partNumber, nth }) => nth === 1 && partNumber % 2 === 0 && error
  const rig = createRig({ parts: 240, concurrency: 1, takesMs: 5000, pressureOn, answer })
  expect(await rig.go()).toHaveLength(240)
})

test('an outage of the platform costs no attempt, and what may have run is looked for first', async () => {
  const asked = []
  const settle = async parts => {
    asked.push(...parts.map(({ partNumber }) => partNumber))
    return []
  }
  const rig = createRig({ parts: 200, retries: 0, settle, ...awayFor(13_000) })
  expect(await rig.go()).toHaveLength(200)
  expect(rig.eventsOf('retry')).toEqual([])
  // What was under way when it began met it, and nothing started before it was over.
  expect(rig.started.filter(({ atMs }) => atMs > 1_200 && atMs < 14_000)).toEqual([])
  const twice = [...new Set(rig.started.filter(({ nth }) => nth > 1).map(({ partNumber }) => partNumber))]
  expect(twice.length).toBeGreaterThan(0)
  expect(asked.toSorted((a, b) => a - b)).toEqual(twice.toSorted((a, b) => a - b))
})
