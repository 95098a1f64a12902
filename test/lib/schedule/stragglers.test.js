'use strict'

const fc = require('fast-check')
const { createBudget, createTimePerByte, overdueMs, pickStraggler } = require('../../../lib/schedule/stragglers')

describe('the time per byte', () => {
  test('is unknown before five were measured', () => {
    const timePerByte = createTimePerByte()
    for (let i = 0; i < 4; i++) timePerByte.finished(100, 1000, 1)
    expect(timePerByte.msPerByte(1)).toBeUndefined()
    timePerByte.finished(100, 1000, 1)
    expect(timePerByte.msPerByte(1)).toBe(10)
  })

  test('is that of the middle one: neither a straggler nor a burst moves it much', () => {
    const timePerByte = createTimePerByte()
    for (const ms of [900, 1000, 1100, 100_000, 1]) timePerByte.finished(100, ms, 1)
    expect(timePerByte.msPerByte(1)).toBe(10)
    timePerByte.finished(0, 5, 1)
    expect(timePerByte.msPerByte(1)).toBe(10)
  })

  test('follows what is measured now', () => {
    const timePerByte = createTimePerByte()
    for (let i = 0; i < 5000; i++) timePerByte.finished(100, 1000, 1)
    for (let i = 0; i < 501; i++) timePerByte.finished(100, 5000, 1)
    expect(timePerByte.msPerByte(1)).toBe(50)
  })

  test('is the median of the newest thousand, equal ones among them', () => {
    const timePerByte = createTimePerByte()
    const times = fc.sample(fc.integer({ min: 1, max: 300 }), { numRuns: 2500, seed: 3 })
    for (const [i, ms] of times.entries()) {
      timePerByte.finished(1, ms, 1)
      const newest = times.slice(Math.max(0, i - 999), i + 1).sort((a, b) => a - b)
      if (i % 50 === 49) expect(timePerByte.msPerByte(1)).toBe(newest[Math.floor(newest.length / 2)])
    }
  })

  test('is another one for several parts at once, and what is not measured is taken from the other', () => {
    const timePerByte = createTimePerByte()
    for (let i = 0; i < 5; i++) timePerByte.finished(100, 1000, 1)
    expect(timePerByte.msPerByte(7)).toBe(10)
    for (let i = 0; i < 5; i++) timePerByte.finished(200, 1000, 2)
    expect([timePerByte.msPerByte(1), timePerByte.msPerByte(7)]).toEqual([10, 5])
  })
})

describe('a flight is overdue', () => {
  test.each([
    ['at half as long again as its peers needed', 10_000, 1, 1, 15_000],
    ['not before two seconds more than that', 500, 1, 1, 2500],
    ['by its own size: a large one is given longer', 10_000, 5, 1, 75_000],
    ['later, when little is left of what may be copied twice', 10_000, 1, 0.25, 30_000],
  ])('%s', (_, totalBytes, msPerByte, leftShare, ms) => {
    expect(overdueMs({ startedMs: 1000, totalBytes }, msPerByte, leftShare)).toBe(1000 + ms)
  })
})

describe('the one that is picked', () => {
  const flights = [
    { name: 'new', startedMs: 9000, totalBytes: 10_000, items: [{}] },
    { name: 'old', startedMs: 0, totalBytes: 10_000, items: [{}] },
    { name: 'small and old', startedMs: 1000, totalBytes: 1000, items: [{}] },
  ]

  test('is the first to be overdue', () => {
    expect(pickStraggler(flights, () => 1, 1)).toEqual({ flight: flights[2], dueMs: 4000 })
  })

  test('is none where nobody knows the time per byte, or nothing flies', () => {
    expect(pickStraggler(flights, () => undefined, 1)).toBeUndefined()
    expect(pickStraggler([], () => 1, 1)).toBeUndefined()
  })

  test('has no other that is due before it', () => {
    const flight = fc.record({ startedMs: fc.nat(1e6), totalBytes: fc.nat(1e9), items: fc.constant([{}]) })
    fc.assert(
      fc.property(
        fc.array(flight, { minLength: 1 }),
        fc.double({ min: 1e-9, max: 1, noNaN: true }),
        (some, msPerByte) => {
          const { dueMs } = pickStraggler(some, () => msPerByte, 1)
          expect(dueMs).toBe(Math.min(...some.map(one => overdueMs(one, msPerByte, 1))))
        },
      ),
    )
  })
})

describe('the budget', () => {
  const parts = (count, bytes) => Array.from({ length: count }, () => ({ bytes }))

  test('is a twentieth of the bytes', () => {
    const budget = createBudget()
    for (const each of [parts(400, 10), parts(600, 10)]) budget.add(each)
    expect([budget.allows(500), budget.allows(501), budget.allows(0)]).toEqual([true, false, false])
    budget.spend(495)
    expect([budget.allows(5), budget.allows(6)]).toEqual([true, false])
  })

  test('is one part at least', () => {
    const budget = createBudget()
    budget.add(parts(3, 10))
    expect(budget.allows(10)).toBe(true)
    budget.spend(10)
    expect(budget.allows(1)).toBe(false)
  })
})
