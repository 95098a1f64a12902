'use strict'

const fc = require('fast-check')
const { createBandwidth } = require('../../../../lib/schedule/limits')

const MiB = 1024 ** 2

test('is shared evenly by those that may start now', () => {
  const bandwidth = createBandwidth({ bytesPerSecond: 12 * MiB, least: MiB })
  for (const coming of [4, 3, 2, 1]) bandwidth.take({ coming }, coming)
  expect(bandwidth.isFree(4)).toBe(false)
  const shares = createBandwidth({ bytesPerSecond: 12 * MiB, least: MiB })
  expect(shares.shareFor(4)).toBe(3 * MiB)
})

test('is waited for by one that would get far less than the others', () => {
  const bandwidth = createBandwidth({ bytesPerSecond: 12 * MiB, least: MiB })
  for (const coming of [5, 4, 3, 2]) bandwidth.take({ coming }, coming)
  expect(bandwidth.isFree(5)).toBe(true)
  expect(bandwidth.isFree(2)).toBe(false)
})

test('goes to the last one as a whole, which nobody shares with it', () => {
  const bandwidth = createBandwidth({ bytesPerSecond: 12 * MiB, least: MiB })
  const first = {}
  bandwidth.take(first, 12)
  expect(bandwidth.of(first)).toBe(MiB)
  expect(bandwidth.shareFor(1)).toBe(11 * MiB)
  bandwidth.release(first)
  expect(bandwidth.of(first)).toBeUndefined()
  expect(bandwidth.shareFor(1)).toBe(12 * MiB)
})

test('is never exceeded by all shares together, and none is below the least', () => {
  const step = fc.record({ ends: fc.nat({ max: 3 }), coming: fc.integer({ min: 1, max: 2_000 }) })
  fc.assert(
    fc.property(
      fc.integer({ min: 64 * 1024, max: 2 ** 34 }),
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(step, { maxLength: 200 }),
      (bytesPerSecond, atOnce, steps) => {
        const least = Math.floor(bytesPerSecond / atOnce)
        const bandwidth = createBandwidth({ bytesPerSecond, least })
        const running = []
        for (const { ends, coming } of steps) {
          for (const over of running.splice(0, ends)) bandwidth.release(over)
          if (!bandwidth.isFree(atOnce)) continue
          running.push({})
          bandwidth.take(running.at(-1), coming)
          expect(bandwidth.of(running.at(-1))).toBeGreaterThanOrEqual(least)
          const sum = running.reduce((total, one) => total + bandwidth.of(one), 0)
          expect(sum).toBeLessThanOrEqual(bytesPerSecond)
        }
        for (const over of running) bandwidth.release(over)
        expect(bandwidth.isFree(atOnce)).toBe(true)
      },
    ),
  )
})
