'use strict'

/** The sums and signatures by which the stand-ins judge xfer, against published values. */

const { ALGORITHMS, combineParts } = require('../../sandbox/common/checksums')
const { signatureOf } = require('../../sandbox/common/sigv4')
const { phaseOf, syntheticCrc32, syntheticPiece } = require('../../sandbox/common/synthetic')

function checksum(name, ...pieces) {
  const hasher = ALGORITHMS[name].create()
  for (const piece of pieces) hasher.update(piece)
  return hasher.digest()
}

test.each([
  ['CRC32', 'cbf43926'],
  ['CRC32C', 'e3069283'],
  ['CRC64NVME', 'ae8b14860a799888'],
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

test.each([0, 4_194_301, 30_000_000])('the CRC-32 of %i made-up bytes is known', size => {
  const phase = phaseOf('bucket/key')
  const pieces = []
  for (let at = 0; at < size; ) {
    pieces.push(syntheticPiece(phase, at, size - at))
    at += pieces.at(-1).length
  }
  expect(syntheticCrc32(phase, size)).toBe(checksum('CRC32', ...pieces).toString('base64'))
})

test("a request has the signature of AWS's example (sigv4-streaming)", () => {
  const [amzDate, scope] = ['20130524T000000Z', '20130524/us-east-1/s3/aws4_request']
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  const headers = {
    'content-encoding': 'aws-chunked',
    'content-length': '66824',
    host: 's3.amazonaws.com',
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-date': amzDate,
    'x-amz-decoded-content-length': '66560',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  }
  const request = {
    ...{ method: 'PUT', rawPath: '/examplebucket/chunkObject.txt', query: [] },
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    signedHeaders: Object.keys(headers),
    payloadHash: headers['x-amz-content-sha256'],
  }
  const { signature } = signatureOf(request, { secret, scope: scope.split('/'), amzDate })
  expect(signature).toBe('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9')
})
