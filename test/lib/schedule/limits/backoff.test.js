'use strict'

const fc = require('fast-check')
const { backoffMs } = require('../../../../lib/schedule/limits/backoff')

test.each([
  [1, 0, 250],
  [1, 1, 500],
  [2, 1, 2_000],
  [3, 1, 8_000],
  [4, 1, 20_000],
  [50, 1, 20_000],
  [2000, 1, 20_000],
  [2000, 0, 10_000],
])('attempt %i, at random %f, waits %i ms', (attempt, random, expected) => {
  expect(backoffMs({ attempt, random: () => random })).toBe(expected)
})

test('is never sooner than the peer asked for, up to a minute, nor much later', () => {
  const failure = fc.record({
    attempt: fc.integer({ min: 1, max: 100 }),
    retryAfterMs: fc.integer({ min: 0, max: 120_000 }),
    chance: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(failure, ({ attempt, retryAfterMs, chance }) => {
      const ms = backoffMs({ attempt, retryAfterMs, random: () => chance })
      const asked = Math.min(retryAfterMs, 60_000)
      expect(ms).toBeGreaterThanOrEqual(asked)
      expect(ms).toBeGreaterThanOrEqual(250)
      expect(ms).toBeLessThanOrEqual(Math.max(20_000, asked * 1.1))
    }),
  )
})
