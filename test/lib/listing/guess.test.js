'use strict'

const fc = require('fast-check')
const { guessCut } = require('../../../lib/listing/guess')
const { compareNames } = require('../../../lib/listing')
const { anyName } = require('./names')

/** The first page of names that are made from numbers. */
const pageOf = (make, count = 1_000, step = 1) => Array.from({ length: count }, (_, i) => make(i * step))
const digits = (n, width) => String(n).padStart(width, '0')

/** How many guesses it takes until one lies below the last name, each that does not being the end of what is looked at. */
function guesses(names, last, { high = undefined } = {}) {
  for (let failures = 0, end = high; ; failures++) {
    const cut = guessCut({ names, high: end }, failures)
    if (cut === undefined || failures > 50) return undefined
    if (compareNames(cut, last) < 0) return { failures, cut }
    end = cut
  }
}

describe('where to cut', () => {
  test.each([
    ['numbers', pageOf(n => digits(n, 8)), '99999999', 0],
    ['hashes', pageOf(n => (n * 65_537 + 2 ** 24).toString(16).padStart(8, '0')), 'ffffffff', 0],
    ['days', pageOf(n => `2016/01/0${1 + (n >> 8)}/${digits(n, 6)}`), '2026/12/31/999999', 4],
    [
      'one deep folder',
      pageOf(n => `one/deep/folder/of/many/names/file-${digits(n, 8)}.dat`),
      `${'one/deep/folder/of/many/names/file-'}99999999.dat`,
      6,
    ],
    ['another alphabet', pageOf(n => `дом/${digits(n, 6)}`), 'яма/999999', 2],
  ])('of %s is found soon', (_, names, last, most) => {
    const found = guesses(names, last)
    expect(found).toBeDefined()
    expect(found.failures).toBeLessThanOrEqual(most)
  })

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
