'use strict'

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { compareContents, compareStored, isAltered, isCrc, isPinnedByTime } = require('../../../lib/integrity')
const { isSamePinned, judgeSource, keptBy, parseEtag, partsOfEtag, pinByTime } = require('../../../lib/integrity')
const { plainMd5Of, sameDigest, sameEtag, timePinOf, trustedHead } = require('../../../lib/integrity')

const md5 = data => createHash('md5').update(data).digest('hex')
const hexOf = crc32 => (crc32 >>> 0).toString(16).padStart(8, '0')
const base64Of = crc32 => Buffer.from(hexOf(crc32), 'hex').toString('base64')
const PIECES = ['the bytes of ', 'an object, in ', 'three parts'].map(text => Buffer.from(text))
const outcomesOf = (pieces = PIECES) =>
  pieces.map(piece => ({ bytes: piece.length, sums: { crc32: hexOf(crc32(piece)) }, etag: `"${md5(piece)}"` }))
const spoilt = PIECES.map((piece, i) => (i === 1 ? Buffer.from(piece).fill('x', 3, 4) : piece))

/** As S3 documents it, in words of its own. */
const joined = (pieces, sum) => Buffer.concat(pieces.map(piece => Buffer.from(sum(piece), 'hex')))
const composite = pieces => `${base64Of(crc32(joined(pieces, piece => hexOf(crc32(piece)))))}-${pieces.length}`
const multipart = pieces => `"${md5(joined(pieces, md5))}-${pieces.length}"`

const TAG = multipart(PIECES)
const FULL = { crc32: hexOf(crc32(Buffer.concat(PIECES))) }
const head = more => ({ bytes: 38, etag: '"opaque"', ...more })
const summed = crc32 => head({ composite: { crc32 } })
const OTHER = { crc32: '00000000' }
const PARTS = summed('AAAAAA==-3')

const MD5 = md5('x')

test.each([
  ['"a"', 'a', true],
  ['W/"a"', '"a"', true],
  ['W/"a"', 'W/"a"', true],
  ['"a"', '"b"', false],
  ['"aW/"', '"a"', false],
  ['"a"b"', '"ab"', false],
  ['', '""', true],
])('an ETag %s and %s: the same, %j', (one, other, same) => {
  expect([sameEtag(one, other), sameEtag(other, one)]).toEqual([same, same])
})

test.each([
  ...['a-1', '"a-1"'].map(text => [text, '"a-1"']),
  ...['*', '"*"', '', '""', '"a', 'a"b', 'two words', 'é', 'W/"a"'].map(text => [text, undefined]),
])('an ETag that one types, %s, is %s', (text, etag) => expect(parseEtag(text)).toBe(etag))

test.each([
  [`"${MD5}"`, MD5, undefined],
  [MD5.toUpperCase(), MD5, undefined],
  [`"${MD5}-12"`, undefined, 12],
  ...[`"${MD5}-0"`, `"${MD5}-012"`, `"${MD5}0"`, `"x${MD5}"`].map(etag => [etag, undefined, undefined]),
])('an ETag %s: the MD5 %s, of %s parts', (etag, plain, parts) => {
  expect([plainMd5Of(etag), partsOfEtag(etag)]).toEqual([plain, parts])
})

test.each([
  [`"${MD5}"`, MD5.toUpperCase(), true],
  [`"${MD5}-2"`, `${MD5}-2`, true],
  [`"${MD5}-2"`, `"${MD5}-3"`, false],
  [`"${MD5}-2"`, `"${MD5}"`, false],
  [`"${MD5}"`, `"${md5('y')}"`, false],
  ['"a"', '"a"', false],
  [`"${MD5}"`, '"a"', false],
])('an ETag %s and %s: the same digest, %j', (one, other, same) => {
  expect([sameDigest(one, other), sameDigest(other, one)]).toEqual([same, same])
})

test.each([
  ...['W/"a"', '"a-gzip"', 'a-br'].map(etag => [etag, true]),
  ...['"a-gzip-2"', '"aW/"', '"a"'].map(etag => [etag, false]),
])('an ETag %s was changed by a proxy: %j', (etag, altered) => expect(isAltered({ etag })).toBe(altered))

const DATE = 'Sat, 31 Jan 2026 12:00:00 GMT'
const LATER = 'Sat, 31 Jan 2026 12:00:01 GMT'
const lastModifiedMs = Date.parse(DATE)

const NONE = [`x${DATE}`, `${DATE} x`, '2026-01-31T12:00:00Z', undefined].map(told => [told, ''])
test.each([[DATE, DATE], ...NONE])('a time in place of an ETag of %s: %s', (told, pin) => {
  expect(timePinOf(told)).toBe(pin)
  expect(isPinnedByTime({ etag: timePinOf(told) })).toBe(pin !== '')
})

