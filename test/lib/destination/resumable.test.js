'use strict'

/** Lists of uploads and of parts, as stores really answer them. */

const fc = require('fast-check')
const destination = require('../../../lib/destination')
const { abortUntilGone, listNow, listStored, listUploads, refreshEtags, trustParts, uploadsOf } = destination
const { errorOf } = require('../../support/rigged-store')

const refusal = (code, facts) => () => {
  throw errorOf(code, facts)
}
const up = (key, id = `id-${key}`) => ({ key, id })

/** A store that answers the pages in turn, and what it was asked for. */
function storeOf(pages, can = {}) {
  const asked = []
  const left = [...pages]
  const pending = async ({ prefix, marker }) => {
    const from = marker && [marker.key, marker.id].filter(Boolean).join(' ')
    asked.push(from === undefined ? prefix : `${prefix} < ${from}`)
    const page = left.shift()
    if (typeof page === 'function') return page()
    const [uploads, next] = page
    return { uploads, next }
  }
  return { store: { can, facts: { side: 'destination', bucket: 'bucket' }, upload: { pending } }, asked }
}

async function endOf(uploads) {
  const found = []
  try {
    for await (const { key, id } of uploads) found.push(id === `id-${key}` ? key : `${key} ${id}`)
  } catch ({ code, facts }) {
    found.push([code, facts.reason ?? facts.advice].filter(Boolean).join(': '))
  }
  return found
}

const dir = up('dir/a')
const busy = refusal('STORE_UNREACHABLE')
const denied = refusal('ACCESS_DENIED', { needsToClear: 's3:ListX' })
const refused = refusal('STORE_REFUSED')

const UNLISTED = 'STORE_REFUSED: it does not list the multipart uploads of a container'
const MARKED = [[dir], { key: 'dir/a', id: '1' }]
const TWO = [[dir, up('dir/a', '2')], { key: 'dir/a' }]
const STUCK = 'BAD_ANSWER: its listing of uploads does not move on'
const KEYED = [[dir], { key: 'dir/a' }]
test.each([
  ['are those that are listed', [[[dir]]], ['dir/a'], ['dir/']],
  ['are those below it alone', [[[up('other'), dir]]], ['dir/a'], ['dir/']],
  ['are on several pages', [MARKED, [[up('dir/b')]]], ['dir/a', 'dir/b'], ['dir/', 'dir/ < dir/a 1']],
  ['are each told once', [TWO, [[dir, up('dir/c')]]], ['dir/a', 'dir/a 2', 'dir/c'], ['dir/', 'dir/ < dir/a']],
  ['are looked for among all if there are none', [[[]], [[up('a'), dir]]], ['dir/a'], ['dir/', '']],
  ['are so if only others were listed', [[[up('a')]], [[dir]]], ['dir/a'], ['dir/', '']],
  ['are none where nobody may list all', [[[]], denied], [], ['dir/', '']],
  ['are unknown after another error', [[[]], busy], ['STORE_UNREACHABLE: why'], ['dir/', '']],
  ['are unknown where the list does not move on', [KEYED, KEYED], ['dir/a', STUCK], ['dir/', 'dir/ < dir/a']],
  ['are unknown where nobody may list them', [denied], ['ACCESS_DENIED: why'], ['dir/']],
  ['are unknown where they are not listed', [refused], [UNLISTED], ['dir/']],
  ['are unknown where the list is no key', [refusal('NO_SUCH_KEY', { noSuchKey: true })], [UNLISTED], ['dir/']],
  ['are unknown after an error', [busy], ['STORE_UNREACHABLE: why'], ['dir/']],
  [
    'are listed by the key, where the store does not take its own marker',
    [MARKED, refused, [[up('dir/a', '2')]], [[up('dir/b')]]],
    ['dir/a', 'dir/a 2', 'dir/b'],
    ['dir/', 'dir/ < dir/a 1', 'dir/a', 'dir/ < dir/a'],
  ],
  ['are not so after another error', [MARKED, busy], ['dir/a', 'STORE_UNREACHABLE: why'], ['dir/', 'dir/ < dir/a 1']],
  ['are not so where the marker is a key', [KEYED, refused], ['dir/a', UNLISTED], ['dir/', 'dir/ < dir/a']],
])('uploads below a prefix %s', async (_, pages, expected, calls) => {
  const { store, asked } = storeOf(pages)
  expect([await endOf(listUploads(store, 'dir/')), asked]).toEqual([expected, calls])
})

test('uploads below a prefix are not looked for among all where the store lists by any prefix, nor twice', async () => {
  const byPrefix = storeOf([[[]]], { listsUploadsByPrefix: true })
  expect([await endOf(listUploads(byPrefix.store, 'dir/')), byPrefix.asked]).toEqual([[], ['dir/']])
  const all = storeOf([[[]]])
  expect([await endOf(listUploads(all.store, '')), all.asked]).toEqual([[], ['']])
})

