'use strict'

/** What is evidence, and what may be claimed. */

const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { checkParts, claimsOf, contradictionOf, isUncompared, multipartEtag } = require('../../../lib/integrity')
const { proofsOf, proofsOfCopied, shownOf, weighCopied, weighParts, weighWritten } = require('../../../lib/integrity')
const { planObject } = require('../../../lib/copy')

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

const DIFFERS = { verdict: 'contradicted', proofs: [] }

describe('what was written, and the destination reports', () => {
  const { crc32: sum, md5 } = sumsOf(Buffer.from('sent'))
  const OTHER = { crc32: '00000001', crc32c: '00000002', md5: '0'.repeat(32) }
  const proved = (...proofs) => ({ verdict: 'proved', proofs })
  const differs = by => ({ ...DIFFERS, by, expected: { crc32: sum, md5 }[by], found: OTHER[by] })
  const UNPROVED = { verdict: 'unproved', proofs: [] }
  const BOTH = { kept: ['md5'], believed: ['crc32'] }
  const CHECKS = { kept: ['crc32'] }
  const GOOD = { bytes: 4, etag: `"${md5}"`, sums: { crc32: sum } }
  const ODD = { ...GOOD, etag: `"${OTHER.md5}"` }

  test.each([
    ['another size alone', CHECKS, { ...GOOD, bytes: 5 }, { verdict: 'contradicted', by: 'size', found: 5 }],
    ['another CRC-32 alone', CHECKS, { ...GOOD, sums: { crc32: OTHER.crc32 } }, differs('crc32')],
    ['another MD5 as its ETag', {}, ODD, differs('md5')],
    ['such an ETag, where it is known to check', CHECKS, ODD, proved('store-crc32')],
    ['no checksum, though it is known to check', CHECKS, { etag: '"x"' }, UNPROVED],
    ['the checksum that it checks', CHECKS, { etag: '"x"', sums: { crc32: sum } }, proved('store-crc32')],
    ['one that it checks, and nobody has computed', { ...CHECKS, sums: {} }, { sums: { crc32: sum } }, UNPROVED],
    ['another CRC-32, which it may only repeat', {}, { sums: { crc32: OTHER.crc32 } }, differs('crc32')],
    ['another MD5, which it may only repeat', {}, { sums: { md5: OTHER.md5 } }, UNPROVED],
    ['another MD5 that it keeps', { kept: ['md5'] }, { sums: { md5: OTHER.md5 } }, differs('md5')],
    ['the MD5 that it keeps', { kept: ['md5'] }, { sums: { md5 } }, proved('part-md5')],
    ['a checksum that was not computed', { kept: ['crc32c'] }, { sums: { crc32c: OTHER.crc32c } }, UNPROVED],
    ['another checksum in its answer', BOTH, { sums: { md5 }, answered: { crc32: OTHER.crc32 } }, differs('crc32')],
    ['both equal', BOTH, { sums: { md5 }, answered: { crc32: sum } }, proved('part-md5')],
    ['the MD5 as its ETag, which was not computed', { sums: { crc32: sum } }, { etag: `"${md5}"` }, UNPROVED],
    ['nothing, though it is a file', { written: true }, {}, proved('written')],
    ['another size, though it is a file', { written: true }, { bytes: 5 }, { verdict: 'contradicted', by: 'size' }],
    ['the CRC-32 of a file', { written: true, kept: ['crc32'] }, { sums: { crc32: sum } }, proved('store-crc32')],
  ])('%s', (_, more, reported, expected) => {
    expect(weighWritten({ bytes: 4, sums: { crc32: sum, md5 }, ...more }, reported)).toMatchObject(expected)
  })

  test.each([
    [{ by: 'crc32', expected: 'cbf43926', found: '00000001' }, 'y/Q5Jg== AAAAAQ=='],
    [{ by: 'md5', expected: md5, found: OTHER.md5 }, `${md5} ${OTHER.md5}`],
    [{ by: 'size', expected: 4, found: 5 }, undefined],
    [{}, undefined],
  ])('%j is shown as %j', (weighed, shown) => {
    const found = shownOf(weighed)
    expect(found && `${found.one} ${found.other}`).toBe(shown)
  })
})

/** The parts that are proved, damaged and unproved. */
const numbers = ({ proved, damaged, unproved }) =>
  [proved, damaged, unproved].map(list => list.map(({ partNumber }) => partNumber))
const part = (partNumber, text, etag = `"${md5Of(text)}"`) => ({ partNumber, ...sentOf(Buffer.from(text)), etag })

