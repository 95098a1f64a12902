'use strict'

/** Uploads of earlier runs: aborted, found again, and their parts trusted. */

const fc = require('fast-check')
const { abortUntilGone, findLost, trustParts } = require('../../../lib/destination')

test('an abort is waited for no longer than its signal allows', async () => {
  const signal = AbortSignal.timeout(300)
  const stubborn = { upload: { abort: async () => {}, parts: async () => ({ parts: [{ partNumber: 1 }] }) } }
  await expect(abortUntilGone(stubborn, 'key', 'id', signal)).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

describe('of a creation whose answer was lost', () => {
  const MINUTE_MS = 60_000
  const NOW = Date.UTC(2026, 0, 1)

  /** A store that lists these uploads of one key, each without a part. @param {any[]} uploads @param {string[]} [withParts] */
  const listing = (uploads, withParts = []) => ({
    upload: {
      pending: async () => ({ uploads: uploads.map(upload => ({ key: 'key', initiatedMs: NOW, ...upload })) }),
      parts: async ({ uploadId }) => ({ parts: withParts.includes(uploadId) ? [{ partNumber: 1 }] : [] }),
    },
  })
  const find = (store, more = {}) =>
    findLost({ store, key: 'key', createdMs: NOW, known: new Set(), ours: ['ours'], ...more })
  const ours = { id: 'ours', initiator: 'us' }

  test.each([
    ['of the same user may be it', { initiator: 'us' }, ['one']],
    ['of which the store tells no user may be it', {}, ['one']],
    ['of another user is not', { initiator: 'them' }, []],
    ['of long before is not', { initiatedMs: NOW - 5 * MINUTE_MS }, []],
    ['of another key is not', { key: 'key2' }, []],
  ])('one %s', async (_, upload, expected) => {
    expect(await find(listing([ours, { id: 'one', ...upload }]))).toEqual(expected)
  })

  test('one with a part is not, nor one that somebody knows', async () => {
    const uploads = [{ id: 'begun' }, { id: 'known' }, { id: 'young' }]
    expect(await find(listing(uploads, ['begun']), { known: new Set(['known']) })).toEqual(['young'])
  })
})

describe('which parts of an unfinished upload count', () => {
  const PARTS = [5, 5, 2].map((bytes, i) => ({ partNumber: i + 1, start: i * 5, bytes }))
  const EQUAL = { crc32: '00000007' }
  const numbersOf = trusted => trusted.map(({ partNumber }) => partNumber)

  /** One part as the journal and as the store have it. */
  function trusted(known, found, checked = true) {
    const ours = { partNumber: 1, bytes: 5, etag: '"a"', sums: { crc32: '00000007' }, ...known }
    const journal = new Map(known ? [[1, ours]] : [])
    const stored = found ? [{ partNumber: 1, bytes: 5, etag: '"a"', ...found }] : []
    return trustParts(PARTS, journal, stored, { checked })
  }

  test.each([
    ['in neither', undefined, undefined, []],
    ['in the store alone, without a checksum', undefined, {}, []],
    ['in the store alone, with a checksum', undefined, { sums: { crc32: '00000009' } }, [9]],
    ['in both, with equal ETags', {}, {}, [7]],
    ['in both, with other ETags', {}, { etag: '"b"' }, []],
    ['in both, with other ETags and equal checksums, as of a twin', {}, { etag: '"b"', sums: EQUAL }, [7]],
    ['in both, with equal ETags and other checksums', {}, { sums: { crc32: '00000008' } }, []],
    ['in the store with another size', {}, { bytes: 4, sums: { crc32: '00000007' } }, []],
  ])('a part %s', (_, known, found, crcs) => {
    expect(trusted(known, found).map(({ sums }) => Number(sums.crc32))).toEqual(crcs)
  })

  test.each([
    ['that it alone has the checksum of', undefined, { sums: { crc32: '00000009' } }, []],
    ['that has the ETag of the journal', {}, { sums: { crc32: '00000007' } }, [7]],
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
  })

  test('of several that the store lists under one number, the one that the journal knows counts', () => {
    const stored = ['"b"', '"a"', '"c"'].map(etag => ({ partNumber: 1, bytes: 5, etag }))
    const trust = etag => trustParts(PARTS, new Map([[1, { bytes: 5, etag, sums: { crc32: '00000007' } }]]), stored)
    expect(trust('"a"')).toMatchObject([{ etag: '"a"' }])
    expect(trust('"d"')).toEqual([])
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
          expect(stored.some(one => one.partNumber === partNumber && one.bytes === bytes && one.etag === etag)).toBe(
            true,
          )
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
})
