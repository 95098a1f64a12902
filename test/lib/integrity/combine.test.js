'use strict'

const fc = require('fast-check')
const { createSums } = require('../../../actions/copy-range/copy/sums')
const { combine } = require('../../../lib/integrity/combine')

const KINDS = ['crc32', 'crc32c', 'crc64nvme']

/** @param {string} kind @param {Uint8Array[]} pieces */
function direct(kind, ...pieces) {
  const sums = createSums([kind])
  for (const piece of pieces) sums.update(piece)
  return sums.digest()[kind]
}

test.each([
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
])('the published value of %s comes of its two halves', (kind, expected) => {
  const parts = ['12345', '6789'].map(text => ({ sum: direct(kind, Buffer.from(text)), bytes: text.length }))
  expect(combine(kind, parts)).toBe(expected)
})

describe.each(KINDS)('%s', kind => {
  const digits = kind === 'crc64nvme' ? 16 : 8

  test('of any parts it is that of the whole', () => {
    const bytes = fc.uint8Array({ maxLength: 300 })
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 12 }), pieces => {
        const parts = pieces.map(piece => ({ sum: direct(kind, piece), bytes: piece.length }))
        expect(combine(kind, parts)).toBe(direct(kind, ...pieces))
      }),
    )
  })

  test('of no parts it is that of no bytes', () => {
    expect(combine(kind, [])).toBe('0'.repeat(digits))
  })

  test('of one part it is its own, with all its digits', () => {
    for (const sum of ['1', 'f', 'ffffffff'].map(text => text.padStart(digits, '0'))) {
      expect(combine(kind, [{ sum, bytes: 12_345 }])).toBe(sum)
    }
  })

  test('of sizes beyond 32 bits it is the same in any grouping', () => {
    const sum = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits })
    const part = fc.record({ sum, bytes: fc.integer({ min: 0, max: 2 ** 44 }) })
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const ab = { sum: combine(kind, [a, b]), bytes: a.bytes + b.bytes }
        const bc = { sum: combine(kind, [b, c]), bytes: b.bytes + c.bytes }
        const whole = combine(kind, [a, b, c])
        expect(combine(kind, [ab, c])).toBe(whole)
        expect(combine(kind, [a, bc])).toBe(whole)
      }),
    )
  })

  test('50,000 equal parts and a shorter one have the sum that they have in one piece', () => {
    const [part, last] = [Buffer.alloc(1024, 'x'), Buffer.alloc(77, 'y')]
    const parts = Array(50_000).fill({ sum: direct(kind, part), bytes: part.length })
    const pieces = Array(50_000).fill(part)
    expect(combine(kind, [...parts, { sum: direct(kind, last), bytes: last.length }])).toBe(
      direct(kind, ...pieces, last),
    )
  })
})