test('a time in place of an ETag is that of the object, if it is known', () => {
  const object = { etag: 'W/"a"', bytes: 1 }
  expect(pinByTime({ ...object, lastModifiedMs })).toEqual({ ...object, lastModifiedMs, etag: DATE })
  expect(pinByTime(object)).toBe(object)
})

test.each([
  ['the same ETag, of another time', { etag: '"a"', lastModifiedMs }, { etag: '"a"', lastModifiedMs: 0 }, true],
  ['another ETag of the same time', { etag: '"a"', lastModifiedMs }, { etag: '"b"', lastModifiedMs }, false],
  ['one pinned by its time, and an ETag of that time', { etag: DATE }, { etag: '"a"', lastModifiedMs }, true],
  ['one pinned by a later time', { etag: LATER }, { etag: '"a"', lastModifiedMs }, false],
  ['one pinned by its time, and an ETag of no time', { etag: DATE }, { etag: '"a"' }, false],
  ['both pinned by their times', { etag: DATE, lastModifiedMs: 0 }, { etag: DATE, lastModifiedMs }, true],
  ['both, of which one is later', { etag: DATE }, { etag: LATER }, false],
  ['another size', { etag: '"a"', bytes: 2 }, { etag: '"a"' }, false],
])('a time in place of an ETag shows one object or not: %s', (_, one, other, same) => {
  const [a, b] = [one, other].map(object => ({ bytes: 1, ...object }))
  expect([isSamePinned(a, b), isSamePinned(b, a)]).toEqual([same, same])
})

test.each([
  ['nothing that is only repeated', { checked: [] }, {}],
  ['what is checked', { checked: ['crc32'] }, { sums: { crc32: '00000000' }, composite: { crc32: 'AAAAAA==-1' } }],
  ['what is computed', { checked: [], computed: ['md5'] }, { sums: { md5: 'a' } }],
  ['nothing of what it has not', { checked: ['crc64nvme'] }, {}],
])('of what a store reports counts %s', (_, sums, trusted) => {
  const plain = head()
  const told = { ...plain, sums: { crc32: '00000000', md5: 'a' }, composite: { crc32: 'AAAAAA==-1' } }
  expect(trustedHead(told, { sums })).toStrictEqual({ ...plain, ...trusted })
  expect(trustedHead(plain, { sums })).toStrictEqual(plain)
})

test.each([
  ['crc32', { sums: { crc32: '00000000' } }, 'AAAAAA==', 'CRC-32 AAAAAA=='],
  ['composite', { composite: { crc32: 'x-1' }, sums: { crc32: '00000000' } }, 'x-1', 'composite CRC-32 x-1'],
])('what a source keeps by its %s is shown', (by, source, expected, words) => {
  expect(keptBy(by, head(source))).toEqual({ expected, words })
  expect(['crc64nvme', 'etag', 'composite'].filter(isCrc)).toEqual(['crc64nvme'])
})

test('what was read without a CRC-32 is compared by its ETags alone', () => {
  const unsummed = outcomesOf().map(part => ({ ...part, sums: {} }))
  expect(judgeSource(head({ sums: FULL }), unsummed, true)).toBeUndefined()
  expect(judgeSource(summed(composite(PIECES)), unsummed, true)).toBeUndefined()
  expect(judgeSource(head({ etag: TAG }), unsummed, true)).toMatchObject({ proofs: ['source-md5'] })
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
    ['an ETag of such parts', head({ etag: TAG }), { verdict: 'equal', by: 'etag' }],
    ['one of other parts', head({ etag: multipart(spoilt) }), { verdict: 'different', by: 'etag' }],
    ['one of more parts', head({ etag: multipart([...PIECES, Buffer.from('x')]) }), undefined],
    ['one of an encrypted object', head({ etag: multipart(spoilt), encrypted: true }), undefined],
    ['an MD5 of parts that are one', head({ sums: { md5: md5('x') }, etag: multipart(PIECES) }), undefined],
    ['another CRC-32 than an ETag that fits', head({ sums: OTHER, etag: TAG }), { verdict: 'different', by: 'crc32' }],
    ['an ETag that fits, and no composite one', { ...PARTS, etag: TAG }, { verdict: 'equal', by: 'etag' }],
  ])('%s', (_, source, evidence) => {
    const { proofs, ...found } = judged(source) ?? {}
    expect(found).toEqual(evidence ?? {})
    const { by, verdict } = evidence ?? {}
    if (verdict === 'equal') expect(proofs).toContain(by === 'etag' ? 'source-md5' : 'source-crc32')
    else expect(proofs ?? []).toEqual([])
  })

  test('an ETag of one piece is the MD5 of the one part', () => {
    const one = PIECES.slice(0, 1)
    const found = (...heads) => heads.map(kept => judged(head(kept), outcomesOf(one)))
    const equal = { verdict: 'equal', proofs: ['source-md5'] }
    const plain = md5(PIECES[0])
    const fitting = [{ etag: `"${plain}"` }, { etag: multipart(one) }, { sums: { md5: plain } }]
    expect(found(...fitting)).toMatchObject([{ ...equal, by: 'etag' }, { ...equal, by: 'etag' }, equal])
    expect(found({ etag: `"${md5('x')}"` })).toMatchObject([{ verdict: 'different', by: 'etag' }])
  })

  test("parts' ETags that are no MD5s are not taken for some, and their MD5s are, where they are known", () => {
    const source = head({ etag: TAG })
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
        expect(judged(head({ etag: TAG }), outcomesOf(pieces)).verdict).toBe('different')
      }),
    )
  })
})

