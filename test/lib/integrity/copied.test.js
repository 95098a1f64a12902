'use strict'

const { proofsOfCopied } = require('../../../lib/integrity')

const MD5 = `"${'a'.repeat(32)}"`
const PARTS = `"${'b'.repeat(32)}-3"`
const SUMS = { crc32: '00000000' }

it.each([
  ['the same CRC-32 of both', { etag: MD5, sums: SUMS }, { etag: PARTS, storedSums: SUMS }, ['stored-crc32']],
  [
    'the same CRC-64 of both',
    { etag: MD5, sums: { crc64nvme: '00000000000000ff' } },
    { etag: PARTS, storedSums: { crc64nvme: '00000000000000ff', ...SUMS } },
    ['stored-crc64nvme'],
  ],
  ['the same ETag', { etag: MD5 }, { etag: MD5 }, ['source-etag']],
  ['the same ETag, quoted otherwise', { etag: MD5 }, { etag: MD5.slice(1, -1) }, ['source-etag']],
  ['the same ETag of parts', { etag: PARTS }, { etag: PARTS }, ['source-etag']],
  ['both', { etag: MD5, sums: SUMS }, { etag: MD5, storedSums: SUMS }, ['stored-crc32', 'source-etag']],
  ['another ETag', { etag: PARTS }, { etag: MD5 }, ['store']],
  ['an ETag that is no MD5', { etag: '"opaque"' }, { etag: '"opaque"' }, ['store']],
  ['an ETag that another key made', { etag: MD5, encrypted: true }, { etag: MD5 }, ['store']],
  ['a CRC-32 that the source has not', { etag: '"x"' }, { etag: '"y"', storedSums: SUMS }, ['store']],
  ['a composite one', { etag: '"x"', composite: { crc32: 'AAAAAA==' } }, { etag: '"y"', storedSums: SUMS }, ['store']],
  ['what was read of both', { etag: '"x"' }, { etag: '"y"', proofs: ['read-back'] }, ['read-back']],
])('%s', (_, source, copied, proofs) => {
  expect(proofsOfCopied({ source, ...copied })).toEqual(proofs)
})
