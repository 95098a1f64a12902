'use strict'

const { proofsOfCopied } = require('../../../lib/integrity')

const MD5 = `"${'a'.repeat(32)}"`
const PARTS = `"${'b'.repeat(32)}-3"`
const full = crc32 => ({ crc32, type: 'FULL_OBJECT' })
const composite = crc32 => ({ crc32, type: 'COMPOSITE' })

it.each([
  [
    'the same CRC-32 of both',
    { etag: MD5, checksum: full('AAAAAA==') },
    { etag: PARTS, storedCrc32: 'AAAAAA==' },
    ['stored-crc32'],
  ],
  ['the same ETag', { etag: MD5 }, { etag: MD5 }, ['source-etag']],
  ['the same ETag, quoted otherwise', { etag: MD5 }, { etag: MD5.slice(1, -1) }, ['source-etag']],
  ['the same ETag of parts', { etag: PARTS }, { etag: PARTS }, ['source-etag']],
  [
    'both',
    { etag: MD5, checksum: full('AAAAAA==') },
    { etag: MD5, storedCrc32: 'AAAAAA==' },
    ['stored-crc32', 'source-etag'],
  ],
  ['another ETag', { etag: PARTS }, { etag: MD5 }, ['store']],
  ['an ETag that is no MD5', { etag: '"opaque"' }, { etag: '"opaque"' }, ['store']],
  ['an ETag that another key made', { etag: MD5, encrypted: true }, { etag: MD5 }, ['store']],
  ['a CRC-32 that the source has not', { etag: '"x"' }, { etag: '"y"', storedCrc32: 'AAAAAA==' }, ['store']],
  [
    'a composite one',
    { etag: '"x"', checksum: composite('AAAAAA==') },
    { etag: '"y"', storedCrc32: 'AAAAAA==' },
    ['store'],
  ],
  ['what was read of both', { etag: '"x"' }, { etag: '"y"', proofs: ['read-back'] }, ['read-back']],
])('%s', (_, source, copied, proofs) => {
  expect(proofsOfCopied({ source, ...copied })).toEqual(proofs)
})