test('one part whose ETag is its MD5 shows that the others, which differ, are damaged, in whatever order they come', () => {
  const parts = [part(1, 'a', `"${'0'.repeat(32)}"`), part(2, 'b'), part(3, 'c'), part(4, 'd', '"opaque"')]
  expect(numbers(weighParts(parts, { checked: false }))).toEqual([[2, 3], [1], [4]])
  const others = parts.map(one => ({ ...one, etag: `"${'0'.repeat(32)}"` }))
  expect(numbers(weighParts(others, { checked: false }))).toEqual([[], [], [1, 2, 3, 4]])
  expect(numbers(weighParts(others, { checked: true }))).toEqual([[1, 2, 3, 4], [], []])
  expect(numbers(weighParts(others, { checked: false, written: true }))).toEqual([[1, 2, 3, 4], [], []])
  expect(numbers(weighParts(parts, { checked: false, encrypted: true }))).toEqual([[], [], [1, 2, 3, 4]])
})

describe('a checksum in the answer to a write', () => {
  const anySums = fc.subarray(['crc32', 'md5'])
  const pick = (sums, names) => Object.fromEntries(names.map(name => [name, sums[name]]))

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
    expect(numbers(weighParts(parts, { checked: false, believed }))).toEqual([[1], [2], [3, 4]])
    expect(numbers(weighParts([...parts, part(5, 'e')], { checked: false, believed }))).toEqual([[1, 5], [2, 4], [3]])
    expect(numbers(weighParts(parts, { checked: false }))).toEqual([[], [], [1, 2, 3, 4]])
  })
})

describe('a copy by the store, with', () => {
  const [MD5, OTHER] = ['a', 'b'].map(digit => digit.repeat(32))
  const [CRC, OTHER_CRC] = ['00000000', '00000001'].map(crc32 => ({ sums: { crc32 } }))
  const SIZE = { bytes: 10 }
  const proved = proof => ({ verdict: 'proved', proofs: [proof] })
  const differs = (by, expected, found) => ({ ...DIFFERS, by, expected, found })
  const UNPROVED = { verdict: 'unproved', proofs: [] }

  test.each([
    ['another size, and the same ETag', { etag: MD5 }, { etag: MD5, bytes: 9 }, differs('size', 10, 9)],
    ['another CRC-32', { etag: MD5, ...CRC }, { etag: MD5, ...OTHER_CRC }, differs('crc32', '00000000', '00000001')],
    ['another MD5', { etag: MD5 }, { etag: OTHER, ...SIZE }, differs('md5', MD5, OTHER)],
    ['another MD5, and the same CRC-32', { etag: MD5, ...CRC }, { etag: OTHER, ...CRC }, proved('stored-crc32')],
    ['an ETag that only looks like an MD5', { etag: MD5, encrypted: true }, { etag: OTHER, ...SIZE }, proved('store')],
    ['another ETag, encrypted', { etag: MD5 }, { etag: OTHER, encrypted: true, ...SIZE }, proved('store')],
    ['the ETag of a source in parts', { etag: `${OTHER}-2` }, { etag: MD5, ...SIZE }, proved('store')],
    ['an ETag of parts', { etag: MD5 }, { etag: `${OTHER}-2`, ...SIZE }, proved('store')],
    ['an unknown size', { etag: MD5 }, { etag: 'x' }, UNPROVED],
    ['an unknown size, and the same ETag', { etag: MD5 }, { etag: MD5 }, proved('source-etag')],
    ['the same ETag of parts', { etag: `${MD5}-3` }, { etag: `${MD5}-3`, ...SIZE }, proved('source-etag')],
    ['the same ETag, made with another key', { etag: MD5, encrypted: true }, { etag: MD5, ...SIZE }, proved('store')],
    ['the same ETag, which is no MD5', { etag: 'x' }, { etag: 'x', ...SIZE }, proved('store')],
  ])('%s', (_, source, copy, expected) => expect(weighCopied({ ...SIZE, ...source }, copy, false)).toEqual(expected))

  test('an answer that is enough, and a reading of both', () => {
    expect(weighCopied({ ...SIZE, etag: MD5 }, { etag: 'x' }, true)).toEqual(proved('store'))
    expect(proofsOfCopied({ source: { etag: 'x' }, etag: 'y', proofs: ['read-back'] })).toEqual(['read-back'])
  })
})

const [MD5, OTHER] = ['a', 'b'].map(digit => digit.repeat(32))
const STORE = ['store-crc32']
const CRCS_FIRST = 'store-crc32 source-crc32 source-etag source-read'

