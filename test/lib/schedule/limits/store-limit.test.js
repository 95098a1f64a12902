'use strict'

const fc = require('fast-check')
const { createPressure } = require('../../../../lib/schedule')
const { createStoreLimit } = require('../../../../lib/schedule/limits/store-limit')

const middling = () => 0.5
const limitOf = () => createStoreLimit(middling)
const INFINITE = Number.POSITIVE_INFINITY

/** A crowd of `count` that began at 0 and of which the store takes `borne`. */
function refuseCrowd(limit, { count, borne, nowMs = 100 }) {
  for (let others = count - 1; others >= borne; others--) {
    limit.refused({ nowMs: nowMs + count - others, askedMs: 0, others, most: 1000 })
  }
}

test('a store that has refused nothing is not held back', () => {
  const limit = limitOf()
  limit.answered({ nowMs: 0, inFlight: 1, most: 100 })
  expect(limit.current()).toBe(INFINITE)
})

test('a refusal takes three tenths of what was under way', () => {
  const limit = limitOf()
  limit.refused({ nowMs: 5000, askedMs: 4000, others: 39, most: 100 })
  expect(limit.current()).toBe(28)
})

test('of a crowd, what was not refused is what the store bears, and it is one reason to wait', () => {
  const limit = limitOf()
  const waits = []
  for (let others = 99; others >= 30; others--) {
    waits.push(limit.refused({ nowMs: 200 - others, askedMs: 0, others, most: 1000 }))
  }
  expect(limit.current()).toBe(21)
  expect(waits.filter(ms => ms > 0)).toHaveLength(1)
})

test('one that began after the limit was lowered lowers it again, and the wait is longer', () => {
  const limit = limitOf()
  const first = limit.refused({ nowMs: 100, askedMs: 0, others: 99, most: 1000 })
  const second = limit.refused({ nowMs: 1000, askedMs: 900, others: 69, most: 1000 })
  expect(limit.current()).toBe(49)
  expect(second).toBeGreaterThan(first)
})

test('a store that says how long is waited for so long, whoever of a crowd says it', () => {
  const limit = limitOf()
  expect(limit.refused({ nowMs: 100, askedMs: 0, others: 9, most: 10, retryAfterMs: 20_000 })).toBe(21_000)
  expect(limit.refused({ nowMs: 101, askedMs: 0, others: 8, most: 10, retryAfterMs: 30_000 })).toBe(31_500)
})

/** Answers ten times a second, at the limit. @returns {(seconds: number) => number} the limit so long after the refusal */
function answering(limit, most, inFlight = () => limit.current()) {
  let ms = 100
  return seconds => {
    for (; ms < 100 + 1000 * seconds; ms += 100) limit.answered({ nowMs: ms, inFlight: inFlight(), most })
    return limit.current()
  }
}

test('what was borne is reached again after six seconds, and a little more soon after', () => {
  const limit = limitOf()
  refuseCrowd(limit, { count: 200, borne: 100, nowMs: 0 })
  const after = answering(limit, 1000)
  expect([after(2), after(4)].map(level => Math.round(level / 5) * 5)).toEqual([80, 90])
  expect(after(7)).toBeGreaterThanOrEqual(100)
  expect(after(7)).toBeLessThan(110)
})

test.each([
  [1000, 50, 22],
  [1000, 2, 32],
  [64, 4, 22],
])(
  'of %i that were asked for and %i that were borne, all are asked for again within %i calm seconds',
  (most, borne, seconds) => {
    const limit = limitOf()
    refuseCrowd(limit, { count: most, borne, nowMs: 0 })
    expect(answering(limit, most)(seconds)).toBe(INFINITE)
  },
)

test('is always whole and at least 1, or nothing at all', () => {
  const step = fc.record({
    ms: fc.integer({ min: 0, max: 5000 }),
    answered: fc.boolean(),
    ageMs: fc.option(fc.integer({ min: 0, max: 9000 }), { nil: undefined }),
    inFlight: fc.integer({ min: 0, max: 2000 }),
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.array(step, { maxLength: 200 }), (most, steps) => {
      const limit = limitOf()
      let nowMs = 0
      for (const { ms, answered, ageMs, inFlight } of steps) {
        nowMs += ms
        const askedMs = ageMs === undefined ? undefined : nowMs - ageMs
        if (answered) limit.answered({ nowMs, inFlight, most })
        else expect(limit.refused({ nowMs, askedMs, others: inFlight, most })).toBeGreaterThanOrEqual(0)
        const current = limit.current()
        expect(current === INFINITE || (Number.isInteger(current) && current >= 1 && current < most + 1)).toBe(true)
      }
    }),
  )
})

describe('the stores of a job', () => {
  const refusal = { nowMs: 100, askedMs: 0, others: 9, most: 10 }

  test('have a limit each, and what is under way heeds both', () => {
    const pressure = createPressure({ random: middling })
    pressure.refused('destination', refusal)
    expect([pressure.of('source').current(), pressure.of('destination').current()]).toEqual([INFINITE, 7])
    expect(pressure.current()).toBe(7)
    expect(pressure.hindrances()).toEqual({ slowed: [{ store: 'destination', limit: 7 }] })
  })
})
