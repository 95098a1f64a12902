'use strict'

const fc = require('fast-check')
const { trustParts } = require('../../../lib/destination')

const PARTS = [1, 2, 3].map(partNumber => ({
  partNumber,
  start: (partNumber - 1) * 5,
  bytes: partNumber === 3 ? 2 : 5,
}))
const numbersOf = trusted => trusted.map(({ partNumber }) => partNumber)

/** One part as the journal and as the store have it. */
function trusted(known, found, checked = true) {
  const journal = new Map(
    known ? [[1, { partNumber: 1, bytes: 5, etag: '"a"', sums: { crc32: '00000007' }, ...known }]] : [],
  )
  const stored = found ? [{ partNumber: 1, bytes: 5, etag: '"a"', ...found }] : []
  return trustParts(PARTS, journal, stored, { checked })
}

test.each([
  ['in neither', undefined, undefined, []],
  ['in the journal alone', {}, undefined, []],
  ['in the store alone, without a checksum', undefined, {}, []],
  ['in the store alone, with a checksum', undefined, { sums: { crc32: '00000009' } }, [9]],
  ['in both, with equal ETags', {}, {}, [7]],
  ['in both, with ETags that differ in their quotes', {}, { etag: 'a' }, [7]],
  ['in both, with equal checksums too', {}, { sums: { crc32: '00000007' } }, [7]],
  ['in both, with other ETags', {}, { etag: '"b"' }, []],
  [
    'in both, with other ETags and equal checksums, as of a twin where ETags are none',
    {},
    { etag: '"b"', sums: { crc32: '00000007' } },
    [7],
  ],
  ['in both, with equal ETags and other checksums', {}, { sums: { crc32: '00000008' } }, []],
  ['in the store with another size', {}, { bytes: 4, sums: { crc32: '00000007' } }, []],
  ['in the journal with another size', { bytes: 4 }, {}, []],
])('a part %s', (_, known, found, crcs) => {
  expect(trusted(known, found).map(({ sums }) => Number(sums.crc32))).toEqual(crcs)
})

test.each([
  ['that it alone has the checksum of', undefined, { sums: { crc32: '00000009' } }, []],
  ['that has another ETag, and the same checksum', {}, { etag: '"b"', sums: { crc32: '00000007' } }, []],
  ['that has the ETag of the journal', {}, { sums: { crc32: '00000007' } }, [7]],
  ['that has the ETag of the journal, and another checksum', {}, { sums: { crc32: '00000008' } }, []],
])('of a store that may echo what it is sent, a part %s', (_, known, found, crcs) => {
  expect(trusted(known, found, false).map(({ sums }) => Number(sums.crc32))).toEqual(crcs)
})

describe('a part that was copied with --verify none', () => {
  const trust = (known, found, options) =>
    trustParts(PARTS, new Map([[1, { partNumber: 1, bytes: 5, etag: '"a"', ...known }]]), [found], options)
  const there = { partNumber: 1, bytes: 5, etag: '"a"' }

  test('counts if no CRC-32 is required, and does not if one is', () => {
    expect(trust({}, there, { unproved: true })).toMatchObject([{ partNumber: 1, etag: '"a"' }])
    expect(trust({}, there, { unproved: true })[0].sums).toEqual({})
    expect(trust({}, there)).toEqual([])
  })

  test.each([
    ['another ETag', { etag: '"b"' }],
    ['another size', { bytes: 4 }],
  ])('never does with %s', (_, found) => {
    expect(trust({}, { ...there, ...found }, { unproved: true })).toEqual([])
  })

  test('has the CRC-32 that the store keeps of it', () => {
    expect(trust({}, { ...there, sums: { crc32: '00000009' } }, { checked: true })).toMatchObject([
      { sums: { crc32: '00000009' } },
    ])
  })
})

test('of several that the store lists under one number, the one that the journal knows counts', () => {
  const stored = ['"b"', '"a"', '"c"'].map(etag => ({ partNumber: 1, bytes: 5, etag }))
  const trust = etag => trustParts(PARTS, new Map([[1, { bytes: 5, etag, sums: { crc32: '00000007' } }]]), stored)
  expect(trust('"a"')).toMatchObject([{ etag: '"a"' }])
  expect(trust('"d"')).toEqual([])
})

test('it keeps the MD5 that was compared, and takes the ETag that is there now', () => {
  const md5 = '0'.repeat(32)
  const sums = { crc32: '00000007', md5 }
  expect(trusted({ sums }, {})).toMatchObject([{ sums, etag: '"a"' }])
  expect(trusted({}, { etag: '"b"', sums: { crc32: '00000007' } })).toMatchObject([{ etag: '"b"' }])
})

test('whatever stands in either, only parts of the plan count, once and in order, and only what the store has', () => {
  const part = fc.record(
    {
      partNumber: fc.integer({ min: 0, max: 5 }),
      bytes: fc.constantFrom(5, 2, 0),
      etag: fc.constantFrom('"a"', '"b"', 'a'),
      sums: fc.constantFrom({ crc32: '00000001' }, { crc32: '00000002' }),
    },
    { requiredKeys: ['partNumber', 'bytes', 'etag'] },
  )
  const list = fc.array(part, { maxLength: 8 })
  fc.assert(
    fc.property(list, list, (journal, stored) => {
      const known = new Map(journal.filter(({ sums }) => sums !== undefined).map(one => [one.partNumber, one]))
      const found = trustParts(PARTS, known, stored, { checked: true })
      const numbers = numbersOf(found)
      expect(numbers).toEqual([...new Set(numbers)].toSorted())
      for (const { partNumber, bytes, etag, sums } of found) {
        expect(bytes).toBe(PARTS[partNumber - 1].bytes)
        expect(stored.some(one => one.partNumber === partNumber && one.bytes === bytes && one.etag === etag)).toBe(true)
        const journalled = known.get(partNumber)?.sums?.crc32
        const listed = stored.filter(one => one.partNumber === partNumber)
        const sameTag = one => one.etag.replaceAll('"', '') === known.get(partNumber)?.etag.replaceAll('"', '')
        const there = (listed.find(sameTag) ?? listed.at(-1)).sums?.crc32
        expect([journalled, there]).toContain(sums.crc32)
        if (journalled !== undefined && there !== undefined) expect(journalled).toBe(there)
      }
    }),
  )
})
