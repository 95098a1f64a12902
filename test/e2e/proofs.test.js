'use strict'

/** What proves a copy: exit 0 only with positive evidence of each part, object and condition. */

const { Readable } = require('node:stream')
const xfer = require('../../lib')
const { openEnd, startKinds, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { KINDS } = require('../support/ends')
const { since } = require('../support/requests')
const { bareEnv, eventsOf, runXfer, sideEnv } = require('../support/run-xfer')
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

// Nothing ends with 0 that the destination does not show, or is known to show at once.
test.each([
  ['that is known to check, and to show at once, is one request', {}, 1],
  ['of which nothing is known gets a HEAD each', { serverName: 'Oddity/1.0' }, 4],
])('the upload of a service to a store %s', async (_, options, heads) => {
  const store = await startStore({ buckets: ['target'], ...options })
  const env = { ...bareEnv, ...sideEnv('DEST', store) }
  for (const key of ['1', '2', '3']) await xfer.upload(Readable.from([Buffer.from(key)]), `s3://target/${key}`, { env })
  expect(store.requests).toMatchObject({ PutObject: 3, HeadObject: heads })
})

test('a store that compares the quotes of an ETag, too, is looked at before the write that --if-match allows', async () => {
  const [source, destination] = await Promise.all([
    startStore(),
    startStore({ ifMatch: 'quotes', serverName: 'Ceph Object Gateway (squid)' }),
  ])
  const route = await openRoute({ source, destination })
  await put(route.from, 'key', Buffer.from('new'))
  const etag = await put(route.to, 'key', Buffer.from('old'))
  const { status, last, events } = await route.copy('key', 'key', ['--if-match', etag])
  expect({ status, condition: last.condition }).toEqual({ status: 0, condition: 'checked' })
  expect(events.map(({ code }) => code)).toContain('CONDITIONS_NOT_SUPPORTED')
  expect((await get(route.to, 'key')).toString()).toBe('new')
  const again = await route.copy('key', 'key', ['--if-match', etag])
  expect([again.status, again.last.code]).toEqual([7, 'DESTINATION_CHANGED'])
})

test.each([
  ['sandbox-azure', 'google-mode'],
  ['google-mode', 'sandbox'],
])('from %s to %s each object is compared with the MD5 that the list tells', async (...names) => {
  const [from, to] = await startKinds(names.map(wanted => KINDS.find(({ name }) => name === wanted)))
  const [source, destination] = [await openEnd(from, 'origin'), await openEnd(to, 'target')]
  // More than the first ones, which are asked for.
  const keys = Array.from({ length: 30 }, (_, i) => `t/n${i}`)
  for (const key of keys) await source.write(key, { bytes: Buffer.from(`bytes of ${key}`) })
  const args = ['copy', '-r', source.text('t/'), destination.text('t/'), '--engine', 'local', '--json']
  const run = await runXfer(args, { env: { ...source.env('SOURCE'), ...destination.env('DEST') } })
  const proofs = eventsOf(run).flatMap(({ type, proof }) => (type === 'object' ? [proof.join()] : []))
  expect([run.status, proofs.filter(proof => /source-/.test(proof)).length]).toEqual([0, 30])
  expect(eventsOf(run).at(-1)).not.toHaveProperty('uncompared')
})
