'use strict'

/** The sizes of the parts of a stream: what fits, and that no part is larger than what is held or taken. */

const fc = require('fast-check')
const { createPartSizes } = require('../../../lib/stream/up/part-sizes')

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const TiB = 1024 ** 4
const S3 = { minBytes: 5 * MiB, maxBytes: 5 * GiB, maxParts: 10_000, equalParts: false }
const USUAL = { limits: S3 }

/** The sizes of the parts of a stream of so many bytes. */
function cut({ bytesOf, maxParts }, bytes) {
  const parts = []
  for (let start = 0; start < bytes && parts.length < maxParts; start += parts.at(-1)) {
    parts.push(bytesOf(parts.length + 1, start))
  }
  return parts
}

it('begins with 8 MiB, doubles with each tenth of the parts, and says what fits', () => {
  const sizes = createPartSizes(USUAL)
  expect([sizes.first, sizes.bytesOf(10_000, sizes.most)]).toEqual([8 * MiB, 256 * MiB])
  expect(sizes.most).toBe(1000 * (8 + 16 + 32 + 64 + 128) * MiB + 5000 * 256 * MiB)
  expect(cut(sizes, 200 * GiB).length).toBeLessThan(5_000)
})

it('takes equal parts that are large enough where the size is known, and grows only beyond it', () => {
  const sizes = createPartSizes({ ...USUAL, sizeBytes: 1000 * GiB })
  const parts = cut(sizes, 1000 * GiB)
  expect(new Set(parts).size).toBe(1)
  expect(parts.length).toBeLessThan(9_001)
  expect(sizes.bytesOf(9_500, 1001 * GiB)).toBe(256 * MiB)
  expect(createPartSizes({ ...USUAL, sizeBytes: 1 }).first).toBe(8 * MiB)
  // A size that was too small costs nothing.
  expect(createPartSizes({ ...USUAL, sizeBytes: MiB }).most).toBeGreaterThan(1.4 * TiB)
})

it('keeps all parts equal for a store that wants that', () => {
  const sizes = createPartSizes({ ...USUAL, limits: { ...S3, equalParts: true } })
  expect([sizes.bytesOf(1, 0), sizes.bytesOf(10_000, TiB)]).toEqual([64 * MiB, 64 * MiB])
  expect(sizes.most).toBe(625 * GiB)
})

it.each([
  [{ sizeBytes: 5 * TiB }, /parts of at most 256 MiB.*--size can be 2,250 GiB at most/, /a file/],
  [{ chunkBytes: 300 * MiB }, /parts of at most 256 MiB/, /a smaller --chunk/],
])('refuses %j, and says what would do', (asked, text, advice) => {
  expect(() => createPartSizes({ ...USUAL, ...asked })).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: expect.stringMatching(text),
      hint: expect.stringMatching(advice),
    }),
  )
})

it('keeps within the limits of every store', () => {
  const cases = fc.record({
    minMib: fc.integer({ min: 1, max: 8 }),
    maxMib: fc.integer({ min: 100, max: 6000 }),
    maxParts: fc.integer({ min: 10, max: 2_000 }),
    equalParts: fc.boolean(),
  })
  fc.assert(
    fc.property(cases, ({ minMib, maxMib, maxParts, equalParts }) => {
      const limits = { minBytes: minMib * MiB, maxBytes: maxMib * MiB, maxParts, equalParts }
      const sizes = createPartSizes({ limits })
      const parts = cut(sizes, sizes.most)
      expect(parts.length).toBe(maxParts)
      expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBe(sizes.most)
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(limits.minBytes)
      expect(Math.max(...parts)).toBeLessThanOrEqual(Math.min(limits.maxBytes, 256 * MiB))
    }),
    { numRuns: 100 },
  )
})
