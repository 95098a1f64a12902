'use strict'

const fc = require('fast-check')
const { createBatching, objectsPolicy, partsPolicy } = require('../../../lib/schedule/batch')

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
  test('as many as keep every slot at work until the quota allows the next', () => {
    // 30 slots and 60 a minute: each has to last half a minute, in which it copies 1.5 GB.
    expect(batching().parts({ ...situation, waiting: 700 })).toBe(15)
    expect(batching().parts({ ...situation, waiting: 45 })).toBe(1)
  })

  test('as many as let all that wait start in three quarters of what is left of the minute', () => {
    expect(batching().parts({ ...situation, waiting: 55, startable: 600 })).toBe(1)
    expect(batching().parts({ ...situation, waiting: 55, startable: 60 })).toBe(2)
    expect(batching().parts({ ...situation, waiting: 55, startable: 20 })).toBe(4)
  })

  test('not more than it does well inside the time that it may run, whenever it is answered', () => {
    const many = { ...situation, waiting: 12_000 }
    expect(batching().parts(many)).toBe(89)
    expect(batching({ limits: { ...UPSTREAM, answerMs: 20_000 } }).parts(many)).toBe(89)
    expect(batching({ limits: { ...UPSTREAM, timeoutMs: 20_000 } }).parts(many)).toBe(5)
  })

  test('not more than it does while its signatures are good', () => {
    const limits = { ...UPSTREAM, timeoutMs: 86_400_000 }
    const many = batching({ limits }).parts({ ...situation, waiting: 1e6, perMinute: 1 })
    expect((many * 100 * MB) / (50 * MB)).toBeLessThanOrEqual(300)
  })

  test('no more than the payload holds', () => {
    const policy = batching()
    policy.fitting([{ partNumber: 1, read: { url: 'x'.repeat(200_000) } }])
    expect(policy.parts(situation)).toBe(4)
  })

  test('half as much, and at most half at once, after it was too much', () => {
    const policy = batching()
    expect(policy.parallel()).toBe(4)
    policy.tooMuch(15)
    expect([policy.parts(situation), policy.parallel()]).toEqual([8, 2])
    policy.tooMuch(8)
    policy.tooMuch(4)
    policy.tooMuch(2)
    expect([policy.parts(situation), policy.parallel()]).toEqual([1, 1])
  })

  test('one more, in one invocation, after ten did what was held; and what that one did is held from then on', () => {
    const policy = batching()
    policy.tooMuch(8)
    const parts = () => policy.parts(situation)
    for (let i = 0; i < 10; i++) {
      expect(parts()).toBe(4)
      policy.didAll(4)
    }
    expect([parts(), parts()]).toEqual([5, 4])
    expect(policy.parallel()).toBe(2)
    policy.didAll(5)
    expect([parts(), policy.parallel()]).toEqual([5, 3])
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
      const parts = batching({ partBytes }).parts(found)
      expect(Number.isInteger(parts) && parts >= 1).toBe(true)
    }),
  )
})

describe('of whole objects an invocation carries', () => {
  const objects = limits => createBatching({ asked: undefined, limits, policy: objectsPolicy({ limits }) })
  const few = { ...situation, waiting: 90, free: 30 }

  describe('where a call costs something, and its quota is no matter', () => {
    const limits = { ...UPSTREAM, perMinute: Number.POSITIVE_INFINITY, invocationMs: 50 }
    const ample = { ...few, slots: 1000, free: 1000, startable: Number.POSITIVE_INFINITY }

    test('so many that the cost is a fifth of its time, and no fewer than where a quota is scarce', () => {
      const some = objects(limits)
      expect(some.parts({ ...ample, waiting: 3000 })).toBe(34)
      for (const ms of [2_000, 20_000]) {
        for (let i = 0; i < 20; i++) some.took({ elapsedMs: ms + 40, workedMs: ms }, 34)
        expect(some.parts({ ...ample, waiting: 3000 })).toBe(32)
      }
    })

    test('no more than are done in time', () => {
      const some = objects(limits)
      for (let i = 0; i < 20; i++) some.took({ elapsedMs: 16_040, workedMs: 16_000 }, 8)
      expect(some.parts({ ...ample, waiting: 3000 })).toBe(18)
    })

    test('a single one where its bytes are work enough', () => {
      const room = objects(limits).room({ ...ample, waiting: 900, bytes: 900 * 4 * MB })
      expect(room).toBeLessThan(8 * MB)
    })

    test('as many bytes as its share of them, but not all that is large', () => {
      const sized = (waiting, bytes) => objects(limits).room({ ...ample, slots: 10, free: 10, waiting, bytes })
      expect(sized(1000, MB)).toBe(3 * MB)
      expect(sized(1000, 200 * MB)).toBe(20 * MB)
      expect(sized(1000, 5000 * MB)).toBe(32 * 1024 ** 2)
    })

    test('as many whether or not what waits would take much of what is left of a quota', () => {
      const hosted = objects({ ...limits, perMinute: 600 })
      const left = startable => hosted.parts({ ...few, slots: 100, free: 100, startable })
      for (let i = 0; i < 20; i++) hosted.took({ elapsedMs: 2040, workedMs: 2000 }, 10)
      expect([left(600), left(60)]).toEqual([32, 32])
    })
  })
})
