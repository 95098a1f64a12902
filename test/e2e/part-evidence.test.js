'use strict'

/** What proves the parts of an upload: exit 0 only with positive evidence. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { since } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

/** Four parts. */
const BODY = bytesOf(16 * 1024 ** 2)
const UNKNOWN = { serverName: 'Oddity/1.0' }

// To one of which nothing is known, two small parts more are sent.
test.each([
  ['that takes any checksum', { ...UNKNOWN, checksumCheck: false }, 'part-md5', 6, 0],
  ['whose ETags are opaque', { ...UNKNOWN, checksumCheck: false, md5Etags: false }, 'read-back', 6, 5],
  ['that wants a checksum of each part', { requirePartChecksums: true }, 'store-crc32', 4, 0],
  ['that answers 411 to trailers', { ...UNKNOWN, checksums: false, trailerStatus: 411 }, 'part-md5', 4, 0],
  ['that is known', {}, 'store-crc32', 4, 0],
])('a copy to a store %s', async (_, options, proof, parts, reads) => {
  const [source, destination] = await Promise.all([startStore(), startStore(options)])
  const route = await openRoute({ source, destination })
  await put(route.from, 'object', BODY)
  const before = { ...destination.requests }
  const { status, last } = await route.copy('object')
  expect({ status, message: last.message }).toEqual({ status: 0 })
  expect(last.proof.filter(one => !['source-etag', 'source-md5'].includes(one))).toEqual([proof])
  const { UploadPart, GetObject = 0 } = since(destination, before)
  expect({ UploadPart, GetObject }).toEqual({ UploadPart: parts, GetObject: reads })
  expect((await get(route.to, 'object')).equals(BODY)).toBe(true)
})
