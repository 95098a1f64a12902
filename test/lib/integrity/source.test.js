'use strict'

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { compareContents, compareStored, judgeSource } = require('../../../lib/integrity')

const md5 = data => createHash('md5').update(data).digest('hex')
const hexOf = crc32 => (crc32 >>> 0).toString(16).padStart(8, '0')
const base64Of = crc32 => Buffer.from(hexOf(crc32), 'hex').toString('base64')
const PIECES = ['the bytes of ', 'an object, in ', 'three parts'].map(text => Buffer.from(text))
const outcomesOf = (pieces = PIECES) =>
  pieces.map(piece => ({
    bytes: piece.length,
    sums: { crc32: hexOf(crc32(piece)) },
    etag: `"${md5(piece)}"`,
  }))
const spoilt = PIECES.map((piece, i) => (i === 1 ? Buffer.from(piece).fill('x', 3, 4) : piece))

/** As S3 documents it, in words of its own. */
const composite = pieces =>
  `${base64Of(crc32(Buffer.concat(pieces.map(piece => Buffer.from(hexOf(crc32(piece)), 'hex')))))}-${pieces.length}`
const multipart = pieces =>
  `"${md5(Buffer.concat(pieces.map(piece => Buffer.from(md5(piece), 'hex'))))}-${pieces.length}"`

const FULL = { crc32: hexOf(crc32(Buffer.concat(PIECES))) }
const head = more => ({ bytes: 38, etag: '"opaque"', ...more })
const summed = crc32 => head({ composite: { crc32 } })
const OTHER = { crc32: '00000000' }

test('what was read without a CRC-32 is compared by its ETags alone', () => {
  const unsummed = outcomesOf().map(part => ({ ...part, sums: {} }))
  expect(judgeSource(head({ sums: FULL }), unsummed, true)).toBeUndefined()
  expect(judgeSource(summed(composite(PIECES)), unsummed, true)).toBeUndefined()
  expect(judgeSource(head({ etag: multipart(PIECES) }), unsummed, true)).toMatchObject({ proofs: ['source-md5'] })
})

describe('what was read against what the source keeps', () => {
  const judged = (source, outcomes = outcomesOf(), md5s = true) => judgeSource(source, outcomes, md5s)

  test.each([
    ['nothing to compare with', head(), undefined],
    ['its own CRC-32', head({ sums: FULL }), { verdict: 'equal', by: 'crc32' }],
    ['another CRC-32', head({ sums: OTHER }), { verdict: 'different', by: 'crc32' }],
    ['a composite one', summed(composite(PIECES)), { verdict: 'equal', by: 'composite' }],
    ['one of other parts', summed('AAAAAA==-3'), { verdict: 'different', by: 'composite' }],
    ['one of more parts', summed('AAAAAA==-4'), undefined],
    ['an ETag of such parts', head({ etag: multipart(PIECES) }), { verdict: 'equal', by: 'etag' }],
    ['one of other parts', head({ etag: multipart(spoilt) }), { verdict: 'different', by: 'etag' }],
    ['one of more parts', head({ etag: multipart([...PIECES, Buffer.from('x')]) }), undefined],
    ['one of an encrypted object', head({ etag: multipart(spoilt), encrypted: true }), undefined],
    [
      'an ETag that fits and a composite one that does not',
      { ...summed('AAAAAA==-3'), etag: multipart(PIECES) },
      { verdict: 'equal', by: 'etag' },
    ],
  ])('%s', (_, source, evidence) => {
    const { proofs, ...found } = judged(source) ?? {}
    expect(found).toEqual(evidence ?? {})
    const { by, verdict } = evidence ?? {}
    if (verdict === 'equal') expect(proofs).toContain(by === 'etag' ? 'source-md5' : 'source-crc32')
    else expect(proofs ?? []).toEqual([])
  })

  test('an ETag of one piece is the MD5 of the one part', () => {
    const one = [PIECES[0]]
    expect(judged(head({ etag: `"${md5(PIECES[0])}"` }), outcomesOf(one))).toMatchObject({
      verdict: 'equal',
      by: 'etag',
    })
    expect(judged(head({ etag: multipart(one) }), outcomesOf(one))).toMatchObject({ verdict: 'equal', by: 'etag' })
    expect(judged(head({ etag: `"${md5('x')}"` }), outcomesOf(one))).toMatchObject({ verdict: 'different', by: 'etag' })
  })

  test("parts' ETags that are no MD5s are not taken for some, and their MD5s are, where they are known", () => {
    const source = head({ etag: multipart(PIECES) })
    expect(judged(source, outcomesOf(), false)).toMatchObject({ verdict: 'unknown', by: 'etag' })
    const opaque = outcomesOf().map(outcome => ({ ...outcome, etag: `"${'0'.repeat(32)}-1"` }))
    expect(judged(source, opaque)).toMatchObject({ verdict: 'unknown', by: 'etag' })
    const known = PIECES.map((piece, i) => ({ ...opaque[i], sums: { md5: md5(piece) } }))
    expect(judged(source, known)).toMatchObject({ verdict: 'equal', by: 'etag' })
  })

  test('a byte that is another one is seen, whichever', () => {
    fc.assert(
      fc.property(fc.nat(2), fc.nat(10), fc.integer({ min: 1, max: 255 }), (part, at, flip) => {
        const pieces = PIECES.map(piece => Buffer.from(piece))
        pieces[part][at] ^= flip
        expect(judged(summed(composite(PIECES)), outcomesOf(pieces)).verdict).toBe('different')
        expect(judged(head({ etag: multipart(PIECES) }), outcomesOf(pieces)).verdict).toBe('different')
      }),
    )
  })
})

