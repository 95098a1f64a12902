'use strict'

const fc = require('fast-check')
const { createQueue } = require('../../../lib/schedule/queue')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { createBatching, objectsPolicy, partsPolicy } = require('../../../lib/schedule/batch')

describe('a queue', () => {
  /** Two are taken together; of the second lane they wait for others. */
  function setUp({ slots = 9 } = {}) {
    const clock = createVirtualClock(0)
    const taken = []
    let asked
    const batch = (...[, ...found]) => {
      asked = found.join()
      return { most: 2, mostBytes: 9 }
    }
    const started = items => taken.push(`${clock.now()}:${items.map(({ name }) => name).join('+')}(${asked})`)
    const quota = { waitMs: () => 0, started }
    const queue = createQueue({ limit: () => slots, batch, gatherMs: [0, 100], quota, clock })
    return { clock, queue, taken, at: (ms, one) => void clock.setTimeout(() => queue.add([one]), ms) }
  }
  const item = (name, lane) => ({ name, part: { bytes: 1 }, group: { how: {}, lane } })
  const [a, b, c] = ['a', 'b', 'c'].map(name => item(name, 0))
  const [x, y, z] = ['x', 'y', 'z'].map(name => item(name, 1))

  /** When they go, and how many items and bytes of their lane there are then. */
  test.each([
    ['as many as may, of all', ({ queue }) => queue.add([a, b, c]), '0:a+b(3,3) 0:c(1,1)'],
    [
      'with others of their lane, for which they wait no longer than that',
      ({ at }) => at(0, x) ?? at(99, y) ?? at(150, z),
      '100:x+y(2,2) 250:z(1,1)',
    ],
    ['at once, if no others will come', ({ queue }) => queue.add([x]) ?? queue.end(), '0:x(1,1)'],
    [
      'once, when they were put back, the soonest first',
      ({ queue }) => queue.putBack(a, 200) ?? queue.putBack(b, 100) ?? queue.putBack(b, 300),
      '100:b(2,0) 200:a(1,0)',
    ],
    ['by lanes', ({ queue }) => [a, x, b].map(one => queue.putBack(one, 100)), '100:a+b(2,0) 100:x(1,0)'],
    [
      'after the longest pause, without what was removed',
      ({ queue }) =>
        ([100, 50].map(queue.pause) && queue.add([a, b])) ?? queue.putBack(c, 0) ?? queue.remove(new Set([a, c])),
      '100:b(1,1)',
    ],
  ])('gives items %s', async (_, act, expected) => {
    const rig = setUp()
    for (let i = 0; i < 3; i++) void rig.queue.take()
    act(rig)
    await rig.clock.run(rig.clock.delay(500))
    expect(rig.taken.join(' ')).toBe(expected)
  })

  test.each([
    ['at once', () => {}, 0],
    ['not while none is free', ({ queue }) => queue.take() && queue.add([a]), Infinity],
    ['not while something waits', ({ queue }) => queue.add([a]), Infinity],
    ['after a pause', ({ queue }) => queue.pause(100), 100],
    ['never after the end', ({ queue }) => queue.close(), Infinity],
  ])('has a slot for what is late: %s', async (_, act, expected) => {
    const rig = setUp({ slots: 1 })
    act(rig)
    expect(rig.queue.idleMs()).toBe(expected)
  })
})

const MB = 1e6
const UPSTREAM = {
  ...{ concurrent: 30, perMinute: 60, timeoutMs: 300_000, answerMs: 60_000 },
  ...{ memoryBytes: 256 * MB, payloadBytes: 1024 ** 2, skewMs: 0 },
}
const batching = ({ asked = undefined, partBytes = 100 * MB, limits = UPSTREAM } = {}) =>
  createBatching({ asked, limits, policy: partsPolicy({ partBytes, limits }) })
const IMPATIENT = { limits: { ...UPSTREAM, answerMs: 20_000 } }
/** Functions of 50 MB/s. */
const MS_PER_BYTE = 1000 / (50 * MB)
const situation = { waiting: 1200, bytes: 0, slots: 30, free: 1, perMinute: 60, startable: 60, msPerByte: MS_PER_BYTE }