test('uploads below a prefix tell what right is missing', async () => {
  const { store } = storeOf([denied])
  const advice = 'The credentials need s3:ListX.'
  await expect(listUploads(store, '').next()).rejects.toMatchObject({ facts: { advice } })
})

test.each([
  ['those of longer keys', [[[up('k'), up('k2')]]], ['k'], 1],
  ['those after it', [[[up('k')], { key: 'k2' }]], ['k'], 1],
  ['none of the next page of its own', [[[up('k')], { key: 'k', id: '1' }], [[up('k', '2')]]], ['id-k', '2'], 2],
  ['a page that repeats itself', Array(2).fill([[up('k')], { key: 'k' }]), ['k'], 2],
])('uploads of a key are without %s', async (_, pages, expected, calls) => {
  const { store, asked } = storeOf(pages)
  const found = await uploadsOf({ store, key: 'k' })
  expect(found.map(({ id }) => id)).toEqual(expected.map(id => (id === 'k' ? 'id-k' : id)))
  expect(asked).toHaveLength(calls)
})

test('an abort is waited for no longer than its signal allows', async () => {
  const stubborn = { upload: { abort: async () => {}, parts: async () => ({ parts: [{ partNumber: 1 }] }) } }
  const aborted = abortUntilGone(stubborn, 'key', 'id', AbortSignal.timeout(300))
  await expect(aborted).rejects.toMatchObject({ code: 'INTERRUPTED' })
})

describe('parts', () => {
  const place = parts => ({ store: { facts: {}, upload: { parts } }, key: 'k', uploadId: 'u' })
  /** A store that lists these parts, in pages of so many. */
  function listing(numbers, page = 1000, more = {}) {
    const asked = []
    const parts = async ({ marker, most, ranges }) => {
      asked.push([marker, most, ranges].filter(one => one !== undefined).join(' '))
      const rest = numbers.filter(n => n > Number(marker))
      const found = rest.slice(0, Math.min(most, page))
      return {
        parts: found.map(partNumber => ({ partNumber, bytes: 5, etag: `"${partNumber}"` })),
        next: rest.length > found.length ? String(found.at(-1)) : undefined,
        ...more,
      }
    }
    return { ...place(parts), asked }
  }
  const of = (...numbers) => numbers.map(partNumber => ({ partNumber }))

  test.each([
    ['all of them', [1, 2, 3], 1000, undefined, [1, 2, 3], ['0 1000']],
    ['page by page', [1, 2, 3], 2, undefined, [1, 2, 3], ['0 1000', '2 1000']],
    ['from the lowest to the highest that matters', [1, 2, 3, 4, 5], 1000, of(4, 2), [2, 3, 4], ['1 3']],
    ['and no page more', [1, 2, 3, 4, 5], 2, of(2, 3), [2, 3], ['1 2']],
    ['a page that ends early is not the last', [2, 3, 4, 5], 1, of(2, 3), [2, 3], ['1 2', '2 1']],
  ])('are listed: %s', async (_, numbers, page, parts, expected, asked) => {
    const listed = listing(numbers, page)
    expect((await listStored(listed, parts)).map(({ partNumber }) => partNumber)).toEqual(expected)
    expect(listed.asked).toEqual(asked)
  })

  test('are unknown where the list does not move on', async () => {
    await expect(listStored(listing([1], 1, { next: '0' }))).rejects.toMatchObject({ code: 'BAD_ANSWER' })
  })

  test('are listed with their ranges, where somebody knows them', async () => {
    const listed = listing([1])
    await listStored(listed, of(1), 'ranges')
    expect(listed.asked).toEqual(['0 1 ranges'])
  })

  const CRC = { crc32: '00000007' }
  const FIVE = { bytes: 5, answered: CRC }
  const part = (partNumber, etag = `"${partNumber}"`, sums = {}) => ({ ...FIVE, partNumber, etag, sums })
  /** The parts that the store lists, where each was answered with the ETag of its number. */
  const now = (...parts) => place(async () => ({ parts }))

  test('have the ETags that their store lists now, and forget what was answered of others', async () => {
    const known = [part(1), part(2), part(3), part(4)]
    const { answered, ...second } = part(2)
    const listed = [part(1), { ...part(2), etag: '"b"' }, { ...part(3), bytes: 4 }]
    const found = await listNow(now(...listed), known)
    expect(found.now).toEqual([known[0], { ...second, etag: '"b"' }, known[2], known[3]])
    expect(found.changed).toEqual([{ ...second, etag: '"b"' }])
    expect(found.lost.map(({ partNumber }) => partNumber)).toEqual([3, 4])
  })

  test.each([
    ['are if one has another ETag', [part(1), part(2, '"b"')], {}, ['"1"', '"b"']],
    ['are not if none has', [part(1), part(2)], {}, undefined],
    ['are not if one is lost as well', [part(1, '"b"')], {}, undefined],
    ['are not if one has another size as well', [part(1, '"b"'), { ...part(2), bytes: 4 }], {}, undefined],
    ['are if its checksum is listed', [part(1), part(2, '"b"', CRC)], CRC, ['"1"', '"b"']],
    ['are not if it is not', [part(1), part(2, '"b"')], CRC, undefined],
    ['are not if it is another one', [part(1), part(2, '"b"', { crc32: '00000008' })], CRC, undefined],
    ['are not if the other has no checksum to compare', [part(1, '"b"'), part(2, '"b"')], CRC, undefined],
  ])('that were written twice are refreshed: they %s', async (_, stored, sums, expected) => {
    const found = await refreshEtags(now(...stored), [part(1), part(2, undefined, sums)])
    expect(found?.map(({ etag }) => etag)).toEqual(expected)
  })
})

