'use strict'

const fc = require('fast-check')
const { createLimit } = require('../../../../lib/schedule/limits/limit')

test('begins at what was asked for, and answers take it no higher', () => {
  const limit = createLimit(100)
  limit.success(1e9)
  expect(limit.current()).toBe(100)
})

test('a refusal lowers it to seven tenths of what the platform bore', () => {
  const limit = createLimit(100)
  limit.throttled(5000, 39)
  expect(limit.current()).toBe(28)
})

test('a refusal with more in flight than allowed counts from what was allowed', () => {
  const limit = createLimit(10)
  limit.throttled(5000, 500)
  expect(limit.current()).toBe(7)
})

test('a platform that says how many it allows is never asked for more', () => {
  const limit = createLimit(1000)
  limit.throttled(5000, 999, 30)
  expect(limit.current()).toBe(29)
  limit.throttled(5001, 40, 30)
  limit.success(1e9)
  expect(limit.current()).toBe(29)
})

test('a refusal at the very limit, which counts what was just answered, lowers it by one and for good; one far below it, much', () => {
  const limit = createLimit(30)
  for (let nowMs = 0; nowMs < 10_000; nowMs += 1000) {
    limit.throttled(nowMs, 29, 30)
    limit.success(nowMs + 500)
    expect(limit.current()).toBe(Math.max(27, 29 - nowMs / 1000))
  }
  const shared = createLimit(30)
  shared.throttled(5000, 9, 30)
  expect(shared.current()).toBe(7)
  shared.success(1e9)
  expect(shared.current()).toBe(30)
})

test('a crowd of refusals within a second is one', () => {
  const limit = createLimit(100)
  limit.throttled(5000, 99)
  limit.throttled(5001, 50)
  limit.throttled(5999, 1)
  expect(limit.current()).toBe(70)
  limit.throttled(6000, 99)
  expect(limit.current()).toBe(49)
})

test('the very first refusal counts, though the clock begins at 0', () => {
  const limit = createLimit(10)
  limit.throttled(0, 9)
  expect(limit.current()).toBe(7)
})

test('grows by the clock: soon near what was borne, then beyond it', () => {
  const limit = createLimit(1000)
  limit.throttled(0, 99)
  const after = seconds => {
    limit.success(1000 * seconds)
    return limit.current()
  }
  expect([after(0), after(2), after(4)]).toEqual([70, 95, 99])
  expect(after(5)).toBe(100)
  expect(after(9)).toBe(143)
  expect(after(60)).toBe(1000)
})

test('does not grow while nothing is answered', () => {
  const limit = createLimit(100)
  limit.throttled(0, 99)
  limit.throttled(60_000, 69)
  expect(limit.current()).toBe(49)
})

test('is always a whole number from 1 to what was asked for', () => {
  const step = fc.oneof(
    fc.record({ ms: fc.integer({ min: 0, max: 5000 }), success: fc.constant(true) }),
    fc.record({ ms: fc.integer({ min: 0, max: 5000 }), inFlight: fc.integer({ min: -1, max: 2000 }) }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 200 }), (most, steps) => {
      const limit = createLimit(most)
      let nowMs = 0
      for (const { success, ms, inFlight } of steps) {
        nowMs += ms ?? 0
        if (success) limit.success(nowMs)
        else limit.throttled(nowMs, inFlight)
        const current = limit.current()
        expect(Number.isInteger(current) && current >= 1 && current <= most).toBe(true)
      }
    }),
  )
})
