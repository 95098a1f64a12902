'use strict'

const fc = require('fast-check')
const { createQueue } = require('../../../lib/schedule/queue')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { createBatching, partsPolicy } = require('../../../lib/schedule/batch')

test('the first items of an empty lane wait for others to go with, and no longer than that', async () => {
  const clock = createVirtualClock()
  const queue = createQueue({
    ...{ limit: () => 9, batch: () => ({ most: 3, roomBytes: 9 }), gatherMs: () => 100, clock },
    quota: { waitMs: () => 0, started() {} },
  })
  const taken = []
  const item = name => ({ name, part: { bytes: 1 }, group: { how: {} } })
  const take = () => queue.take().then(items => taken.push(items.map(({ name }) => name).join('+')))
  const pass = ms => clock.run(clock.delay(ms))
  take()
  take()
  queue.add([item('a')])
  await pass(99)
  queue.add([item('b')])
  expect(taken).toEqual([])
  await pass(1)
  expect(taken).toEqual(['a+b'])
  queue.add([item('c')])
  await pass(99)
  expect(taken).toEqual(['a+b'])
  await pass(1)
  expect(taken).toEqual(['a+b', 'c'])
})

const MB = 1e6
const UPSTREAM = {
  concurrent: 30,
  perMinute: 60,
  timeoutMs: 300_000,
  answerMs: 60_000,
  memoryBytes: 256 * MB,
  payloadBytes: 1024 ** 2,
  skewMs: 0,
}
const batching = ({ asked = undefined, partBytes = 100 * MB, limits = UPSTREAM } = {}) =>
  createBatching({ asked, limits, policy: partsPolicy({ partBytes, limits }) })
/** Functions of 50 MB/s. */
const situation = {
  waiting: 1200,
  bytes: 0,
  slots: 30,
  free: 1,
  perMinute: 60,
  startable: 60,
  msPerByte: 1000 / (50 * MB),
}

describe('an invocation carries', () => {
  test('not more than it does well inside the time that it may run, whenever it is answered', () => {
    const many = { ...situation, waiting: 12_000 }
    expect(batching().size(many).most).toBe(89)
    expect(batching({ limits: { ...UPSTREAM, answerMs: 20_000 } }).size(many).most).toBe(89)
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