describe('which parts of an unfinished upload count', () => {
  const PARTS = [5, 5, 2].map((bytes, i) => ({ partNumber: i + 1, start: i * 5, bytes }))
  const [EQUAL, OTHER, NINE] = [7, 8, 9].map(n => ({ crc32: `0000000${n}` }))
  const UNSUMMED = { sums: undefined }
  const ANY = { unproved: true }

  test.each([
    ['in neither', undefined, undefined, ''],
    ['in the store alone, without a checksum', undefined, {}, ''],
    ['in the store alone, with a checksum', undefined, { sums: NINE }, '9'],
    ['in both, with equal ETags', {}, {}, '7'],
    ['in both, with what was answered of it', { answered: NINE }, {}, '7 answered'],
    ['in both, with other ETags', {}, { etag: '"b"' }, ''],
    ['in both, as of a twin with equal checksums', { answered: NINE }, { etag: '"b"', sums: EQUAL }, '7'],
    ['in both, with equal ETags and other checksums', {}, { sums: OTHER }, ''],
    ['in the store with another size', {}, { bytes: 4, sums: EQUAL }, ''],
    ['in the journal with another size', { bytes: 4 }, {}, ''],
    ['that a store may only echo the checksum of', undefined, { sums: NINE }, '', {}],
    ['that it may echo, with another ETag', {}, { etag: '"b"', sums: EQUAL }, '', {}],
    ['that it may echo, with the ETag of the journal', {}, { sums: EQUAL }, '7', {}],
    ['that was copied with --verify none, where a CRC-32 is required', UNSUMMED, {}, ''],
    ['copied so, where none is', UNSUMMED, {}, 'none', ANY],
    ['copied so, with another ETag', UNSUMMED, { etag: '"b"' }, '', ANY],
    ['copied so, with another size', UNSUMMED, { bytes: 4 }, '', ANY],
  ])('a part %s', (_, known, found, expected, how = { checked: true }) => {
    const usual = { partNumber: 1, bytes: 5, etag: '"a"' }
    const journal = new Map(known ? [[1, { ...usual, sums: EQUAL, ...known }]] : [])
    const trusted = trustParts(PARTS, journal, found ? [{ ...usual, ...found }] : [], how)
    const short = ({ sums, answered }) => `${Number(sums.crc32) || 'none'}${answered ? ' answered' : ''}`
    expect(trusted.map(short).join()).toBe(expected)
  })

  test('of several that the store lists under one number, the one that the journal knows counts', () => {
    const stored = ['"b"', '"a"', '"c"'].map(etag => ({ partNumber: 1, bytes: 5, etag }))
    const trust = etag => trustParts(PARTS, new Map([[1, { bytes: 5, etag, sums: { crc32: '00000007' } }]]), stored)
    expect(trust('"a"')).toMatchObject([{ etag: '"a"' }])
    expect(trust('"d"')).toEqual([])
  })

  test('whatever stands in either, only parts of the plan count, once and in order, and only what the store has', () => {
    const [partNumber, bytes] = [fc.integer({ min: 0, max: 5 }), fc.constantFrom(5, 2, 0)]
    const etag = fc.constantFrom('"a"', '"b"', 'a')
    const sums = fc.constantFrom(EQUAL, OTHER)
    const part = fc.record({ partNumber, bytes, etag, sums }, { requiredKeys: ['partNumber', 'bytes', 'etag'] })
    const list = fc.array(part, { maxLength: 8 })
    fc.assert(
      fc.property(list, list, (journal, stored) => {
        const known = new Map(journal.filter(({ sums }) => sums !== undefined).map(one => [one.partNumber, one]))
        const found = trustParts(PARTS, known, stored, { checked: true })
        const numbers = found.map(one => one.partNumber)
        expect(numbers).toEqual([...new Set(numbers)].toSorted())
        for (const { partNumber, bytes, etag, sums } of found) {
          expect(bytes).toBe(PARTS[partNumber - 1].bytes)
          expect(stored).toContainEqual(expect.objectContaining({ partNumber, bytes, etag }))
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
