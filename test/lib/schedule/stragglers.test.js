'use strict'

const { createTimePerByte, overdueMs, pickStraggler } = require('../../../lib/schedule/stragglers')

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
    ['later, the more often its parts are started already', 10_000, 1, 3, 25_000],
  ])('%s', (_, totalBytes, msPerByte, starts, ms) => {
    const items = [{ flights: new Set() }, { flights: new Set(Array(starts).keys()) }]
    expect(overdueMs({ startedMs: 1000, totalBytes, items }, msPerByte)).toBe(1000 + ms)
  })
})

describe('the one that is picked', () => {
  const items = [{ flights: new Set([1]) }]
  const flights = [
    { name: 'new', startedMs: 9000, totalBytes: 10_000, items },
    { name: 'old', startedMs: 0, totalBytes: 10_000, items },
    { name: 'small and old', startedMs: 1000, totalBytes: 1000, items },
  ]

  test('is the first to be overdue', () => {
    expect(pickStraggler(flights, () => 1)).toEqual({ flight: flights[2], dueMs: 4000 })
  })

  test('is none where nobody knows the time per byte, or nothing flies', () => {
    expect(pickStraggler(flights, () => undefined)).toBeUndefined()
    expect(pickStraggler([], () => 1)).toBeUndefined()
  })
})
