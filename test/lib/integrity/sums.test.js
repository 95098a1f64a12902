'use strict'

const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { createSums } = require('../../../actions/copy-range/copy/sums')
const { compareSums, publicSums, sameCrcs, sumsOfParts, sumText } = require('../../../lib/integrity')

const KINDS = ['crc32', 'crc32c', 'crc64nvme']
const bytes = fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array))

/** @param {Buffer} data */
function sumsOf(data, kinds = KINDS) {
  const sums = createSums(kinds)
  sums.update(data)
  return sums.digest()
}

test('the check values are those of the published algorithms', () => {
  expect(sumsOf(Buffer.from('123456789'))).toEqual({
    crc32: 'cbf43926',
    crc32c: 'e3069283',
    crc64nvme: 'ae8b14860a799888',
  })
})

test('any split into parts gives the CRCs of the whole', () => {
  fc.assert(
    fc.property(fc.array(bytes, { minLength: 1, maxLength: 8 }), pieces => {
      const parts = pieces.map(piece => ({ bytes: piece.length, sums: sumsOf(piece) }))
      expect(sumsOfParts(parts)).toEqual(sumsOf(Buffer.concat(pieces)))
    }),
  )
})

test('only what is known of every part is known of the whole', () => {
  const parts = [
    { bytes: 1, sums: sumsOf(Buffer.from('a')) },
    { bytes: 1, sums: sumsOf(Buffer.from('b'), ['crc32c']) },
  ]
  expect(Object.keys(sumsOfParts(parts))).toEqual(['crc32c'])
  expect(sumsOfParts([...parts, { bytes: 1, sums: {} }])).toEqual({})
})

test('an MD5 is that of the whole only if there is one part', () => {
  const part = { bytes: 1, sums: { md5: '0'.repeat(32) } }
  expect(sumsOfParts([part])).toEqual(part.sums)
  expect(sumsOfParts([part, part])).toEqual({})
})

test.each([
  [{ crc32: 'a' }, { crc32: 'a' }, { equal: ['crc32'] }, true],
  [{ crc32: 'a' }, { crc32: 'b' }, { equal: [], differs: 'crc32' }, false],
  [{ crc32: 'a', crc32c: 'c' }, { crc32: 'a', crc32c: 'd' }, { equal: ['crc32'], differs: 'crc32c' }, false],
  [{ crc32: 'a' }, { crc64nvme: 'a' }, { equal: [] }, false],
  [{ md5: 'a' }, { md5: 'a' }, { equal: [] }, false],
])('%j and %j', (one, other, compared, same) => {
  expect(compareSums(one, other)).toEqual(compared)
  expect(sameCrcs(one, other)).toBe(same)
})

test('summaries and messages have a CRC as stores write it', () => {
  const hex = crc32('123456789').toString(16)
  expect(publicSums({ crc32: hex })).toEqual({ crc32: 'y/Q5Jg==', sums: { crc32: hex } })
  expect(publicSums({})).toEqual({})
  expect([sumText('crc32', hex), sumText('md5', hex)]).toEqual(['y/Q5Jg==', hex])
})
