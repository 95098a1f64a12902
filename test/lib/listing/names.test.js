'use strict'

/** The order of names, and where to cut a range. */

const fc = require('fast-check')
const { SIGNS, anyName, byBytes } = require('./names')
const { compareNames } = require('../../../lib/listing')
const { guessCut } = require('../../../lib/listing/names')

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

test('where to cut is always between the last name and the end', () => {
  const anyRest = fc.uniqueArray(anyName({ maxLength: 6 }), { minLength: 2, maxLength: 8 })
  fc.assert(
    fc.property(anyName({ maxLength: 4 }), anyRest, fc.boolean(), fc.nat({ max: 6 }), (start, rest, open, failures) => {
      const names = rest.map(name => start + name).sort(compareNames)
      const high = open ? undefined : names.pop()
      const cut = guessCut({ names, high }, failures)
      if (cut === undefined) return
      expect(compareNames(names.at(-1), cut)).toBeLessThan(0)
      if (high !== undefined) expect(compareNames(cut, high)).toBeLessThan(0)
      expect(cut.isWellFormed()).toBe(true)
    }),
    { numRuns: 200 },
  )
})