describe('two objects are equal by', () => {
  const plain = `"${md5('all')}"`
  test.each([
    ['their own CRC-32s', head({ sums: OTHER }), {}, { method: 'stored-crc32', value: 'AAAAAA==', layout: false }],
    ['their MD5s', head({ etag: plain }), {}, { method: 'etag', value: plain, layout: false }],
    [
      'the ETags of their parts, of equal sizes',
      head({ etag: multipart(PIECES) }),
      {},
      { method: 'etag', value: multipart(PIECES), layout: true },
    ],
    [
      'the checksums of their parts, of equal sizes',
      summed('AAAAAA==-3'),
      {},
      { method: 'composite-crc32', value: 'AAAAAA==-3', layout: true },
    ],
    ['nothing: one is encrypted', head({ etag: plain }), { encrypted: true }, undefined],
    [
      'nothing: their ETags are of other numbers of parts',
      head({ etag: multipart(PIECES) }),
      { etag: multipart(PIECES).replace('-3', '-2') },
      undefined,
    ],
  ])('%s', (_, one, more, stored) => {
    expect(compareStored(one, { ...one, ...more })).toEqual(stored)
  })
})

describe('the contents of two objects', () => {
  const [plain, other] = ['one', 'two'].map(text => `"${md5(text)}"`)
  const whole = crc32 => head({ sums: { crc32 } })
  test.each([
    ['of the same CRC-32 are equal', whole('00000000'), whole('00000000'), 'equal'],
    ['of other CRC-32s differ, whatever the ETags', whole('00000000'), whole('00000004'), 'different'],
    ['of the same MD5 are equal', head({ etag: plain }), head({ etag: plain }), 'equal'],
    ['of other MD5s differ', head({ etag: plain }), head({ etag: other }), 'different'],
    ['of which one was uploaded in parts are unknown', head({ etag: plain }), head({ etag: `${plain}-2` }), 'unknown'],
    ['are unknown if one is encrypted', head({ etag: plain }), head({ etag: other, encrypted: true }), 'unknown'],
  ])('%s', (_, one, two, verdict) => {
    expect(compareContents(one, two)).toBe(verdict)
    expect(compareContents(two, one)).toBe(verdict)
  })
})
