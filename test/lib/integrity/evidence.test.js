'use strict'

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { weighParts, weighWritten } = require('../../../lib/integrity')

const md5Of = bytes => createHash('md5').update(bytes).digest('hex')
const hexOf = crc32 => (crc32 >>> 0).toString(16).padStart(8, '0')
const sumsOf = bytes => ({ crc32: hexOf(crc32(bytes)), md5: md5Of(bytes) })
const sentOf = bytes => ({ bytes: bytes.length, sums: sumsOf(bytes) })
const anyBytes = fc.uint8Array({ maxLength: 40 }).map(array => Buffer.from(array))

/** What a store may say of the bytes that it keeps, or of those that it was sent: an echo. */
const answers = fc.record({
  size: fc.constantFrom('kept', 'none'),
  crc32: fc.constantFrom('kept', 'echo', 'none', 'composite'),
  etag: fc.constantFrom('md5', 'other', 'multipart', 'none'),
  encrypted: fc.boolean(),
})

/** @returns {import('../../../lib/integrity/evidence').Reported} */
function told({ size, crc32: sum, etag, encrypted }, sent, kept) {
  return {
    ...(size === 'kept' && { bytes: kept.length }),
    ...(sum === 'kept' && { sums: { crc32: hexOf(crc32(kept)) } }),
    ...(sum === 'echo' && { sums: { crc32: hexOf(crc32(sent)) } }),
    ...(sum === 'composite' && { composite: { crc32: 'AAAAAA==-1' } }),
    ...(etag === 'md5' && { etag: `"${md5Of(kept)}"` }),
    ...(etag === 'other' && { etag: `"${md5Of(Buffer.from('key'))}"` }),
    ...(etag === 'multipart' && { etag: `"${md5Of(kept)}-1"` }),
    encrypted,
  }
}

test('nothing that a store without checks says of other bytes proves them', () => {
  fc.assert(
    fc.property(anyBytes, anyBytes, answers, (sent, kept, answer) => {
      fc.pre(!sent.equals(kept))
      const { verdict } = weighWritten(sentOf(sent), told(answer, sent, kept))
      expect(verdict).not.toBe('proved')
    }),
  )
})

test('an echo, a size, a composite checksum and the ETag of an upload prove nothing', () => {
  fc.assert(
    fc.property(anyBytes, answers, (bytes, answer) => {
      const { verdict, proofs } = weighWritten(sentOf(bytes), told(answer, bytes, bytes))
      const md5 = answer.etag === 'md5' && !answer.encrypted
      const wrongMd5 = answer.etag === 'other' && !answer.encrypted
      expect(verdict).toBe(md5 ? 'proved' : wrongMd5 ? 'contradicted' : 'unproved')
      expect(proofs).toEqual(md5 ? ['part-md5'] : [])
    }),
  )
})

test('whatever differs contradicts, though something else should agree', () => {
  const sent = sentOf(Buffer.from('sent'))
  const { crc32: sum, md5 } = sent.sums
  const good = { bytes: 4, etag: `"${md5}"`, sums: { crc32: sum } }
  const checked = { ...sent, kept: ['crc32'] }
  expect(weighWritten(checked, { ...good, bytes: 5 })).toMatchObject({ verdict: 'contradicted', by: 'size', found: 5 })
  expect(weighWritten(checked, { ...good, sums: { crc32: '00000001' } })).toMatchObject({
    verdict: 'contradicted',
    by: 'crc32',
  })
  const otherMd5 = { ...good, etag: `"${'0'.repeat(32)}"` }
  expect(weighWritten(sent, otherMd5)).toMatchObject({ verdict: 'contradicted', by: 'md5', expected: md5 })
  // A store that is known to check, and whose ETags are no MD5s.
  expect(weighWritten(checked, otherMd5)).toEqual({ verdict: 'proved', proofs: ['store-crc32'] })
})

test('a checksum of a store that is known to check counts only where it is told', () => {
  const { crc32: sum } = sumsOf(Buffer.from('sent'))
  const sent = { bytes: 4, sums: { crc32: sum }, kept: ['crc32'] }
  expect(weighWritten(sent, { etag: '"x"' })).toEqual({ verdict: 'unproved', proofs: [] })
  expect(weighWritten(sent, { etag: '"x"', sums: { crc32: sum } }).verdict).toBe('proved')
  expect(weighWritten({ ...sent, sums: {} }, { sums: { crc32: sum } }).verdict).toBe('unproved')
})

