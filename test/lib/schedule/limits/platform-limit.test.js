'use strict'

const fc = require('fast-check')
const { createPlatformLimit } = require('../../../../lib/schedule/limits/platform-limit')

test('begins at what was asked for, and answers take it no higher', () => {
  const limit = createPlatformLimit(100)
  limit.answered({ nowMs: 1e9 })
  expect(limit.current()).toBe(100)
})

test('a refusal lowers it to seven tenths of what the platform bore', () => {
  const limit = createPlatformLimit(100)
  limit.refused({ nowMs: 5000, others: 39 })
  expect(limit.current()).toBe(28)
})

test('a platform that says how many it allows is never asked for more', () => {
  const limit = createPlatformLimit(1000)
  limit.refused({ nowMs: 5000, others: 999, allowed: 30 })
  expect(limit.current()).toBe(29)
  limit.refused({ nowMs: 5001, others: 40, allowed: 30 })
  limit.answered({ nowMs: 1e9 })
  expect(limit.current()).toBe(29)
})

test('a refusal at the very limit, which counts what was just answered, lowers it by one and for good; one far below it, much', () => {
  const limit = createPlatformLimit(30)
  for (let nowMs = 0; nowMs < 10_000; nowMs += 1000) {
    limit.refused({ nowMs, others: 29, allowed: 30 })
    limit.answered({ nowMs: nowMs + 500 })
    expect(limit.current()).toBe(Math.max(27, 29 - nowMs / 1000))
  }
  const shared = createPlatformLimit(30)
  shared.refused({ nowMs: 5000, others: 9, allowed: 30 })
  expect(shared.current()).toBe(7)
  shared.answered({ nowMs: 1e9 })
  expect(shared.current()).toBe(30)
})

test('a crowd of refusals within a second is one', () => {
  const limit = createPlatformLimit(100)
  limit.refused({ nowMs: 5000, others: 99 })
  limit.refused({ nowMs: 5001, others: 50 })
  limit.refused({ nowMs: 5999, others: 1 })
  expect(limit.current()).toBe(70)
  limit.refused({ nowMs: 6000, others: 99 })
  expect(limit.current()).toBe(49)
})

test('grows by the clock: soon near what was borne, then beyond it', () => {
  const limit = createPlatformLimit(1000)
  limit.refused({ nowMs: 0, others: 99 })
  const after = seconds => {
    limit.answered({ nowMs: 1000 * seconds })
    return limit.current()
  }
  expect([after(0), after(2), after(4)]).toEqual([70, 95, 99])
  expect(after(5)).toBe(100)
  expect(after(9)).toBe(143)
  expect(after(60)).toBe(1000)
})

test('is always a whole number from 1 to what was asked for', () => {
  const step = fc.oneof(
    fc.record({ ms: fc.integer({ min: 0, max: 5000 }), success: fc.constant(true) }),
    fc.record({ ms: fc.integer({ min: 0, max: 5000 }), inFlight: fc.integer({ min: -1, max: 2000 }) }),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 200 }), (most, steps) => {
      const limit = createPlatformLimit(most)
      let nowMs = 0
      for (const { success, ms, inFlight } of steps) {
        nowMs += ms ?? 0
        if (success) limit.answered({ nowMs })
        else limit.refused({ nowMs, others: inFlight })
        const current = limit.current()
        expect(Number.isInteger(current) && current >= 1 && current <= most).toBe(true)
      }
    }),
  )
})
