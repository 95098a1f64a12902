'use strict'

const fc = require('fast-check')
const { middleOf, positionOf } = require('../../../lib/listing/middle')
const { compareNames } = require('../../../lib/listing')
const { anyName } = require('./names')

/** The least that a name can be longer: NUL is never sent. */
const isNext = (low, high) => high === `${low}\u0001`

/** @returns {[string, string | undefined]} in order */
const anyBounds = fc
  .tuple(anyName(), anyName(), fc.option(anyName({ minLength: 1 }), { nil: undefined }))
  .filter(([, a, b]) => a !== b)
  .map(([shared, a, b]) => (b === undefined ? [shared + a, b] : [shared + a, shared + b].sort(compareNames)))

test('the middle of two names is strictly between them, and text that can be sent', () => {
  fc.assert(
    fc.property(anyBounds, ([low, high]) => {
      const middle = middleOf(low, high)
      if (middle === undefined) {
        expect(isNext(low, high)).toBe(true)
        return
      }
      expect(compareNames(low, middle)).toBeLessThan(0)
      if (high !== undefined) expect(compareNames(middle, high)).toBeLessThan(0)
      expect(middle.isWellFormed()).toBe(true)
      expect(middle).not.toContain('\0')
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['', undefined, /^[N-P]$/],
  ['a', 'c', /^b$/],
  ['photos/2020', 'photos/2028', /^photos\/2024$/],
  ['0', '9', /^[45]$/],
  ['a', 'b', /^a[A-Za-z]$/],
  ['a', 'b/c', /^b$/],
  ['ax', 'b', /^a[yz]$/],
  ['a~', 'b', /^a.$/u],
  ['дa', 'яa', /^[\u0435-\u044f]$/],
  ['\ud7ff', '\ue000', /^\ud7ff[N-P]$/],
  ['😀', undefined, /^.$/u],
])('between %j and %j lies what matches %s', (low, high, expected) => {
  expect(middleOf(low, high)).toMatch(expected)
})

test('halving comes to an end: any two names are soon on two sides of a middle', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyName({ maxLength: 8 }), { minLength: 2, maxLength: 2 }), names => {
      const [x, y] = names.sort(compareNames)
      fc.pre(!isNext(x, y))
      let [low, high] = ['', undefined]
      // Each character of what they share takes as many steps as there are bits in it, and some.
      let steps = 24 * (Math.max(x.length, y.length) + 2)
      for (;;) {
        const middle = middleOf(low, high)
        expect(middle).toBeDefined()
        if (compareNames(x, middle) <= 0 && compareNames(middle, y) < 0) break
        if (compareNames(middle, x) < 0) low = middle
        else high = middle
        expect(steps--).toBeGreaterThan(0)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a name that stands behind another one has no lower position', () => {
  fc.assert(
    fc.property(anyName(), anyName(), (a, b) => {
      const [low, high] = [a, b].sort(compareNames).map(name => positionOf(name, 0))
      expect(low).toBeLessThanOrEqual(high + 1e-12)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1 + 1e-12)
    }),
    { numRuns: 2_000 },
  )
})
