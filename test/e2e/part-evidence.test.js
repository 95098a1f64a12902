'use strict'

/** What proves the parts of an upload: exit 0 only with positive evidence, also after a resume. */

const { startStore } = require('../support/opened')
const { expectEvents, openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { journalHolds, newStateHome } = require('../support/journals')
const { since } = require('../support/requests')
const { startXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
/** Four parts. */
const BODY = bytesOf(16 * MiB)
const UNKNOWN = { serverName: 'Oddity/1.0' }

let server
let route
let env

/** @param {object} options of the destination @param {any} [from] the source: the same store when absent */
async function open(options, from) {
  server = await startStore(options)
  route = await openRoute({ source: from ?? server, destination: server })
  env = { ...route.env, XDG_STATE_HOME: newStateHome() }
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

test('a reading back that is interrupted goes on where it was, and reads no range twice', async () => {
  const source = await startStore()
  await open({ ...UNKNOWN, checksums: false, md5Etags: false }, source)
  // One byte is asked for beforehand; then the ranges, one after the other.
  server.faults.add({ operation: 'GetObject', nth: 4, stall: 100 })
  let gets = 0
  const third = eventOf(server, 'begin', ({ operation }) => operation === 'GetObject' && ++gets === 4)
  const { child, ended } = route.start('object', 'object', ['--on-failure', 'keep', '--concurrency', '1'], { env })
  await third
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ status: 130 })
  server.faults.clear()
  const before = { ...server.requests }
  const { status, last } = expectEvents(await startXfer(['resume', '--json'], { env }).ended, { env })
  expect({ status, proof: last.proof }).toEqual({ status: 0, proof: ['read-back'] })
  const { GetObject, UploadPart } = since(server, before)
  expect({ GetObject, UploadPart }).toEqual({ GetObject: 2, UploadPart: undefined })
})

test('parts that the store copied by itself prove nothing of those that an engine adds', async () => {
  await open({ ...UNKNOWN, checksumCheck: false })
  const start = route =>
    startXfer(
      ['copy', 's3://source/object', 's3://target/object', '--json', '--engine', 'local', '--chunk', '5', ...route],
      { env },
    )
  const held = server.faults.add({ operation: 'UploadPartCopy', partNumber: 2, delayMs: 60_000 })
  const begun = eventOf(server, 'begin', event => event.operation === 'UploadPartCopy' && event.partNumber === 2)
  const started = start(['--concurrency', '1', '--route', 'auto'])
  await begun
  await journalHolds(env.XDG_STATE_HOME, 'part')
  started.child.kill('SIGKILL')
  await started.ended
  held.remove()
  server.faults.add({ operation: 'UploadPart', partNumber: 3, flipByteAt: 100, nth: 1, leastBytes: 100 })
  const { status, last } = expectEvents(await start(['--route', 'engine']).ended, { env })
  expect({ status, message: last.message }).toEqual({ status: 0, message: undefined })
  await expectRight()
})
