'use strict'

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { checkParts, multipartEtag, proofsOf } = require('../../../lib/integrity')
const { planObject } = require('../../../lib/object')

const md5 = data => createHash('md5').update(data).digest('hex')
const hexOf = crc32 => (crc32 >>> 0).toString(16).padStart(8, '0')
const CONTENT = Buffer.from('the bytes of an object, in three parts')
const LIMITS = { minBytes: 1, maxBytes: 1000, maxParts: 100, equalParts: false }
const { parts } = planObject({ bytes: CONTENT.length, chunkBytes: 15, limits: LIMITS })

/** What a faultless copy of CONTENT brings back. */
const outcomesOf = (content = CONTENT) =>
  parts.map(({ partNumber, start, bytes }) => {
    const piece = content.subarray(start, start + bytes)
    return { partNumber, bytes, etag: `"${md5(piece)}"`, sums: { md5: md5(piece), crc32: hexOf(crc32(piece)) } }
  })
const head = more => ({ bytes: CONTENT.length, etag: '"source"', ...more })
const SUMS = { crc32: hexOf(crc32(CONTENT)) }
const BASE64 = Buffer.from(SUMS.crc32, 'hex').toString('base64')
const OTHER = { crc32: '00000000' }

describe('before the completion', () => {
  test('the parts together have the CRC-32 of the object', () => {
    expect(checkParts(outcomesOf(), parts, head())).toEqual(SUMS)
    expect(checkParts(outcomesOf(), parts, head({ sums: SUMS }))).toEqual(SUMS)
  })

  const [first, second, third] = outcomesOf()
  test.each([
    ['a part missing', [first, second]],
    ['the first missing', [second, third]],
    ['none', []],
    ['two changed about', [second, first, third]],
    ['one twice', [first, first, second, third]],
    ['one in place of another', [first, second, second]],
    ['a byte too few', [first, second, { ...third, bytes: third.bytes - 1 }]],
    ['a byte too many', [first, second, { ...third, bytes: third.bytes + 1 }]],
    ['a byte from another part', [{ ...first, bytes: 14 }, { ...second, bytes: 15 }, third]],
  ])('%s is refused', (_, outcomes) => {
    expect(() => checkParts(outcomes, parts, head())).toThrow(
      expect.objectContaining({ code: 'INTEGRITY', exitCode: 8 }),
    )
  })

  test('bytes that differ from what the source keeps the CRC-32 of are refused, whichever byte', () => {
    fc.assert(
      fc.property(fc.nat(CONTENT.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const found = Buffer.from(CONTENT)
        found[at] ^= flip
        expect(() => checkParts(outcomesOf(found), parts, head({ sums: SUMS }))).toThrow(
          expect.objectContaining({ code: 'INTEGRITY', facts: expect.objectContaining({ expected: BASE64 }) }),
        )
      }),
    )
  })

  test('a checksum of the parts is not compared with that of the object', () => {
    expect(checkParts(outcomesOf(), parts, head({ composite: { crc32: 'AAAAAA==' } }))).toEqual(SUMS)
  })

  test('a checksum that one part lacks is not that of the object', () => {
    const [first, ...rest] = outcomesOf()
    expect(checkParts([{ ...first, sums: {} }, ...rest], parts, head({ sums: OTHER }))).toEqual({})
  })
})

describe('a proof is claimed only for what was compared', () => {
  const etag = multipartEtag(outcomesOf())
  const copy = {
    source: head(),
    outcomes: outcomesOf(),
    sums: SUMS,
    etag: '"other"',
  }
  const withoutMd5 = outcomesOf().map(o => ({ ...o, sums: { crc32: o.sums.crc32 } }))
  const answeredOf = (/** @type {number} */ many) =>
    withoutMd5.map((o, i) => ({ ...o, ...(i < many && { answered: o.sums }) }))

  test.each([
    ['the destination gave our CRC-32 back', { storedSums: SUMS }, ['store-crc32']],
    ['it gave another one back', { storedSums: OTHER, outcomes: withoutMd5 }, ['size']],
    ['every part has the MD5 that was sent', {}, ['part-md5']],
    [
      'ETags without quotes, in capitals',
      { outcomes: outcomesOf().map(o => ({ ...o, etag: o.sums.md5.toUpperCase() })) },
      ['part-md5'],
    ],
    [
      'one part has another',
      { outcomes: outcomesOf().map((o, i) => ({ ...o, ...(i === 1 && { etag: `"${md5('x')}"` }) })) },
      ['size'],
    ],
    ['no MD5 was computed', { outcomes: withoutMd5 }, ['size']],
    ['no CRC-32 was computed', { outcomes: withoutMd5, sums: {}, storedSums: SUMS }, ['size']],
    [
      'no CRC-32 was computed, and the source keeps one',
      { outcomes: withoutMd5, sums: {}, source: head({ sums: SUMS }) },
      ['size'],
    ],
    ['the source keeps our CRC-32', { outcomes: withoutMd5, source: head({ sums: SUMS }) }, ['source-crc32', 'size']],
    [
      'the source keeps the same text of its parts',
      { outcomes: withoutMd5, source: head({ composite: { crc32: BASE64 } }) },
      ['size'],
    ],
    ['both have one ETag', { outcomes: withoutMd5, etag, source: head({ etag }) }, ['source-etag']],
    [
      'both have one ETag, quoted or not',
      { outcomes: withoutMd5, etag: etag.slice(1, -1), source: head({ etag }) },
      ['source-etag'],
    ],
    [
      'both have one ETag that is no MD5',
      { outcomes: withoutMd5, etag: '"abc"', source: head({ etag: '"abc"' }) },
      ['size'],
    ],
    ['it answered the CRC-32 of every part', { outcomes: answeredOf(3), believed: ['crc32'] }, ['store-crc32']],
    ['it answered them, and may repeat what it is sent', { outcomes: answeredOf(3) }, ['size']],
    ['it answered that of one part, and no more', { outcomes: answeredOf(1), believed: ['crc32'] }, ['size']],
    [
      'it answered that of one part, and the others were read back',
      { outcomes: answeredOf(1), believed: ['crc32'], proofs: ['read-back'] },
      ['store-crc32', 'read-back'],
    ],
    [
      'it answered that of one part, and the others have the MD5 that was sent',
      { outcomes: answeredOf(1).map((o, i) => (i === 0 ? o : outcomesOf()[i])), believed: ['crc32'] },
      ['store-crc32', 'part-md5'],
    ],
    ['both have no ETag', { outcomes: withoutMd5, etag: '', source: head({ etag: '' }) }, ['size']],
    [
      'all of it',
      { storedSums: SUMS, etag, source: head({ etag, sums: SUMS }) },
      ['store-crc32', 'source-crc32', 'source-etag'],
    ],
  ])('%s', (_, more, proofs) => {
    expect(proofsOf({ ...copy, ...more })).toEqual(proofs)
  })
})

test('the ETag of an upload is the MD5 of the MD5s of its parts', () => {
  // Two parts of 5 MiB of zeros and of one zero, as S3 answers them.
  const parts = [Buffer.alloc(5 * 1024 ** 2), Buffer.alloc(1)].map(part => ({ etag: `"${md5(part)}"` }))
  const joined = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag.slice(1, -1), 'hex')))
  expect(multipartEtag(parts)).toBe(`"${md5(joined)}-2"`)
})
