'use strict'

const fc = require('fast-check')
const { middleOf } = require('../../../lib/listing/middle')
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
    { numRuns: 200 },
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
