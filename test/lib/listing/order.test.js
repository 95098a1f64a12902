'use strict'

const fc = require('fast-check')
const { compareNames, countUpTo, sharedLength } = require('../../../lib/listing/order')
const { SIGNS, anyName, byBytes } = require('./names')

/** Names with a beginning in common, so that they differ far behind as well. */
const anyTwo = fc.tuple(anyName(), anyName(), anyName()).map(([shared, a, b]) => [shared + a, shared + b])

test('the order of names is that of their UTF-8 bytes', () => {
  fc.assert(
    fc.property(anyTwo, ([a, b]) => {
      expect(Math.sign(compareNames(a, b))).toBe(byBytes(a, b))
    }),
    { numRuns: 2_000 },
  )
  for (const a of SIGNS) for (const b of SIGNS) expect(Math.sign(compareNames(a, b))).toBe(byBytes(a, b))
})

test('the order of UTF-16 differs, so sorting by JavaScript strings would be wrong', () => {
  expect('😀' < '\ufb01').toBe(true)
  expect(compareNames('😀', '\ufb01')).toBeGreaterThan(0)
})

test('the common beginning of two names is of whole characters, and the next ones differ', () => {
  fc.assert(
    fc.property(anyTwo, ([a, b]) => {
      const length = sharedLength(a, b)
      expect(a.slice(0, length)).toBe(b.slice(0, length))
      expect(a.slice(0, length).isWellFormed()).toBe(true)
      if (a !== b) expect(a.codePointAt(length)).not.toBe(b.codePointAt(length))
    }),
  )
  expect(sharedLength('x😀', 'x😁')).toBe(1)
  expect(sharedLength('x😀', 'x😀y')).toBe(3)
})

test('counts the names that are not above a given one', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyName({ maxLength: 4 }), { maxLength: 30 }),
      anyName({ maxLength: 4 }),
      (names, name) => {
        const sorted = names.sort(byBytes)
        expect(countUpTo(sorted, name)).toBe(sorted.filter(one => byBytes(one, name) <= 0).length)
      },
    ),
  )
})