test.each([
  ['the same ETag stands for the MD5', MD5, {}, 'store-crc32', 'source-md5', 'store-crc32 source-etag'],
  ['checksums come first', MD5, {}, 'store-crc32', 'source-read source-crc32', CRCS_FIRST],
  ['another ETag is none', OTHER, {}, 'store-crc32', 'source-md5', 'store-crc32 source-md5'],
  ['an encrypted one is none', MD5, { encrypted: true }, 'store-crc32', 'source-md5', 'store-crc32 source-md5'],
  ['nothing is known of what is stored', OTHER, {}, '', 'source-md5', 'source-md5 size'],
  ['the same ETag is enough', MD5, {}, '', '', 'source-etag'],
  ['each is claimed once', OTHER, {}, 'store-crc32 read-back store-crc32', '', 'store-crc32 read-back'],
])('of what an object was compared with, %s', (_, etag, copy, aboutStored, aboutRead, claims) => {
  const [stored, read] = [aboutStored, aboutRead].map(text => text.split(' ').filter(Boolean))
  expect(claimsOf({ etag: `"${MD5}"` }, { etag: `"${etag}"`, ...copy }, stored, read).join(' ')).toBe(claims)
})

test.each([
  [['size'], 10, false],
  [STORE, 10, true],
  [['read-back', 'size'], 10, true],
  [STORE, 0, false],
  [STORE, 1, true],
  ...['source-crc32', 'source-md5', 'source-read'].map(proof => [[...STORE, proof], 10, false]),
  ...['source-etag', 'stored-crc64nvme', 'store'].map(proof => [[proof], 10, false]),
])('of what an object was compared with, %j of %i bytes: no checksum of the source, %j', (proofs, bytes, expected) => {
  expect(isUncompared(proofs, bytes)).toBe(expected)
})

