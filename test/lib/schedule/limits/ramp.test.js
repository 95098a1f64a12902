'use strict'

const { createRamp } = require('../../../../lib/schedule/limits/ramp')

test('lets so many start at a time, and then so many a second', () => {
  const ramp = createRamp({ atOnce: 3, perSecond: 2 })
  for (let inFlight = 1; inFlight <= 3; inFlight++) {
    expect(ramp.waitMs(1_000, inFlight - 1)).toBe(0)
    ramp.started(1_000, inFlight)
  }
  expect(ramp.waitMs(1_000, 3)).toBe(500)
  expect(ramp.waitMs(1_400, 3)).toBe(100)
  expect(ramp.waitMs(1_500, 3)).toBe(0)
  ramp.started(1_500, 4)
  expect(ramp.waitMs(1_500, 4)).toBe(500)
})

test('what was started once is there', () => {
  const ramp = createRamp({ atOnce: 3, perSecond: 2 })
  for (let inFlight = 1; inFlight <= 3; inFlight++) ramp.started(1_000, inFlight)
  expect(ramp.waitMs(1_000, 2)).toBe(0)
  ramp.started(1_000, 3)
  expect(ramp.waitMs(1_000, 3)).toBe(500)
})

test('a long time without a start allows no more at a time', () => {
  const ramp = createRamp({ atOnce: 3, perSecond: 2 })
  ramp.started(1_000, 1)
  for (let inFlight = 2; inFlight <= 4; inFlight++) {
    expect(ramp.waitMs(100_000, inFlight - 1)).toBe(0)
    ramp.started(100_000, inFlight)
  }
  expect(ramp.waitMs(100_000, 4)).toBe(500)
})

test('a clock that is set back allows nothing more', () => {
  const ramp = createRamp({ atOnce: 1, perSecond: 2 })
  ramp.started(100_000, 1)
  expect(ramp.waitMs(50_000, 1)).toBe(500)
  expect(ramp.waitMs(50_500, 1)).toBe(0)
})
