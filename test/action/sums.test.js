'use strict'

const { createHash } = require('node:crypto')
const fc = require('fast-check')
const { createSums } = require('../../actions/copy-range/copy/sums')

/** Bit by bit, as the catalogue of CRCs defines them: the reversed polynomial, all bits set at first, complemented at the end. */
const REFERENCE = {
  crc32: { bits: 32n, polynomial: 0xedb88320n },
  crc32c: { bits: 32n, polynomial: 0x82f63b78n },
  crc64nvme: { bits: 64n, polynomial: 0x9a6c9329ac4bc9b5n },
}
const KINDS = [...Object.keys(REFERENCE), 'md5']

/** @param {string} kind @param {Uint8Array} data */
function reference(kind, data) {
  if (kind === 'md5') return createHash('md5').update(data).digest('hex')
  const { bits, polynomial } = REFERENCE[kind]
  const ones = (1n << bits) - 1n
  let register = ones
  for (const byte of data) {
    register ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) register = register & 1n ? (register >> 1n) ^ polynomial : register >> 1n
  }
  return (register ^ ones).toString(16).padStart(Number(bits) / 4, '0')
}

/** @param {string[]} kinds @param {Uint8Array[]} pieces */
function sumsOf(kinds, pieces) {
  const sums = createSums(kinds)
  for (const piece of pieces) sums.update(piece)
  return sums.digest()
}

test.each([
  ['123456789', 'cbf43926', 'e3069283', 'ae8b14860a799888', '25f9e794323b453885f5181f1b624d0b'],
  ['', '00000000', '00000000', '0000000000000000', 'd41d8cd98f00b204e9800998ecf8427e'],
])('of %j they are the published ones', (text, crc32, crc32c, crc64nvme, md5) => {
  expect(sumsOf(KINDS, [Buffer.from(text)])).toEqual({ crc32, crc32c, crc64nvme, md5 })
})

test('only those that were asked for are there', () => {
  expect(sumsOf(['crc64nvme'], [Buffer.from('123456789')])).toEqual({ crc64nvme: 'ae8b14860a799888' })
  expect(sumsOf([], [Buffer.from('123456789')])).toEqual({})
})

test.each(KINDS)('%s of any bytes in any pieces is that of the definition', kind => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6 })
  fc.assert(
    fc.property(pieces, pieces => {
      expect(sumsOf([kind], pieces)[kind]).toBe(reference(kind, Buffer.concat(pieces)))
    }),
  )
})