describe('two objects are equal by', () => {
  const plain = `"${md5('all')}"`
  const KEPT = head({ sums: { md5: md5('all') } })
  const BY_MD5 = { method: 'stored-md5', value: md5('all'), layout: false }
  test.each([
    ['their own CRC-32s', head({ sums: OTHER }), {}, { method: 'stored-crc32', value: 'AAAAAA==', layout: false }],
    ['their MD5s', head({ etag: plain }), {}, { method: 'etag', value: plain, layout: false }],
    ['the ETags of their equal parts', head({ etag: TAG }), {}, { method: 'etag', value: TAG, layout: true }],
    ['the checksums of their equal parts', PARTS, {}, { method: 'composite-crc32', value: 'AAAAAA==-3', layout: true }],
    ['the MD5 of one, and the ETag of the other', KEPT, { sums: undefined, etag: plain }, BY_MD5],
    ['nothing: only one has parts', head({ etag: plain }), { etag: `${plain.slice(0, -1)}-1"` }, undefined],
    ['nothing: an MD5, and one of parts', KEPT, { sums: undefined, etag: `"${md5('all')}-2"` }, undefined],
    ['nothing: other checksums of parts', PARTS, { composite: { crc32: 'AAAAAQ==-3' } }, undefined],
    ['nothing: one has a checksum of parts', PARTS, { composite: undefined }, undefined],
    ['nothing: one is encrypted', head({ etag: plain }), { encrypted: true }, undefined],
    ['nothing: other numbers of parts', head({ etag: TAG }), { etag: TAG.replace('-3', '-2') }, undefined],
  ])('%s', (_, one, more, stored) => expect(compareStored(one, { ...one, ...more })).toEqual(stored))
})

const [plain, other] = ['one', 'two'].map(text => `"${md5(text)}"`)
const ofParts = many => head({ etag: `${plain.slice(0, -1)}-${many}"` })
const whole = crc32 => head({ sums: { crc32 } })
test.each([
  ['of the same CRC-32 are equal', whole('00000000'), whole('00000000'), 'equal'],
  ['of other CRC-32s differ, whatever the ETags', whole('00000000'), whole('00000004'), 'different'],
  ['of the same MD5 are equal', head({ etag: plain }), head({ etag: plain }), 'equal'],
  ['of other MD5s differ', head({ etag: plain }), head({ etag: other }), 'different'],
  ['of which one was uploaded in parts are unknown', head({ etag: plain }), head({ etag: `${plain}-2` }), 'unknown'],
  ['of other sizes differ', head({ etag: plain }), { ...head({ etag: plain }), bytes: 1 }, 'different'],
  ['of the same checksum of parts are unknown', PARTS, PARTS, 'unknown'],
  ['of the MD5 that one keeps are equal', head({ sums: { md5: md5('one') } }), head({ etag: plain }), 'equal'],
  ['of that, beside one of parts', { ...ofParts(2), sums: { md5: md5('one') } }, head({ etag: plain }), 'equal'],
  ['are unknown of other parts', ofParts(2), ofParts(3), 'unknown'],
  ['are unknown if one is of parts', head({ etag: other }), ofParts(2), 'unknown'],
  ['are unknown if one is encrypted', head({ etag: plain }), head({ etag: other, encrypted: true }), 'unknown'],
])('the contents of two objects %s', (_, one, two, verdict) => {
  expect([compareContents(one, two), compareContents(two, one)]).toEqual([verdict, verdict])
})
