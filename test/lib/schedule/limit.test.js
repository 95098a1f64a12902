'use strict'

const fc = require('fast-check')
const { createLimit } = require('../../../lib/schedule/limit')

/** So many answers, one after the other. */
function succeed(limit, times) {
  for (let i = 0; i < times; i++) limit.success()
}

test('begins at what was asked for, and answers take it no higher', () => {
  const limit = createLimit(100)
  succeed(limit, 500)
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
  expect(limit.current()).toBe(28)
  limit.throttled(5001, 40, 30)
  succeed(limit, 5000)
  expect(limit.current()).toBe(30)
})

test('a refusal at the very limit, which counts what was just answered, lowers it little; one far below it, much', () => {
  const limit = createLimit(30)
  limit.throttled(5000, 29, 30)
  expect(limit.current()).toBe(28)
  const shared = createLimit(30)
  shared.throttled(5000, 9, 30)
  expect(shared.current()).toBe(7)
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

test('a round of answers gives one slot back', () => {
  const limit = createLimit(100)
  limit.throttled(0, 19)
  const low = limit.current()
  expect(low).toBe(14)
  succeed(limit, 15)
  expect(limit.current()).toBe(15)
  succeed(limit, 5000)
  expect(limit.current()).toBe(100)
})

test('is always a whole number from 1 to what was asked for', () => {
  const step = fc.oneof(
    fc.constant({ success: true }),
    fc.record({ ms: fc.integer({ min: 0, max: 5000 }), inFlight: fc.integer({ min: -1, max: 2000 }) }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 200 }), (most, steps) => {
      const limit = createLimit(most)
      let nowMs = 0
      for (const { success, ms, inFlight } of steps) {
        nowMs += ms ?? 0
        if (success) limit.success()
        else limit.throttled(nowMs, inFlight)
        const current = limit.current()
        expect(Number.isInteger(current) && current >= 1 && current <= most).toBe(true)
      }
    }),
  )
})
