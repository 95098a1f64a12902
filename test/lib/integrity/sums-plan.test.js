'use strict'

/** Which checksums a task computes and sends, by what its two stores can do. */

const fc = require('fast-check')
const { beginsWithSums, evidenceFrom, md5EtagOf, planParts, planPut, weighParts } = require('../../../lib/integrity')

const MD5 = 'a'.repeat(32)
const S3 = { sumAt: 'trailer', partTag: 'md5', sums: { stored: ['crc32'], checked: [], answered: [] } }
const storeThat = ({ answered = [], partTag = 'none', sumAt = 'answer' }) => ({
  ...{ sumAt, partTag },
  sums: { stored: [], checked: [], answered },
})
const ANSWERS = storeThat({ answered: ['crc32'] })

const sources = fc.record({
  etag: fc.constantFrom(`"${MD5}"`, `"${MD5}-1"`, `"${MD5}-3"`, '"opaque"'),
  encrypted: fc.boolean(),
  checksum: fc.constantFrom(
    undefined,
    { crc32: 'AAAAAA==', type: 'FULL_OBJECT' },
    { crc32: 'AAAAAA==-3', type: 'COMPOSITE' },
  ),
})
/** A copy that is to be proved adds no part to an upload whose checksums nobody checks. */
const uploads = fc.oneof(
  fc.record({ checksums: fc.constant(true), checked: fc.constant(true), encrypted: fc.boolean() }),
  fc.record({ checksums: fc.constant(false), checked: fc.constant(false), encrypted: fc.boolean() }),
)
const stores = fc.record({
  sumAt: fc.constantFrom('trailer', 'header', 'answer', 'none'),
  partTag: fc.constantFrom('md5', 'opaque', 'none'),
  sums: fc.record({
    stored: fc.constant([]),
    checked: fc.constant([]),
    answered: fc.subarray(['crc32', 'crc32c', 'crc64nvme', 'md5']),
  }),
})
const puts = fc.record({ proved: fc.boolean(), takes: fc.boolean(), wants: fc.boolean(), checks: fc.boolean() })

describe('parts', () => {
  const part = (can, upload, more = {}) =>
    planParts({
      can,
      proved: true,
      upload: { checksums: false, ...upload },
      source: { etag: '"x"' },
      parts: 3,
      ...more,
    })

  test.each([
    [
      'checks checksums',
      S3,
      { checksums: true, checked: true },
      { crc32: true, md5: false, sent: true, tell: false, evidence: 'checked' },
    ],
    ['has MD5 ETags', S3, {}, { crc32: true, md5: true, sent: false, tell: false, evidence: 'tag' }],
    ['encrypts', S3, { encrypted: true }, { crc32: true, sent: false, tell: false, evidence: 'none' }],
    ['answers the CRC-32', ANSWERS, {}, { crc32: true, md5: false, sent: false, tell: true, evidence: 'answered' }],
    [
      'answers the MD5',
      storeThat({ answered: ['md5'] }),
      {},
      { crc32: true, md5: true, tell: true, evidence: 'answered' },
    ],
    [
      'answers what no task computes',
      storeThat({ answered: ['crc32c'] }),
      {},
      { md5: false, tell: false, evidence: 'none' },
    ],
    ['has ETags without meaning', storeThat({ partTag: 'opaque' }), {}, { md5: false, tell: false, evidence: 'none' }],
    ['has no ETags', storeThat({}), {}, { md5: false, tell: false, evidence: 'none' }],
  ])('to a store that %s', (_, can, upload, plan) => {
    expect(part(can, upload)).toMatchObject(plan)
  })

  test('have their MD5s computed where the source has an ETag of as many parts, and the destination none to compare', () => {
    const source = { etag: `"${MD5}-3"` }
    expect(part(ANSWERS, {}, { source }).md5).toBe(true)
    expect(part(ANSWERS, {}, { source, parts: 2 }).md5).toBe(false)
    expect(part(ANSWERS, {}, { source: { ...source, encrypted: true } }).md5).toBe(false)
    expect(part(S3, { checksums: true, checked: true }, { source }).md5).toBe(false)
    expect(part(S3, { checksums: true, checked: true, encrypted: true }, { source }).md5).toBe(true)
  })

  test('of a copy that is not proved have only the checksums that their upload requires', () => {
    const plain = { proved: false, source: { etag: `"${MD5}-3"` } }
    const nothing = { crc32: false, md5: false, sent: false, tell: false, evidence: 'none' }
    for (const can of [S3, ANSWERS]) expect(part(can, {}, plain)).toEqual(nothing)
    expect(part(S3, { checksums: true }, plain)).toEqual({ ...nothing, crc32: true, sent: true })
  })

  test('at S3, whose answers are no evidence, need no headers, and an MD5 unless their checksums are checked', () => {
    fc.assert(
      fc.property(uploads, sources, fc.constantFrom(1, 3), (upload, source, parts) => {
        const { checked, encrypted } = upload
        const etag = md5EtagOf(source)
        const compares = encrypted && etag !== undefined && (etag.parts ?? 1) === parts
        const plan = planParts({ can: S3, proved: true, upload, source, parts })
        expect(plan).toMatchObject({ crc32: true, md5: !checked || compares, sent: upload.checksums, tell: false })
        expect(plan.evidence).toBe(checked ? 'checked' : encrypted ? 'none' : 'tag')
      }),
    )
  })
})

