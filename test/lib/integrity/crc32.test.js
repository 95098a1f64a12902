'use strict'

const { crc32 } = require('node:zlib')
const fc = require('fast-check')
const { crc32Combine, crc32FromBase64, crc32OfParts, crc32ToBase64 } = require('../../../lib/integrity/crc32')

const bytes = fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array))

test('the check value of CRC-32 is what the published algorithm gives', () => {
  const [first, second] = [Buffer.from('12345'), Buffer.from('6789')]
  expect(crc32Combine(crc32(first), crc32(second), 4)).toBe(0xcbf43926)
  expect(crc32ToBase64(0xcbf43926)).toBe('y/Q5Jg==')
})

test('two CRC-32s combine into that of the concatenation', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(crc32Combine(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])))
    }),
  )
})

test('any split into parts gives the CRC-32 of the whole', () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 12 }), pieces => {
      const parts = pieces.map(piece => ({ crc32: crc32(piece), bytes: piece.length }))
      expect(crc32OfParts(parts)).toBe(crc32(Buffer.concat(pieces)))
    }),
  )
})

test('parts of sizes beyond 32 bits combine in any grouping alike', () => {
  const size = fc.integer({ min: 0, max: 2 ** 44 })
  const sum = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  fc.assert(
    fc.property(sum, sum, sum, size, size, (a, b, c, bBytes, cBytes) => {
      const left = crc32Combine(crc32Combine(a, b, bBytes), c, cBytes)
      const right = crc32Combine(a, crc32Combine(b, c, cBytes), bBytes + cBytes)
      expect(left).toBe(right)
    }),
  )
})

test('100 MiB of zeros in ten parts have the CRC-32 that they have in one piece', () => {
  const zeros = Buffer.alloc(10 * 1024 ** 2)
  const part = { crc32: crc32(zeros), bytes: zeros.length }
  let whole = 0
  for (let i = 0; i < 10; i++) whole = crc32(zeros, whole)
  expect(crc32OfParts(Array(10).fill(part))).toBe(whole)
})

describe('base64, as S3 writes it', () => {
  test('there and back is the same number, always of eight characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), value => {
        const text = crc32ToBase64(value)
        expect(text).toMatch(/^[A-Za-z0-9+/]{6}==$/)
        expect(crc32FromBase64(text)).toBe(value)
      }),
    )
  })

  test.each([
    [0, 'AAAAAA=='],
    [1, 'AAAAAQ=='],
    [0xffffffff, '/////w=='],
  ])('%i is %s', (value, text) => {
    expect(crc32ToBase64(value)).toBe(text)
  })

  test.each(['', 'AAAA', 'AAAAAAAA', 'y/Q5Jg==-3', 'not base64'])('%j is no CRC-32', text => {
    expect(crc32FromBase64(text)).toBeUndefined()
  })
})
