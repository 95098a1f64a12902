'use strict'

const fc = require('fast-check')
const { agreeConcurrency, shareRate } = require('../../../lib/schedule')

const KiB = 1024
const MiB = 1024 ** 2
const LIMITS = { timeoutMs: 300_000 }
const share = (name, bytesPerSecond, more) =>
  shareRate({ engine: { can: { pace: name === 'local' } }, settings: { bytesPerSecond } }, { limits: LIMITS, ...more })

test.each([
  ['is noted if it was asked for', false, ['CONCURRENCY_LIMITED']],
  ['is not noted of the default', true, []],
])('a concurrency above the limit of the engine %s', (_, usualConcurrency, codes) => {
  const plan = { parts: { length: 500 }, notices: [] }
  const settings = { concurrency: 1000, usualConcurrency }
  const engine = { name: 'local', runsOn: 'machine' }
  expect(agreeConcurrency({ engine, settings }, plan, { concurrent: 64, perMinute: Infinity })).toBe(64)
  expect(plan.notices.map(({ code }) => code)).toEqual(codes)
})

describe.each(['local', 'openwhisk'])('with the engine %s', engine => {
  test.each([
    [10, 100, 2],
    [10, 8, 25],
    [100, 100, 20],
  ])('at %i MiB/s parts of %i MiB are copied %i at once, so that each takes seconds', (rate, part, atOnce) => {
    expect(share(engine, rate * MiB, { concurrency: 64, partBytes: part * MiB }).concurrency).toBe(atOnce)
  })
})

test('functions share it evenly at least, and are so few that each is done in time', () => {
  // 180 of the 300 seconds for 100 MiB: 0.56 MiB a second each.
  const agreed = { concurrency: 1000, partBytes: 100 * MiB, mixed: true }
  const { concurrency, limits } = share('openwhisk', 10 * MiB, agreed)
  expect(concurrency).toBe(18)
  expect(limits).toMatchObject({ ...LIMITS, bandwidth: 10 * MiB, bytesPerSecond: Math.floor((10 * MiB) / 18) })
})

test('a rate at which a function could not copy one part is refused', () => {
  expect(() => share('openwhisk', 512 * KiB, { concurrency: 10, partBytes: 100 * MiB })).toThrow(
    expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('--bandwidth') }),
  )
})

test('the least shares never sum up to more than the rate, and each is something', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 16 * KiB, max: 2 ** 34 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 0, max: 5 * MiB }),
      (bytesPerSecond, concurrency, most) => {
        const partBytes = Math.min(most, bytesPerSecond)
        const shared = share('openwhisk', bytesPerSecond, { concurrency, partBytes })
        expect(shared.concurrency).toBeLessThanOrEqual(concurrency)
        expect(shared.limits.bytesPerSecond).toBeGreaterThanOrEqual(1)
        expect(shared.limits.bytesPerSecond * shared.concurrency).toBeLessThanOrEqual(bytesPerSecond)
      },
    ),
  )
})
