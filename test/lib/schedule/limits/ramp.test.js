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

test('a clock that is set back allows nothing more', () => {
  const ramp = createRamp({ atOnce: 1, perSecond: 2 })
  ramp.started(100_000, 1)
  expect(ramp.waitMs(50_000, 1)).toBe(500)
  expect(ramp.waitMs(50_500, 1)).toBe(0)
})