const part = (partNumber, text, etag = `"${md5Of(text)}"`) => ({ partNumber, ...sentOf(Buffer.from(text)), etag })

test('one part whose ETag is its MD5 shows that the others, which differ, are damaged, in whatever order they come', () => {
  const parts = [part(1, 'a', `"${'0'.repeat(32)}"`), part(2, 'b'), part(3, 'c'), part(4, 'd', '"opaque"')]
  const numbers = ({ proved, damaged, unproved }) =>
    [proved, damaged, unproved].map(list => list.map(({ partNumber }) => partNumber))
  expect(numbers(weighParts(parts, { checked: false }))).toEqual([[2, 3], [1], [4]])
  const others = parts.map(one => ({ ...one, etag: `"${'0'.repeat(32)}"` }))
  expect(numbers(weighParts(others, { checked: false }))).toEqual([[], [], [1, 2, 3, 4]])
  expect(numbers(weighParts(others, { checked: true }))).toEqual([[1, 2, 3, 4], [], []])
  expect(numbers(weighParts(parts, { checked: false, encrypted: true }))).toEqual([[], [], [1, 2, 3, 4]])
})

describe('a checksum in the answer to a write', () => {
  const sent = sumsOf(Buffer.from('sent'))
  const kept = sumsOf(Buffer.from('kept'))
  const anySums = fc.subarray(['crc32', 'md5'])
  const pick = (sums, names) => Object.fromEntries(names.map(name => [name, sums[name]]))

  test('proves the bytes if the store computes it itself, and contradicts them if it is another one', () => {
    const believed = ['crc32', 'md5']
    const weigh = answered => weighWritten({ bytes: 4, sums: sent, believed }, { answered })
    expect(weigh({ crc32: sent.crc32 })).toEqual({ verdict: 'proved', proofs: ['store-crc32'] })
    expect(weigh({ md5: sent.md5 })).toEqual({ verdict: 'proved', proofs: ['part-md5'] })
    expect(weigh({ crc32: kept.crc32 })).toMatchObject({ verdict: 'contradicted', by: 'crc32', found: kept.crc32 })
    expect(weigh({ crc32: sent.crc32, md5: kept.md5 })).toMatchObject({ verdict: 'contradicted', by: 'md5' })
    expect(weigh({})).toMatchObject({ verdict: 'unproved' })
    expect(weighWritten({ bytes: 4, sums: {}, believed }, { answered: { crc32: sent.crc32 } }).verdict).toBe('unproved')
  })

  test('is no evidence where the store does not declare it, and is never ignored where it does', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, anySums, anySums, (one, other, believed, told) => {
        const written = { ...sentOf(one), believed }
        const counts = told.some(name => believed.includes(name))
        const { verdict } = weighWritten(written, { answered: pick(sumsOf(other), told) })
        expect(verdict).toBe(!counts ? 'unproved' : one.equals(other) ? 'proved' : 'contradicted')
      }),
    )
  })

  test('decides for its part, whatever the ETags of the others are', () => {
    const believed = ['crc32']
    const parts = [
      { ...part(1, 'a', ''), answered: { crc32: hexOf(crc32('a')) } },
      { ...part(2, 'b', ''), answered: { crc32: hexOf(crc32('x')) } },
      part(3, 'c', ''),
      part(4, 'd', `"${'0'.repeat(32)}"`),
    ]
    const numbers = ({ proved, damaged, unproved }) =>
      [proved, damaged, unproved].map(list => list.map(({ partNumber }) => partNumber))
    expect(numbers(weighParts(parts, { checked: false, believed }))).toEqual([[1], [2], [3, 4]])
    expect(numbers(weighParts([...parts, part(5, 'e')], { checked: false, believed }))).toEqual([[1, 5], [2, 4], [3]])
    expect(numbers(weighParts(parts, { checked: false }))).toEqual([[], [], [1, 2, 3, 4]])
  })
})
