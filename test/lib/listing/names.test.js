'use strict'

/** The order of names, the middle of two, and where to cut a range. */

const fc = require('fast-check')
const { SIGNS, anyName, byBytes } = require('./names')
const { middleOf } = require('../../../lib/listing/middle')
const { compareNames } = require('../../../lib/listing')
const { guessCut } = require('../../../lib/listing/guess')

/** Names with a beginning in common, so that they differ far behind as well. */
const anyTwo = fc.tuple(anyName(), anyName(), anyName()).map(([shared, a, b]) => [shared + a, shared + b])

test('the order of names is that of their UTF-8 bytes', () => {
  fc.assert(
    fc.property(anyTwo, ([a, b]) => {
      expect(Math.sign(compareNames(a, b))).toBe(byBytes(a, b))
    }),
    { numRuns: 200 },
  )
  for (const a of SIGNS) for (const b of SIGNS) expect(Math.sign(compareNames(a, b))).toBe(byBytes(a, b))
})

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
  ['\ud7ff', '\ue000', /^\ud7ff[N-P]$/],
  ['😀', undefined, /^.$/u],
])('between %j and %j lies what matches %s', (low, high, expected) => {
  expect(middleOf(low, high)).toMatch(expected)
})

describe('where to cut', () => {
  test('is always between the last name and the end', () => {
    const anyRest = fc
      .tuple(
        anyName({ maxLength: 4 }),
        fc.uniqueArray(anyName({ maxLength: 6 }), { minLength: 2, maxLength: 8 }),
        fc.boolean(),
        fc.nat({ max: 6 }),
      )
      .map(([beginning, rest, open, failures]) => {
        const names = rest.map(name => beginning + name).sort(compareNames)
        const high = open ? undefined : names.pop()
        return { names, high, failures }
      })
    fc.assert(
      fc.property(anyRest, ({ names, high, failures }) => {
        const cut = guessCut({ names, high }, failures)
        if (cut === undefined) return
        expect(compareNames(names.at(-1), cut)).toBeLessThan(0)
        if (high !== undefined) expect(compareNames(cut, high)).toBeLessThan(0)
        expect(cut.isWellFormed()).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
