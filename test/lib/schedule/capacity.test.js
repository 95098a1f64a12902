'use strict'

/** How much may start, and who says that no more may: all limits together, on a clock of their own. */

const { createCapacity } = require('../../../lib/schedule/capacity')
const { createGroup, startFlight } = require('../../../lib/schedule/queue')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { NO_LIMITS, refusal } = require('./rig')

const BYTES = 10

/**
 * @param {object} how
 * @param {number} [how.parts] of ten bytes
 * @param {number} [how.take] invocations
 */
async function setUp({ parts = 20, take = 0, lane = 0, limits, ...how } = {}) {
  const clock = createVirtualClock()
  const outages = createOutages({ timeoutMs: 0, emit() {}, clock })
  const pressure = createPressure({ outages, random: () => 0.5 })
  const capacity = createCapacity({
    ...{ concurrency: 4, partBytes: BYTES, partsPerInvocation: 1, pressure, clock, random: () => 0.5 },
    limits: { ...NO_LIMITS, ...limits },
    ...how,
  })
  const { queue } = capacity
  const { items } = createGroup(
    { lane },
    Array.from({ length: parts }, (_, i) => ({ partNumber: i + 1, start: i * BYTES, bytes: BYTES })),
  )
  queue.add(items)
  const flights = []
  const rig = {
    ...{ clock, pressure, capacity, queue, flights },
    take: async () => flights.push(startFlight(await queue.take(), clock.now())),
    pass: ms => clock.run(clock.delay(ms)),
  }
  for (let i = 0; i < take; i++) await rig.take()
  return rig
}

const throttled = facts => refusal('PLATFORM_THROTTLED', undefined, facts)
/** Two containers, for all that anybody can tell, each of which works ten seconds on a part. */
function showTwoContainers({ capacity, flights }, many = 4) {
  capacity.answered({ some: true, but: [] })
  const { onQueued } = capacity.paced(flights[0])
  for (let i = 0; i < 3; i++) capacity.answered({ some: true, but: [] })
  for (let i = 0; i < many; i++) onQueued({ startMs: i * 10_000, waitedMs: 10_000, ranMs: 10_000, isNew: false })
}
/** Twice as many connections move as much as one. */
async function findOne({ capacity: { network }, pass, clock }) {
  while (!network.isFound()) {
    await pass(100)
    network.answered({ nowMs: clock.now(), moved: 1e6, inFlight: network.current() })
  }
}
const NETWORK = { startWith: 1, partBytes: 64 * 1024 ** 2 }
const release = ({ queue }) => queue.release()
const refuse = ({ pressure, clock }) =>
  pressure.of('source').refused({ nowMs: clock.now(), askedMs: 0, others: 1, most: 4 })
const askForPause = rig => rig.capacity.refused(throttled(), rig.flights[0]) && release(rig)
function putBack(rig) {
  rig.queue.putBack(rig.flights[0].items[0], 1000)
  release(rig)
}

test.each([
  ['nothing waits: so many parts are copied', { parts: 2, take: 2 }, () => {}, { by: 'parts', carried: 2 }],
  ['one has ended', { parts: 2, take: 2 }, rig => rig.capacity.giveBack(rig.flights[0]), { by: 'parts', carried: 1 }],
  ['as many are in flight as were asked for', { take: 4 }, () => {}, { by: 'concurrency', limit: 4 }],
  ['there are as many as there may be', { take: 4, limits: { concurrent: 4 } }, () => {}, { by: 'engine', limit: 4 }],
  ['the minute is used up', { take: 2, limits: { perMinute: 2 } }, () => {}, { by: 'quota' }],
  ['environments are new', { take: 1, limits: { ramp: { atOnce: 1, perSecond: 1 } } }, () => {}, { by: 'starts' }],
  ['those that wait have failed', { parts: 1, take: 1 }, putBack, { by: 'retries' }],
  ['nothing may start any more', { take: 4 }, ({ queue }) => queue.close(), undefined],
  ['another may start', { take: 3 }, () => {}, undefined],
  ['another may start anew', { take: 1, limits: { ramp: { atOnce: 2, perSecond: 1 } } }, () => {}, undefined],
  ['the source has refused', { take: 2 }, refuse, { by: 'source', limit: 1 }],
  ['more connections do not help', { take: 1, ...NETWORK }, findOne, { by: 'machine', limit: 1 }],
  ['it is measured whether more connections help', { take: 1, ...NETWORK }, () => {}, undefined],
  ['more are there than containers', { parts: 3, take: 3 }, showTwoContainers, { by: 'containers', limit: 2 }],
  ['as many are there as containers', { parts: 2, take: 2 }, showTwoContainers, { by: 'parts', carried: 2 }],
  ['the platform has asked for a pause', { take: 1 }, askForPause, { by: 'platform', limit: 1 }],
])('where %s, that is the limit', async (_, how, act, expected) => {
  const rig = await setUp(how)
  await act(rig)
  expect(rig.capacity.bound()).toEqual(expected)
})

