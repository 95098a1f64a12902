'use strict'

const { createQuota } = require('../../../../lib/schedule/limits/quota')

const MINUTE = 60_000
const at = (minute, ms = 0) => minute * MINUTE + ms

test('lets as many start as a minute allows, and then waits for the next, and a little', () => {
  const quota = createQuota(3, () => 0.5)
  for (let i = 0; i < 3; i++) {
    expect(quota.waitMs(at(7, 20_000))).toBe(0)
    expect(quota.left(at(7, 20_000))).toBe(3 - i)
    quota.started(at(7, 20_000))
  }
  expect(quota.left(at(7, 20_000))).toBe(0)
  expect(quota.waitMs(at(7, 20_000))).toBe(40_000 + 1000 + 500)
  expect(quota.waitMs(at(8, 1499))).toBe(1)
  expect(quota.waitMs(at(8, 1500))).toBe(0)
  expect(quota.left(at(8, 1500))).toBe(3)
})

test('a refusal shuts the minute, and teaches how many are allowed', () => {
  const quota = createQuota(Number.POSITIVE_INFINITY, () => 0)
  for (let i = 0; i < 100; i++) quota.started(at(1, 1000))
  expect(quota.waitMs(at(1, 1000))).toBe(0)
  quota.refused({ nowMs: at(1, 1000), allowed: 60 })
  expect(quota.perMinute()).toBe(60)
  expect(quota.waitMs(at(1, 1000))).toBe(60_000)
})

describe('a refusal without a number', () => {
  test('means fewer than were asked, where nothing else is known', () => {
    const quota = createQuota(Number.POSITIVE_INFINITY, () => 0)
    for (let i = 0; i < 21; i++) quota.started(at(1, 1000))
    quota.refused({ nowMs: at(1, 6000) })
    expect(quota.perMinute()).toBe(20)
  })

  test('is believed no further than ten: somebody else may have used up the minute', () => {
    const quota = createQuota(Number.POSITIVE_INFINITY, () => 0)
    quota.started(at(1, 6000))
    quota.refused({ nowMs: at(1, 6000) })
    expect(quota.perMinute()).toBe(10)
  })

  test('is a guess, and doubled after a minute that was used up and not refused', () => {
    const quota = createQuota(Number.POSITIVE_INFINITY, () => 0)
    quota.refused({ nowMs: at(1, 6000) })
    for (let i = 0; i < 10; i++) quota.started(at(2, 6000))
    expect(quota.left(at(3, 6000))).toBe(20)
    quota.refused({ nowMs: at(3, 6000), allowed: 15 })
    for (let i = 0; i < 15; i++) quota.started(at(4, 6000))
    expect(quota.left(at(5, 6000))).toBe(15)
  })
})

test('a refusal with a higher number does not raise what was given', () => {
  const quota = createQuota(30, () => 0)
  quota.refused({ nowMs: at(1, 6000), allowed: 60 })
  expect(quota.perMinute()).toBe(30)
})

test('two refusals of one minute shut it once', () => {
  let chance = 0
  const quota = createQuota(60, () => chance)
  quota.refused({ nowMs: at(1, 6000), allowed: 60 })
  chance = 1
  quota.refused({ nowMs: at(1, 30_000), allowed: 60 })
  expect(quota.waitMs(at(1, 30_000))).toBe(31_000)
})
