'use strict'

const { ALGORITHMS, combineParts } = require('../../../sandbox/common/checksums')
const { phaseOf, syntheticCrc32, syntheticPiece } = require('../../../sandbox/common/synthetic')

function checksum(name, ...pieces) {
  const hasher = ALGORITHMS[name].create()
  for (const piece of pieces) hasher.update(piece)
  return hasher.digest()
}

test.each([
  ['CRC32', 'cbf43926'],
  ['CRC32C', 'e3069283'],
  ['CRC64NVME', 'ae8b14860a799888'],
  ['SHA1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['SHA256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
])('%s of the usual check string, whole and in pieces', (name, expected) => {
  expect(checksum(name, Buffer.from('123456789')).toString('hex')).toBe(expected)
  expect(checksum(name, Buffer.from('12'), Buffer.alloc(0), Buffer.from('3456789')).toString('hex')).toBe(expected)
})

test.each(['CRC32', 'CRC32C', 'CRC64NVME'])('%s of parts combine into that of the whole', name => {
  const bytes = Buffer.from(Array.from({ length: 70_001 }, (_, i) => (i * i) >> 3))
  const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 1), bytes.subarray(1, 65_537), bytes.subarray(65_537)]
  const parts = pieces.map(piece => ({ bytes: piece.length, value: checksum(name, piece).toString('base64') }))
  expect(combineParts(name, 'FULL_OBJECT', parts)).toBe(checksum(name, bytes).toString('base64'))
})

test('a composite checksum is that of the parts’ checksums, and says how many they are', () => {
  const values = [checksum('SHA256', Buffer.from('a')), checksum('SHA256', Buffer.from('b'))]
  const parts = values.map(value => ({ bytes: 1, value: value.toString('base64') }))
  const whole = checksum('SHA256', Buffer.concat(values)).toString('base64')
  expect(combineParts('SHA256', 'COMPOSITE', parts)).toBe(`${whole}-2`)
})

test.each([0, 1, 4_194_300, 4_194_301, 4_194_302, 30_000_000])(
  'the CRC-32 of %i made-up bytes is known without making them',
  size => {
    const phase = phaseOf('bucket/key')
    const pieces = []
    for (let at = 0; at < size; ) {
      pieces.push(syntheticPiece(phase, at, size - at))
      at += pieces.at(-1).length
    }
    expect(syntheticCrc32(phase, size)).toBe(checksum('CRC32', ...pieces).toString('base64'))
  },
)