describe('an invocation carries', () => {
  test('not more than it does well inside the time that it may run, whenever it is answered', () => {
    const many = { ...situation, waiting: 12_000 }
    expect([batching().size(many).most, batching(IMPATIENT).size(many).most]).toEqual([89, 89])
    expect(batching({ limits: { ...UPSTREAM, timeoutMs: 20_000 } }).size(many).most).toBe(5)
  })

  test('not more than it does while its signatures are good', () => {
    const limits = { ...UPSTREAM, timeoutMs: 86_400_000 }
    const many = batching({ limits }).size({ ...situation, waiting: 1e6, perMinute: 1 }).most
    expect((many * 100 * MB) / (50 * MB)).toBeLessThanOrEqual(300)
  })

  test('no more than the payload holds', () => {
    const policy = batching()
    policy.fitting([{ partNumber: 1, read: { url: 'x'.repeat(200_000) } }])
    expect(policy.size(situation).most).toBe(4)
  })
})

test('is always a whole number of parts, at least one', () => {
  const some = fc.record({
    waiting: fc.integer({ min: 0, max: 10_000 }),
    slots: fc.integer({ min: 1, max: 2000 }),
    perMinute: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.constant(Number.POSITIVE_INFINITY)),
    free: fc.integer({ min: 0, max: 2000 }),
    startable: fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constant(Number.POSITIVE_INFINITY)),
    msPerByte: fc.oneof(fc.double({ min: 1e-9, max: 1, noNaN: true }), fc.constant(undefined)),
  })
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 5e9 }), (found, partBytes) => {
      const parts = batching({ partBytes }).size(found).most
      expect(Number.isInteger(parts) && parts >= 1).toBe(true)
    }),
  )
})

describe('parts', () => {
  const free = { ...UPSTREAM, perMinute: Number.POSITIVE_INFINITY }
  const now = { ...situation, free: 30 }
  const uncounted = { ...now, perMinute: Number.POSITIVE_INFINITY, startable: Number.POSITIVE_INFINITY }
  /** Of five hundred the last ones were refused by a store. */
  const pressed = policy => policy.ended({ items: 100, done: 97, refused: 3 })

  test.each([
    ['one for each lane, where nothing counts invocations', uncounted, { limits: free }, 2],
    ['not more than their share', { ...uncounted, waiting: 60 }, { limits: free }, 1],
    ['alone, of a rate', { ...uncounted, bytesPerSecond: 1e9 }, { limits: free }, 1],
    ['half of a share, where a quota counts', now, {}, 20],
    ['as the quota lets, where that is more', { ...now, waiting: 90 }, {}, 2],
    ['as the quota lets, where a store has too many requests', now, { first: pressed }, 15],
    ['at an assumed rate, before one is known', { ...now, waiting: 12_000, msPerByte: undefined }, {}, 26],
    ['as long as one waits, of a rate', { ...now, bytesPerSecond: 50 * MB }, IMPATIENT, 5],
    ['as long as the platform waits, of a lower rate', { ...now, bytesPerSecond: 10 * MB }, {}, 3],
  ])('go together: %s', (_, found, { first = () => {}, ...how }, expected) => {
    const policy = batching(how)
    first(policy)
    expect(policy.size(found)).toEqual({ most: expected, mostBytes: Number.POSITIVE_INFINITY })
  })

  const answered =
    (...answers) =>
    policy => {
      for (const [items, refused] of answers) policy.ended({ items, done: 0, refused })
    }
  test.each([
    ['one, on threads', { limits: { ...free, timeoutMs: Number.POSITIVE_INFINITY } }, 1],
    ['two', { limits: free }, 2],
    ['four, where a quota counts', {}, 4],
    ['four, where one was learned', { limits: free, first: policy => policy.size(now) }, 4],
    ['one, where a store has too many requests', { limits: free, first: answered([100, 3]) }, 1],
    ['two, where few were refused', { limits: free, first: answered([100, 2]) }, 2],
    ['two, where few of many were', { limits: free, first: answered([1000, 4]) }, 2],
    ['two again, when some were answered', { limits: free, first: answered([100, 3], [100, 0]) }, 2],
  ])('run at once in a function: %s', (_, { first = () => {}, ...how }, expected) => {
    const policy = batching(how)
    first(policy)
    expect(policy.parallel()).toBe(expected)
  })
})

