'use strict'

/** Which checksums a task computes and sends, by what its two stores can do. */

const { evidenceFrom, planParts, planPut, weighParts } = require('../../../lib/integrity')

const MD5 = 'a'.repeat(32)
const KEEPS = { crc32: '00000000' }
const S3 = { sumAt: 'trailer', partTag: 'md5', sums: { stored: ['crc32'], checked: [], answered: [] } }
const storeThat = ({ answered = [], partTag = 'none', sumAt = 'answer' }) => ({
  ...{ sumAt, partTag },
  sums: { stored: [], checked: [], answered },
})
const computing = (computed, more) => ({ ...S3, sums: { ...S3.sums, computed, ...more } })
const OPAQUE = storeThat({ partTag: 'opaque' })
const OTHERS = computing(['crc64nvme'], { answered: ['crc32c'] })
const CHECKED = { checksums: true, checked: true }
const ANSWERS = storeThat({ answered: ['crc32'] })

const UNSENT = { sent: false, tell: false }
const BY_TAG = { sums: ['crc32', 'md5'], evidence: 'tag' }

const usual = { proved: true, source: { etag: '"x"' }, parts: 3 }
const part = (can, upload, more = {}) => planParts({ ...usual, can, upload: { checksums: false, ...upload }, ...more })

test.each([
  ['checks checksums', S3, CHECKED, { sums: ['crc32'], sent: true, tell: false, evidence: 'checked' }],
  ['has MD5 ETags', S3, {}, { ...BY_TAG, ...UNSENT }],
  ['encrypts', S3, { encrypted: true }, { ...UNSENT, evidence: 'none' }],
  ['answers it, and has MD5 ETags', storeThat({ answered: ['crc32'], partTag: 'md5' }), {}, { sums: ['crc32'] }],
  ['answers the CRC-32', ANSWERS, {}, { sums: ['crc32'], sent: false, tell: true, evidence: 'answered' }],
  ['answers, and may check', ANSWERS, { checksums: true }, { sums: ['crc32'], sent: true, evidence: 'answered' }],
  ['computes the CRC-32C', computing(['crc32c']), {}, { sums: ['crc32c'], ...UNSENT, evidence: 'computed' }],
  ['has ETags without meaning', OPAQUE, {}, { sums: ['crc32'], tell: false, evidence: 'none' }],
  ['checks, and answers and computes others', OTHERS, CHECKED, { sums: ['crc32'], evidence: 'checked' }],
  ['is a file system', { ...storeThat({}), written: true }, {}, { sums: ['crc32'], evidence: 'written' }],
  ['computes the MD5 of the whole alone', computing(['md5']), {}, BY_TAG],
  ['may check checksums', S3, { checksums: true }, { ...BY_TAG, sent: true, tell: false }],
])('parts to a store that %s', (_, can, upload, plan) => expect(part(can, upload)).toMatchObject(plan))

test.each([
  ['nothing', ['crc32c', 'crc32', 'md5'], undefined, ['crc32']],
  ['the MD5 alone', ['md5'], undefined, ['md5', 'crc32']],
  ['one that the source keeps', ['crc32', 'crc64nvme'], { crc64nvme: '1' }, ['crc64nvme']],
  ['another than the source keeps', ['crc32'], { crc64nvme: '1', crc32c: '1' }, ['crc32', 'crc32c']],
  ['the best of those that the source keeps', ['crc64nvme', 'crc32c'], { crc64nvme: '1', crc32c: '1' }, ['crc32c']],
  ['the second that the source keeps', ['crc64nvme'], { crc64nvme: '1', crc32c: '1' }, ['crc64nvme']],
])('parts have what the store answers and the source keeps computed: %s', (_, answered, sums, computed) => {
  expect(part(storeThat({ answered }), {}, { source: { etag: '"x"', sums } }).sums).toEqual(computed)
  const computes = { ...storeThat({}), sums: { ...S3.sums, computed: answered } }
  const crcs = answered.length > 1 || answered[0] !== 'md5'
  if (crcs) expect(part(computes, {}, { source: { etag: '"x"', sums } }).sums).toEqual(computed)
})

test('parts have the MD5 computed that the source keeps of the whole where it is one part', () => {
  const source = { etag: '"x"', sums: { md5: MD5 } }
  expect(part(ANSWERS, {}, { source, parts: 1 }).sums).toEqual(['crc32', 'md5'])
  expect(part(ANSWERS, {}, { source, parts: 2 }).sums).toEqual(['crc32'])
  expect(part(ANSWERS, {}, { source: { etag: `"${MD5}"` }, parts: 1 }).sums).toEqual(['crc32', 'md5'])
  expect(part(storeThat({ answered: ['md5'] }), {}, { source, parts: 1 }).sums).toEqual(['md5', 'crc32'])
})