test.each([
  ['parts wait, and the minute is used up', { take: 2 }, { perMinute: 2 }],
  ['the minute is not used up', { take: 1 }, undefined],
  ['nothing waits', { parts: 2, take: 2 }, undefined],
  ['nothing may start any more', { take: 2, close: true }, undefined],
])('where %s, the quota is told, or is not', async (_, { close = false, ...how }, expected) => {
  const { capacity, queue } = await setUp({ ...how, limits: { perMinute: 2 } })
  if (close) queue.close()
  expect(capacity.waitsForQuota()).toEqual(expected)
})

test('the minute is that of the clock of the platform', async () => {
  // Twenty seconds of it have passed here, and forty-five there.
  const { capacity, pass } = await setUp({ take: 1, limits: { perMinute: 1, skewMs: 25_000 } })
  await pass(16_499)
  expect(capacity.waitsForQuota()).toEqual({ perMinute: 1 })
  await pass(1)
  expect(capacity.waitsForQuota()).toBeUndefined()
})

const TEN = { concurrency: 10, take: 4 }
test.each([
  ['of a platform, by those it accepted', TEN, throttled(), { limit: 2, delayMs: 375 }],
  ['while nothing waits, by what was asked for', { ...TEN, parts: 4 }, throttled(), { limit: 7, delayMs: 375 }],
  ['of a store', TEN, refusal('STORE_THROTTLED'), { store: 'destination', limit: 2, delayMs: 375 }],
  ['that names a time', TEN, refusal('PLATFORM_THROTTLED', 8000), { limit: 2, delayMs: 8400 }],
  ['of the minute: none at once', TEN, throttled({ throttle: 'rate', allowed: 3 }), { limit: 10, delayMs: 41_500 }],
])('a refusal lowers the limit %s', async (_, how, error, expected) => {
  const { capacity, flights } = await setUp(how)
  expect(capacity.refused(error, flights[0])).toEqual(expected)
})

const WAITS_MS = { PLATFORM_THROTTLED: 1500, TOO_MANY_FILES: 375 }
test.each(Object.entries(WAITS_MS))('a refusal of %s, again, is waited for %i ms', async (code, expected) => {
  const { capacity, flights, pass } = await setUp({ take: 4 })
  capacity.refused(refusal(code), flights[0])
  await pass(1000)
  const { delayMs } = capacity.refused(refusal(code), { ...flights[0], takenMs: flights[0].takenMs + 1000 })
  expect(delayMs).toBe(expected)
})

test.each([
  ['nobody refused', { some: true, but: [] }, true],
  ['it refused again', { some: true, but: ['destination'] }, false],
  ['everything was refused', { some: false, but: [] }, false],
])('a refusal of a store is forgotten step by step with answers, unless: %s', async (_, answer, rises) => {
  const { capacity, flights, pass, pressure } = await setUp({ take: 4 })
  const { limit } = capacity.refused(refusal('STORE_THROTTLED'), flights[0])
  await pass(8000)
  capacity.answered(answer)
  expect(pressure.of('destination').current() > limit).toBe(rises)
})

