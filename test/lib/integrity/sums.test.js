'use strict'

/** Arithmetic and comparison of checksums. */

const fc = require('fast-check')
const { createSums } = require('../../../actions/copy-range/sums')
const { compareSums, differenceOf, only, publicSums, sameCrcs, sumsOfParts } = require('../../../lib/integrity')
const { combine } = require('../../../lib/integrity/sums')

const KINDS = ['crc32', 'crc32c', 'crc64nvme']

/** @param {Buffer} data */
function sumsOf(data, kinds = KINDS) {
  const sums = createSums(kinds)
  sums.update(data)
  return sums.digest()
}

test('only what is known of every part is known of the whole', () => {
  const parts = [KINDS, ['crc32c']].map(kinds => ({ bytes: 1, sums: sumsOf(Buffer.from('a'), kinds) }))
  expect(Object.keys(sumsOfParts(parts))).toEqual(['crc32c'])
  expect(sumsOfParts([...parts, { bytes: 1, sums: {} }])).toEqual({})
  // Of one part also its MD5.
  const sums = { crc32: '00000001', md5: 'a' }
  expect(sumsOfParts([{ bytes: 1, sums }])).toEqual(sums)
})

test.each([
  [{}, {}],
  [{ md5: 'a' }, { sums: { md5: 'a' } }],
  ...[{ crc32: '00000001', md5: 'a' }].map(sums => [sums, { crc32: 'AAAAAQ==', sums }]),
])('%j are told as %j', (sums, told) => expect(publicSums(sums)).toStrictEqual(told))

test('those of some names are those that are known', () => {
  expect(only({ crc32: 'a', md5: 'b' }, ['crc32', 'crc32c'])).toStrictEqual({ crc32: 'a' })
  expect(only(undefined, ['crc32'])).toStrictEqual({})
})

test('what differs is told: the first one, and only of what both have', () => {
  const [one, other] = [1, 2].map(n => ({ crc32: '00000000', crc32c: `0000000${n}`, md5: `${n}` }))
  expect(differenceOf(one, other)).toEqual({ words: 'CRC-32C', one: 'AAAAAQ==', other: 'AAAAAg==' })
  expect(differenceOf(one, other, ['crc32', 'md5'])).toEqual({ words: 'MD5', one: '1', other: '2' })
  for (const [a, b] of [[one, one], [one], [undefined, other]]) expect(differenceOf(a, b)).toBeUndefined()
})

test.each([
  [{ crc32: 'a' }, { crc32: 'a' }, { equal: ['crc32'] }, true],
  [{ crc32: 'a', crc32c: 'c' }, { crc32: 'a', crc32c: 'd' }, { equal: ['crc32'], differs: 'crc32c' }, false],
  [{ md5: 'a' }, { md5: 'a' }, { equal: [] }, false],
])('%j and %j', (one, other, compared, same) => {
  expect([compareSums(one, other), sameCrcs(one, other)]).toEqual([compared, same])
})

/** @param {string} kind @param {Uint8Array[]} pieces */
function direct(kind, ...pieces) {
  const sums = createSums([kind])
  for (const piece of pieces) sums.update(piece)
  return sums.digest()[kind]
}

describe.each(KINDS)('combined %s', kind => {
  const digits = kind === 'crc64nvme' ? 16 : 8

  test('of any parts it is that of the whole', () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 12 }), pieces => {
        const parts = pieces.map(piece => ({ sums: { [kind]: direct(kind, piece) }, bytes: piece.length }))
        expect(combine(kind, parts)).toBe(direct(kind, ...pieces))
      }),
    )
  })

  test('of sizes beyond 32 bits it is the same in any grouping', () => {
    const sum = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits })
    const part = fc.record({ sums: fc.record({ [kind]: sum }), bytes: fc.integer({ min: 0, max: 2 ** 44 }) })
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const ab = { sums: { [kind]: combine(kind, [a, b]) }, bytes: a.bytes + b.bytes }
        const bc = { sums: { [kind]: combine(kind, [b, c]) }, bytes: b.bytes + c.bytes }
        const whole = combine(kind, [a, b, c])
        expect([combine(kind, [ab, c]), combine(kind, [a, bc])]).toEqual([whole, whole])
      }),
    )
  })
})
