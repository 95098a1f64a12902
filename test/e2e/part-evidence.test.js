'use strict'

/** What proves the parts of an upload: exit 0 only with positive evidence. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { since } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
/** Four parts. */
const BODY = bytesOf(16 * MiB)
const UNKNOWN = { serverName: 'Oddity/1.0' }

let server
let route

/** @param {object} options of the destination @param {any} [from] the source: the same store when absent */
async function open(options, from) {
  server = await startStore(options)
  route = await openRoute({ source: from ?? server, destination: server })
  await put(route.from, 'object', BODY)
}

async function expectRight() {
  server.faults.clear()
  expect((await get(route.to, 'object')).equals(BODY)).toBe(true)
}

/** @type {Array<[what: string, options: object, proof: string[], requests: object]>} */
const PROOFS = [
  // That of the few bytes, and one without checksums.
  [
    'that takes any checksum',
    { ...UNKNOWN, checksumCheck: false },
    ['part-md5'],
    { UploadPart: 6, CreateMultipartUpload: 2, GetObject: 0 },
  ],
  // One that may be read, and the object in its parts.
  [
    'whose ETags are opaque',
    { ...UNKNOWN, checksumCheck: false, md5Etags: false },
    ['read-back'],
    { UploadPart: 6, GetObject: 5 },
  ],
  ['that wants a checksum of each part', { requirePartChecksums: true }, ['store-crc32'], { GetObject: 0 }],
  [
    'that answers 411 to trailers',
    { ...UNKNOWN, checksums: false, trailerStatus: 411 },
    ['part-md5'],
    { GetObject: 0 },
  ],
  [
    'that is known',
    {},
    ['store-crc32'],
    { UploadPart: 4, CreateMultipartUpload: 1, GetObject: 0, HeadObject: 1, ListParts: 0 },
  ],
]

test.each(PROOFS)('a copy to a store %s', async (_, options, proof, requests) => {
  const source = await startStore()
  await open(options, source)
  const before = { ...server.requests }
  const { status, last } = await route.copy('object')
  expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
  expect(last.proof.filter(one => !['source-etag', 'source-md5'].includes(one))).toEqual(proof)
  const made = since(server, before)
  expect(Object.fromEntries(Object.keys(requests).map(name => [name, made[name] ?? 0]))).toEqual(requests)
  await expectRight()
})