describe('containers of which nothing is known', () => {
  /** How many start, of those asked for. */
  async function startedAfter({ answers = 0, waitedMs, concurrency = 250, answerMs = 60_000 }) {
    const rig = await setUp({ parts: 300, concurrency, take: 1, limits: { answerMs } })
    const { onQueued } = rig.capacity.paced(rig.flights[0])
    for (let i = 0; i < answers; i++) {
      if (waitedMs) onQueued({ startMs: 0, waitedMs, ranMs: 1000, isNew: false })
      rig.capacity.answered({ some: true, but: [] })
    }
    let started = 1
    const takers = Array.from({ length: 260 }, () => rig.queue.take().then(items => items && started++))
    await rig.pass(0)
    rig.queue.close()
    await Promise.all(takers)
    return started
  }

  test.each([
    ['with few answers', { answers: 11 }, 125],
    ['with enough answers', { answers: 12 }, 250],
    ['with answers that waited for none', { answers: 12, waitedMs: 50 }, 250],
    ['with answers that waited a little', { answers: 12, waitedMs: 51 }, 125],
    ['of few', { concurrency: 120 }, 100],
    ['where they are answered only when they end', { answerMs: Number.POSITIVE_INFINITY }, 250],
  ])('get half of what was asked for, but a hundred, until they are known to be enough: %s', async (_, how, expected) =>
    expect(await startedAfter(how)).toBe(expected),
  )

  test('are told once their number is certain', async () => {
    const onPool = jest.fn()
    const rig = await setUp({ take: 3, limits: { onPool } })
    showTwoContainers(rig, 23)
    expect(onPool).not.toHaveBeenCalled()
    rig.capacity.paced(rig.flights[0])
    const { onQueued } = rig.capacity.paced(rig.flights[0])
    for (let i = 0; i < 3; i++) onQueued({ startMs: (23 + i) * 10_000, waitedMs: 10_000, ranMs: 10_000, isNew: false })
    expect(onPool.mock.calls).toEqual([[2]])
  })
})

test('bytes fit in time where they take less than half of it, as far as that was measured', async () => {
  const { capacity } = await setUp({ limits: { timeoutMs: 100 } })
  expect(capacity.fitsInTime(1)).toBe(false)
  for (let i = 0; i < 5; i++) capacity.workPerByte.finished(1, 2, 1)
  expect([24, 25].map(capacity.fitsInTime)).toEqual([true, false])
})

describe('the bandwidth', () => {
  const of = (more = {}) => ({ bandwidth: 120, bytesPerSecond: 10, ...more })
  test.each([
    ['all slots, if enough waits', {}, of(), 30],
    ['what waits', { parts: 2 }, of(), 60],
    ['invocations, not their parts', { parts: 4, partsPerInvocation: 2 }, of(), 60],
    ['what the quota lets start', {}, of({ perMinute: 3 }), 40],
    ['what may be under way', {}, of({ bytesInFlight: 2 * BYTES }), 40],
  ])('is shared among %s', async (_, how, limits, expected) => {
    const { capacity, flights } = await setUp({ ...how, limits, take: 1 })
    expect(capacity.paced(flights[0]).bytesPerSecond).toBe(expected)
  })

  test.each([
    ['of what may start at once', 4, Infinity],
    ['of what may be under way', 2, 2 * BYTES],
  ])('an invocation carries no more than it moves in time with its share %s', async (_, bandwidth, bytesInFlight) => {
    const limits = { ...of({ bandwidth, bytesPerSecond: 1, bytesInFlight }), perMinute: 4, timeoutMs: 100_000 }
    const { flights } = await setUp({ parts: 40, partsPerInvocation: undefined, limits, take: 1 })
    expect(flights[0].items).toHaveLength(5)
  })

  test.each(['resolve', 'reject'])('of what nobody waits for any more is free when it ends: %s', async how => {
    const rig = await setUp({ take: 1, limits: { bytesInFlight: BYTES } })
    const [flight] = rig.flights
    let end
    const ended = new Promise((resolve, reject) => {
      end = { resolve, reject }
    })
    rig.capacity.paced(flight).onDetached(ended)
    rig.capacity.giveBack(flight)
    release(rig)
    expect(rig.capacity.bound()).toEqual({ by: 'bandwidth' })
    const next = rig.take()
    end[how]()
    await next
    expect(rig.flights).toHaveLength(2)
  })
})

test('small objects are shared among the slots that are free', async () => {
  const { flights } = await setUp({ parts: 10, lane: 1, partsPerInvocation: undefined, take: 4 })
  expect(flights.map(({ items }) => items.length)).toEqual([3, 3, 2, 2])
})

test('the first small object waits for others, where a call costs something', async () => {
  const rig = await setUp({ parts: 1, lane: 1, limits: { invocationMs: 10 } })
  const taken = rig.take()
  await rig.pass(99)
  expect(rig.flights).toHaveLength(0)
  await rig.pass(1)
  await taken
})