test('parts have their MD5s computed if the source has an ETag of as many, and the destination none to compare', () => {
  const source = { etag: `"${MD5}-3"` }
  expect(part(ANSWERS, {}, { source }).sums).toEqual(['crc32', 'md5'])
  expect(part(ANSWERS, {}, { source, parts: 2 }).sums).toEqual(['crc32'])
  expect(part(ANSWERS, {}, { source: { ...source, encrypted: true } }).sums).toEqual(['crc32'])
  expect(part(S3, CHECKED, { source }).sums).toEqual(['crc32'])
  expect(part(S3, { checksums: true, checked: true, encrypted: true }, { source }).sums).toEqual(['crc32', 'md5'])
})

test('parts of a copy that is not proved have only the checksums that their upload requires', () => {
  const plain = { proved: false, source: { etag: `"${MD5}-3"` } }
  const nothing = { sums: [], ...UNSENT, evidence: 'none' }
  for (const can of [S3, ANSWERS]) expect(part(can, {}, plain)).toEqual(nothing)
  expect(part(S3, { checksums: true }, plain)).toEqual({ ...nothing, sums: ['crc32'], sent: true })
})

describe('an object in one request', () => {
  const put = (can, more) => planPut({ can, proved: true, checks: false, source: { etag: '"x"' }, ...more })

  test.each([
    ['checks checksums', S3, { checks: true }, { sums: ['crc32'], sent: true, evidence: 'checked' }],
    ['is not known to check', S3, {}, { ...BY_TAG, sent: false }],
    ['has ETags without meaning', OPAQUE, {}, { sums: ['crc32'], sent: false, evidence: 'none' }],
    ['checks them in headers', { ...S3, sumAt: 'header' }, { checks: true }, { sent: true, evidence: 'checked' }],
    ['takes none', { ...S3, sumAt: 'none' }, { checks: true }, { ...BY_TAG, sent: false }],
    ['is not asked', S3, { proved: false, checks: true }, { sums: [], sent: false, evidence: 'none' }],
  ])('to a store that %s', (_, can, more, plan) => expect(put(can, more)).toMatchObject({ tell: true, ...plan }))

  test.each([
    ['tells what it computes', { etag: '"x"' }, ['crc64nvme'], ['crc32', 'crc64nvme']],
    ['keeps a checksum, known before', { etag: '"x"', sums: { crc32c: '1' } }, ['crc64nvme'], ['crc32', 'crc32c']],
    ['has an MD5, which is known before', { etag: `"${MD5}"` }, ['crc64nvme'], ['crc32', 'md5']],
    ['has an ETag of parts, and tells what it computes', { etag: `"${MD5}-3"` }, ['crc64nvme'], ['crc32', 'crc64nvme']],
    ['has an ETag of parts alone', { etag: `"${MD5}-3"` }, undefined, ['crc32']],
  ])('from a store that %s', (_, source, tells, sums) => expect(put(ANSWERS, { source, tells }).sums).toEqual(sums))

  test('has the MD5 computed that its source keeps instead of a CRC-32', () => {
    const source = { etag: `"${MD5}"` }
    expect(put(ANSWERS, { source })).toMatchObject({ sums: ['crc32', 'md5'], evidence: 'answered' })
    expect(put(S3, { source, checks: true })).toMatchObject({ sums: ['crc32', 'md5'], evidence: 'checked' })
    expect(put(ANSWERS, { source: { ...source, sums: KEEPS } }).sums).toEqual(['crc32'])
    expect(put(storeThat({}), { source })).toMatchObject({ sums: ['crc32', 'md5'], evidence: 'none' })
  })
})

test('only checksums that the store declares, and ETags that are MD5s, are evidence', () => {
  const sent = { partNumber: 1, bytes: 1, sums: { crc32: '00000007', md5: MD5 } }
  const proves = (can, part, upload = {}) => weighParts([{ ...sent, ...part }], evidenceFrom(can, upload)).proved.length
  const answered = { etag: '', answered: { crc32: '00000007' } }
  expect([ANSWERS, storeThat({}), S3].map(can => proves(can, answered))).toEqual([1, 0, 0])
  const tagged = { etag: `"${MD5}"` }
  expect([proves(S3, tagged), proves(S3, tagged, { encrypted: true }), proves(OPAQUE, tagged)]).toEqual([1, 0, 0])
})

test.each([
  ['checked', S3, true, ['crc32']],
  ['computed', computing(['md5', 'crc32']), false, ['md5', 'crc32']],
  ['both', computing(['md5', 'crc32']), true, ['crc32', 'md5']],
  ['neither', S3, false, []],
])('a store keeps as evidence what it %s', (_, can, checked, kept) => {
  expect(evidenceFrom(can, { checked })).toMatchObject({ checked, kept, written: false })
  expect(evidenceFrom({ ...can, written: true }, {}).written).toBe(true)
})