describe('small objects', () => {
  const create = (limits = {}) => {
    const all = { ...UPSTREAM, perMinute: Number.POSITIVE_INFINITY, payloadBytes: Number.POSITIVE_INFINITY, ...limits }
    return createBatching({ asked: undefined, limits: all, policy: objectsPolicy({ limits: all }) })
  }
  const COSTS = { invocationMs: 100 }
  const now = { waiting: 8, bytes: 8e6, slots: 4, free: 4, startable: 1000, perMinute: 1000 }
  const size = (limits, found) => create(limits).size({ ...now, ...found })
  const took = (policy, ...times) => {
    for (const [items, workedMs, elapsedMs] of times)
      policy.ended({ items, done: items, refused: 0, times: { workedMs, elapsedMs } })
    return policy.size(now).most
  }

  test.each([
    ['their share', {}, {}, 2],
    ['no more than a message holds', {}, { waiting: 1000 }, 32],
    ['among the slots that are free, while these are many', {}, { waiting: 7, free: 3 }, 3],
    ['twice the share, among few', {}, { waiting: 4, free: 2 }, 2],
    ['no more than twice', {}, { waiting: 4, free: 1 }, 1],
    ['where none is free', {}, { free: 0 }, 2],
    ['among those that may start', {}, { startable: 2 }, 4],
    ['where none may start', {}, { startable: 0 }, 8],
    ['at least thirty-two, of a quota', { perMinute: 60 }, {}, 32],
    ['as many as are worth a call', COSTS, {}, 67],
    ['no more than are done in time', COSTS, { waiting: 4000 }, 720],
  ])('go together: %s', (_, limits, found, expected) => expect(size(limits, found).most).toBe(expected))

  test.each([
    ['where a call costs nothing', {}, {}, 2 ** 25],
    ['that are worth a call', COSTS, {}, 6e6],
    ['their share', COSTS, { bytes: 60e6 }, 15e6],
    ['their share of those that may start', COSTS, { bytes: 60e6, startable: 3, slots: 40, waiting: 1 }, 540e6],
    ['no more than a share of many', COSTS, { bytes: 400e6 }, 2 ** 25],
    ['all that is done in time, where few may start', COSTS, { bytes: 60e6, startable: 39 }, 540e6],
    ['all that is done in time, where many wait', COSTS, { bytes: 1, waiting: 1000, startable: 59 }, 540e6],
    ['and not where not so many wait', COSTS, { bytes: 1, waiting: 1000, startable: 60 }, 6e6],
    ['of a rate', COSTS, { bytes: 1, bytesPerSecond: 1e6 }, 4e5],
    ['of a rate, in time', COSTS, { bytes: 1e9, bytesPerSecond: 1e6 }, 36e6],
  ])('bytes go together: %s', (_, limits, found, expected) => expect(size(limits, found).mostBytes).toBe(expected))

  test.each([
    ['as they took', '100 1000 1300', 56],
    ['as they took of late', '100 1000 1300, 4 160 1160', 64],
    ['at the cost of a call', '100 1000 1000', 40],
  ])('are worth a call %s', (_, times, expected) => {
    const all = times.split(', ').map(one => one.split(' ').map(Number))
    expect(took(create(COSTS), ...all)).toBe(expected)
  })

  test.each([
    [{}, 0, 16],
    [COSTS, 100, 8],
    [{ perMinute: 60 }, 100, 8],
  ])('wait for others, and for each other, where a call costs something: %j', (limits, gatherMs, parallel) => {
    expect([create(limits).gatherMs, create(limits).parallel()]).toEqual([gatherMs, parallel])
  })
})

