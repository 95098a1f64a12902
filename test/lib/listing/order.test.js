'use strict'

const fc = require('fast-check')
const { compareNames } = require('../../../lib/listing/order')
const { SIGNS, anyName, byBytes } = require('./names')

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

test('the order of UTF-16 differs, so sorting by JavaScript strings would be wrong', () => {
  expect('😀' < '\ufb01').toBe(true)
  expect(compareNames('😀', '\ufb01')).toBeGreaterThan(0)
})
