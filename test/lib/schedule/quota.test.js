'use strict'

const { createQuota } = require('../../../lib/schedule/quota')

const MINUTE = 60_000
const at = (minute, ms = 0) => minute * MINUTE + ms

test('lets as many start as a minute allows, and then waits for the next, and a little', () => {
  const quota = createQuota(3, () => 0.5)
  for (let i = 0; i < 3; i++) {
    expect(quota.waitMs(at(7, 20_000))).toBe(0)
    expect(quota.left(at(7, 20_000))).toBe(3 - i)
    quota.spend(at(7, 20_000))
  }
  expect(quota.left(at(7, 20_000))).toBe(0)
  expect(quota.waitMs(at(7, 20_000))).toBe(40_000 + 500 + 750)
  expect(quota.waitMs(at(8, 1249))).toBe(1)
  expect(quota.waitMs(at(8, 1250))).toBe(0)
  expect(quota.left(at(8, 1250))).toBe(3)
})

test('a minute that was not used up leaves nothing for the next', () => {
  const quota = createQuota(3, () => 0)
  quota.spend(at(1))
  expect(quota.left(at(2))).toBe(3)
  for (let i = 0; i < 3; i++) quota.spend(at(2))
  expect(quota.waitMs(at(2))).toBeGreaterThan(MINUTE)
})

test('a refusal shuts the minute, and teaches how many are allowed', () => {
  const quota = createQuota(Number.POSITIVE_INFINITY, () => 0)
  for (let i = 0; i < 100; i++) quota.spend(at(1, 1000))
  expect(quota.waitMs(at(1, 1000))).toBe(0)
  quota.refused(at(1, 1000), 60)
  expect(quota.perMinute()).toBe(60)
  expect(quota.waitMs(at(1, 1000))).toBe(59_500)
})

test('a refusal without a number means fewer than were asked', () => {
  const quota = createQuota(Number.POSITIVE_INFINITY, () => 0)
  for (let i = 0; i < 21; i++) quota.spend(at(1, 1000))
  quota.refused(at(1, 2000), undefined)
  expect(quota.perMinute()).toBe(20)
  quota.refused(at(5), undefined)
  expect(quota.perMinute()).toBe(1)
})

test('two refusals of one minute shut it once', () => {
  let chance = 0
  const quota = createQuota(60, () => chance)
  quota.refused(at(1), 60)
  chance = 1
  quota.refused(at(1, 30_000), 60)
  expect(quota.waitMs(at(1, 30_000))).toBe(30_500)
})
