'use strict'

const { systemClock } = require('../../../lib/async')

const DAY_MS = 24 * 3_600_000

afterEach(() => jest.useRealTimers())

test('a timer of a hundred days fires after a hundred days, and not at once', () => {
  jest.useFakeTimers()
  const fired = jest.fn()
  systemClock.setTimeout(fired, 100 * DAY_MS)
  jest.advanceTimersByTime(100 * DAY_MS - 1)
  expect(fired).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  expect(fired).toHaveBeenCalledTimes(1)
})

test('and can be cleared on the way', () => {
  jest.useFakeTimers()
  const fired = jest.fn()
  const timer = systemClock.setTimeout(fired, 100 * DAY_MS)
  jest.advanceTimersByTime(60 * DAY_MS)
  systemClock.clearTimeout(timer)
  jest.advanceTimersByTime(60 * DAY_MS)
  expect(fired).not.toHaveBeenCalled()
  systemClock.clearTimeout(undefined)
})

test('the time does not step with the clock of the machine', () => {
  const before = systemClock.now()
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 20 * 60_000)
  try {
    expect(Math.abs(systemClock.now() - before)).toBeLessThan(60_000)
    expect(Number.isInteger(systemClock.now())).toBe(true)
  } finally {
    now.mockRestore()
  }
})