const MANY = { ...UPSTREAM, payloadBytes: Number.POSITIVE_INFINITY }
const ended = (policy, items, done = items, ranOut = false) =>
  policy.ended({ items, done, refused: 0, ranOut, times: {} })
const calm = (policy, items, times, done = items) => {
  for (let i = 0; i < times; i++) ended(policy, items, done)
}
const short = policy => ended(policy, 6, 4, true)
const againTooMuch = policy => policy.tooMuch(8) ?? calm(policy, 4, 10) ?? policy.tooMuch(5)
const sizeOf = policy => [policy.size(situation).most, policy.parallel()]

test.each([
  ['is half of what was too much', policy => policy.tooMuch(8), [4, 2]],
  ['is one at least', policy => [8, 4, 2, 1].map(tasks => policy.tooMuch(tasks)), [1, 1]],
  ['is half, rounded up', policy => policy.tooMuch(7), [4, 2]],
  ['is tried again after ten that were well', policy => policy.tooMuch(8) ?? calm(policy, 4, 10), [5, 2]],
  ['is not tried before', policy => policy.tooMuch(8) ?? calm(policy, 4, 9), [4, 2]],
  ['is not shown by smaller ones', policy => policy.tooMuch(8) ?? calm(policy, 3, 20), [4, 2]],
  ['is not shown by those that failed in part', policy => policy.tooMuch(8) ?? calm(policy, 4, 20, 3), [4, 2]],
  ['is tried once', policy => policy.tooMuch(8) ?? calm(policy, 4, 10) ?? policy.size(situation), [4, 2]],
  ['is what was well', policy => policy.tooMuch(8) ?? calm(policy, 5, 1), [5, 3]],
  ['is tried later, where that was too much', policy => againTooMuch(policy) ?? calm(policy, 4, 19), [4, 2]],
  ['is tried as soon, where many were under way', policy => [8, 8].map(policy.tooMuch) && calm(policy, 4, 10), [5, 2]],
  ['and not never', policy => againTooMuch(policy) ?? calm(policy, 4, 20), [5, 2]],
  ['is what was done in time', short, [4, 4]],
  ['in time is one at least', policy => ended(policy, 6, 0, true), [1, 4]],
  ['in time is one more, each time as many were done', policy => short(policy) ?? calm(policy, 4, 1), [5, 4]],
  ['in time is not more, where fewer were', policy => short(policy) ?? calm(policy, 3, 1), [4, 4]],
])('what a function holds %s', (_, act, expected) => {
  const policy = batching({ asked: 8, limits: MANY })
  act(policy)
  expect(sizeOf(policy)).toEqual(expected)
})

/** Of so many bytes as JSON, with the comma. */
const task = bytes => 'x'.repeat(bytes - 3)
test.each([
  ['all that fit', [400, 400], 2],
  ['not what does not', [400, 400, 1000], 2],
  ['not a byte more', [400, 401], 1],
  ['the first one always', [1000, 10], 1],
  ['the only one always', [1000], 1],
])('what a function holds a payload holds %s', (_, sizes, expected) => {
  const limits = { ...UPSTREAM, payloadBytes: 1000 }
  expect(batching({ limits }).fitting(sizes.map(task))).toBe(expected)
  expect(batching({ limits: MANY }).fitting(sizes.map(task))).toBe(sizes.length)
})

test.each([
  ['before one was seen', [], 16],
  ['as they were', [[8192, 8192]], 8],
  ['as large as they were, for a while', [[8192], [10], [10], [10]], 10],
  ['no larger than is usual', [[10]], 16],
  ['as there were none', [[]], 16],
])('what a function holds so many tasks are signed: %s', (_, batches, expected) => {
  const policy = batching({ asked: 100, limits: { ...UPSTREAM, payloadBytes: 81_920 } })
  for (const sizes of batches) policy.fitting(sizes.map(task))
  expect(policy.size(situation).most).toBe(expected)
})