describe('a copy', () => {
  const CONTENT = Buffer.from('the bytes of an object, in three parts')
  const LIMITS = { minBytes: 1, maxBytes: 1000, maxParts: 100, equalParts: false }
  const { parts } = planObject({ bytes: CONTENT.length, chunkBytes: 15, limits: LIMITS })

  /** What a faultless copy of CONTENT brings back. */
  const outcomesOf = (content = CONTENT) =>
    parts.map(({ partNumber, start, bytes }) => {
      const piece = content.subarray(start, start + bytes)
      return { partNumber, bytes, etag: `"${md5Of(piece)}"`, sums: sumsOf(piece) }
    })
  const head = more => ({ bytes: CONTENT.length, etag: '"source"', ...more })
  const SUMS = { crc32: hexOf(crc32(CONTENT)) }
  const BASE64 = Buffer.from(SUMS.crc32, 'hex').toString('base64')
  const OTHER = { crc32: '00000000' }

  describe('before the completion', () => {
    const [first, second, third] = outcomesOf()
    test.each([
      ['a part missing', [first, second]],
      ['a part missing, whose bytes another has', [first, { ...second, bytes: second.bytes + third.bytes }]],
      ['two changed about', [second, first, third]],
      ['a byte from another part', [{ ...first, bytes: 14 }, { ...second, bytes: 15 }, third]],
    ])('%s is refused', (_, outcomes) => {
      const refusal = expect.objectContaining({ code: 'INTEGRITY', exitCode: 8 })
      expect(() => checkParts(outcomes, parts, head())).toThrow(refusal)
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

    test('the refusal tells both sizes, and what is at the destination', () => {
      const facts = { expected: CONTENT.length, found: first.bytes, now: 'it is there' }
      expect(() => checkParts([first], parts, head(), { now: facts.now })).toThrow(
        expect.objectContaining({ facts: expect.objectContaining(facts) }),
      )
    })

    test('a checksum that one part lacks is not that of the object', () => {
      const [first, ...rest] = outcomesOf()
      expect(checkParts([{ ...first, sums: {} }, ...rest], parts, head({ sums: OTHER }))).toEqual({})
    })
  })

  const made = outcomesOf()
  const opaque = made.map(one => ({ ...one, etag: '"opaque"' }))
  const etag = multipartEtag(made)
  const others = `"${'0'.repeat(32)}-${made.length}"`
  const SENT = { bytes: CONTENT.length, sums: SUMS, parts: made }

  const OF_OTHERS = `its ETag is ${others}, and that of its parts would be ${etag}`
  test.each([
    ['the size, the CRC-32 and the ETag of what was sent', { ...SENT, etag }, {}, undefined],
    ['nothing but an ETag', { etag: '"x"' }, {}, undefined],
    ['another size', { bytes: 5, etag }, {}, `keeps 5 bytes, and ${CONTENT.length} were`],
    ['another CRC-32', { sums: OTHER, etag }, {}, `the CRC-32 AAAAAA==, and what was sent has ${BASE64}`],
    ['the ETag of other parts', { etag: others }, {}, OF_OTHERS],
    ['that, and nothing is asked of it', { etag: others }, { parts: [] }, undefined],
    ['that, where the ETags of parts are no MD5s', { etag: others }, { parts: opaque }, undefined],
    ['that, where one of them is none', { etag: others }, { parts: [made[0], opaque[1], made[2]] }, undefined],
    ['the ETag of another number of parts', { etag: others.replace('-3', '-2') }, {}, undefined],
    ['a plain MD5', { etag: others.replace('-3', '') }, {}, undefined],
    ['the ETag without its quotes', { etag: etag.replaceAll('"', '') }, {}, undefined],
  ])('the destination reports %s', (_, stored, sent, expected) => {
    expect(contradictionOf(stored, { ...SENT, ...sent })).toEqual(expected && expect.stringContaining(expected))
  })

  describe('a proof is claimed only for what was compared', () => {
    const etag = multipartEtag(outcomesOf())
    const copy = { source: head(), outcomes: outcomesOf(), sums: SUMS, etag: '"other"' }
    const withoutMd5 = outcomesOf().map(o => ({ ...o, sums: { crc32: o.sums.crc32 } }))
    const other = { ...outcomesOf()[1], etag: `"${md5Of('x')}"` }
    const answeredOf = many => withoutMd5.map((o, i) => ({ ...o, ...(i < many && { answered: o.sums }) }))
    const ALSO = { crc32c: '00000003' }
    const [first, ...rest] = outcomesOf()
    const SOME = [first, rest[0], withoutMd5[2]]
    const BOTH_CRCS = ['store-crc32', 'store-crc32c']
    const READ = ['source-md5', 'source-read']
    const without = more => ({ outcomes: withoutMd5, ...more })

    test.each([
      ['the destination gave our CRC-32 back', { storedSums: SUMS }, ['store-crc32']],
      ['the destination took checked parts', { checked: true }, ['store-crc32']],
      ['it gave the CRC-32 back as well', { checked: true, storedSums: SUMS }, ['store-crc32']],
      ['it gave another CRC back', { checked: true, sums: { ...SUMS, ...ALSO }, storedSums: ALSO }, BOTH_CRCS],
      ['no CRC-32 was computed to be checked', { checked: true, sums: {} }, ['part-md5']],
      ['the destination is a file', { written: true }, ['written']],
      ['it is one, and no CRC was computed', { written: true, sums: {}, outcomes: withoutMd5 }, ['size']],
      ['what has no proof of its own was read', { outcomes: SOME, proofs: ['read-back'] }, ['part-md5', 'read-back']],
      ['what has none was made by the store', { outcomes: SOME, proofs: ['store'] }, ['part-md5', 'store']],
      ['what was read has the MD5 of the source', { proofs: [...READ, 'source-md5'] }, ['part-md5', ...READ]],
      ['every part has the MD5 that was sent', {}, ['part-md5']],
      ['one part has another', { outcomes: outcomesOf().with(1, other) }, ['size']],
      ['the source keeps our CRC-32', without({ source: head({ sums: SUMS }) }), ['source-crc32', 'size']],
      ['the source keeps that of its parts', without({ source: head({ composite: { crc32: BASE64 } }) }), ['size']],
      ['both have one ETag', without({ etag, source: head({ etag }) }), ['source-etag']],
      ['both have one that is no MD5', without({ etag: '"abc"', source: head({ etag: '"abc"' }) }), ['size']],
      ['it answered the CRC-32 of every part', { outcomes: answeredOf(3), believed: ['crc32'] }, ['store-crc32']],
      ['it answered them, and may repeat what it is sent', { outcomes: answeredOf(3) }, ['size']],
      ['it answered that of one part, and no more', { outcomes: answeredOf(1), believed: ['crc32'] }, ['size']],
      [
        'it answered that of one part, and the others have the MD5 that was sent',
        { outcomes: [answeredOf(1)[0], ...rest], believed: ['crc32'] },
        ['store-crc32', 'part-md5'],
      ],
    ])('%s', (_, more, proofs) => expect(proofsOf({ ...copy, ...more })).toEqual(proofs))
  })
})