describe('an object in one request', () => {
  const put = (can, more) =>
    planPut({ can, proved: true, takes: true, wants: false, checks: false, source: { etag: '"x"' }, ...more })

  test.each([
    ['checks checksums', S3, { checks: true }, { md5: false, sent: true, evidence: 'checked' }],
    ['is not known to check', S3, {}, { md5: true, sent: false, evidence: 'tag' }],
    ['refused a checksum', S3, { checks: true, takes: false }, { md5: true, sent: false, evidence: 'tag' }],
    ['wants a checksum, and is not known to check', S3, { wants: true }, { md5: false, sent: true, evidence: 'none' }],
    ['answers the CRC-32', ANSWERS, {}, { md5: false, sent: false, evidence: 'answered' }],
    ['takes no checksum, and wants one', ANSWERS, { wants: true }, { sent: false, evidence: 'answered' }],
    ['has ETags without meaning', storeThat({ partTag: 'opaque' }), {}, { md5: false, sent: false, evidence: 'none' }],
  ])('to a store that %s', (_, can, more, plan) => {
    expect(put(can, more)).toMatchObject({ crc32: true, tell: true, ...plan })
  })

  test('has the MD5 computed that its source keeps instead of a CRC-32', () => {
    const source = { etag: `"${MD5}"` }
    expect(put(ANSWERS, { source })).toMatchObject({ md5: true, evidence: 'answered' })
    expect(put(S3, { source, checks: true })).toMatchObject({ md5: true, evidence: 'checked' })
    const checksum = { crc32: 'AAAAAA==', type: 'FULL_OBJECT' }
    expect(put(ANSWERS, { source: { ...source, checksum } }).md5).toBe(false)
    expect(put(storeThat({}), { source })).toMatchObject({ md5: true, evidence: 'none' })
  })

  test('at S3 has an MD5 unless a CRC-32 is sent, or if only an MD5 can be compared with the source', () => {
    fc.assert(
      fc.property(puts, sources, ({ proved, takes, wants, checks }, source) => {
        const plan = planPut({ can: S3, proved, takes, wants, checks, source })
        const sent = proved && takes && (checks || wants)
        const etag = md5EtagOf(source)
        const compares = etag !== undefined && etag.parts === undefined && source.checksum?.type !== 'FULL_OBJECT'
        expect(plan).toMatchObject({ crc32: proved, sent, md5: proved && (!sent || compares), tell: true })
      }),
    )
  })
})

test('whatever the stores can do, what is expected as evidence is computed, and nothing that cannot be compared', () => {
  fc.assert(
    fc.property(stores, uploads, sources, puts, fc.boolean(), (can, upload, source, how, proved) => {
      const plans = [planParts({ can, proved, upload, source, parts: 3 }), planPut({ can, source, ...how })]
      for (const { crc32, md5, sent, evidence } of plans) {
        if (evidence === 'checked') expect([crc32, sent]).toEqual([true, true])
        if (evidence === 'answered') expect(can.sums.answered.some(sum => ({ crc32, md5 })[sum])).toBe(true)
        if (evidence === 'tag') expect([can.partTag, md5]).toEqual(['md5', true])
        if (sent) expect(crc32).toBe(true)
        if (can.partTag !== 'md5' && md5Of(source) === undefined) {
          expect(md5).toBe(evidence === 'answered' && !can.sums.answered.includes('crc32'))
        }
      }
    }),
  )
})

/** The source's ETag, if anything could be compared with it. */
const md5Of = source => md5EtagOf(source)?.md5

test('an upload begins with checksums where writes carry them, and nobody knows that they are not checked', () => {
  const begins = (can, more) => beginsWithSums({ can, wanted: true, checks: true, ...more })
  expect([begins(S3), begins(S3, { checks: false }), begins(S3, { wanted: false })]).toEqual([true, false, false])
  expect([begins(ANSWERS), begins(storeThat({ sumAt: 'none' }))]).toEqual([false, false])
})

test('only checksums that the store declares, and ETags that are MD5s, are evidence', () => {
  const sent = { partNumber: 1, bytes: 1, crc32: 7, md5: MD5 }
  const proves = (can, part, upload = {}) => weighParts([{ ...sent, ...part }], evidenceFrom(can, upload)).proved.length
  const answered = { etag: '', answered: { crc32: 7 } }
  expect(proves(ANSWERS, answered)).toBe(1)
  expect(proves(storeThat({}), answered)).toBe(0)
  expect(proves(S3, answered)).toBe(0)
  expect(proves(S3, { etag: `"${MD5}"` })).toBe(1)
  expect(proves(S3, { etag: `"${MD5}"` }, { encrypted: true })).toBe(0)
  expect(proves(storeThat({ partTag: 'opaque' }), { etag: `"${MD5}"` })).toBe(0)
})
