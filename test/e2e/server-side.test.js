'use strict'

/** What a store copies by itself: onto itself, with other attributes, never at risk; or until it refuses, and the engine does the rest. */

const { startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { counted } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const BYTES = bytesOf(100_000)

let server
let route
beforeAll(async () => {
  server = await startStore({ buckets: ['photos'] })
  route = await openRoute({ source: server, buckets: { from: 'photos', to: 'photos' } })
})
afterEach(() => server.faults.clear())

/** @param {string} key @param {string[]} flags */
const change = (key, flags) => route.copy(key, key, ['--route', 'auto', ...flags])
/** @param {string} key */
const head = key => route.from.head(key)
/** @param {string} key */
const isThere = async key => (await get(route.from, key)).equals(BYTES)
/** Of an engine, and of a move. */
const writes = asked => [asked.GetObject, asked.PutObject, asked.DeleteObject]
/** @param {string} key */
const prepare = key => put(route.from, key, BYTES, { user: { color: 'blue' }, headers: { 'content-type': 'a/b' } })

test.each([
  ['--content-type text/plain', { type: 'text/plain', color: 'blue' }],
  ['--metadata-set color=red', { type: 'a/b', color: 'red' }],
  ['--tags none', { type: 'a/b', color: 'blue' }],
  ['--storage-class STANDARD_IA', { type: 'a/b', color: 'blue', storageClass: 'STANDARD_IA' }],
])('%s changes the object where it is, by one request that names its ETag', async (flags, shown) => {
  await prepare(flags)
  const before = await head(flags)
  const { result, asked } = await counted(server, () => change(flags, flags.split(' ')))
  expect(result).toMatchObject({ status: 0, last: { engine: 'server', etag: before.etag, bytes: BYTES.length } })
  expect([asked.CopyObject, ...writes(asked)]).toEqual([1, undefined, undefined, undefined])
  const { metadata, storageClass } = await head(flags)
  expect({ type: metadata.headers['content-type'], ...metadata.user, storageClass }).toEqual(shown)
  expect(await isThere(flags)).toBe(true)
})

test.each([
  ['refuses', { status: 501, code: 'NotImplemented' }],
  ['fails', { status: 500 }],
])('where the store %s, no engine writes over the only object', async (name, fault) => {
  await prepare(name)
  server.faults.add({ operation: 'CopyObject', first: 99, ...fault })
  const flags = ['--content-type', 'text/plain', '--retries', '1']
  const { result, asked } = await counted(server, () => change(name, flags))
  expect(result.status).not.toBe(0)
  expect(writes(asked)).toEqual([undefined, undefined, undefined])
  if (fault.status === 501)
    expect(result.last).toMatchObject({ code: 'COPY_REFUSED', hint: expect.stringMatching(/xfer mv/) })
  expect((await head(name)).metadata.headers['content-type']).toBe('a/b')
  expect(await isThere(name)).toBe(true)
})

test('a lost answer is settled by what the object is given, not by its ETag, which stays', async () => {
  await prepare('lost')
  server.faults.add({ operation: 'CopyObject', first: 1, status: 500 })
  const run = await change('lost', ['--content-type', 'text/plain'])
  expect(run.status).toBe(0)
  expect((await head('lost')).metadata.headers['content-type']).toBe('text/plain')
})

test('a store that refuses half-way keeps what it copied, and the engine does the rest', async () => {
  const big = bytesOf(11 * 1024 ** 2)
  const server = await startStore({ faults: [{ operation: 'UploadPartCopy', partNumber: 3, status: 403 }] })
  const route = await openRoute({ source: server })
  await put(route.from, 'big', big)
  const flags = ['--route', 'auto', '--concurrency', '1', '--on-failure', 'keep']
  const { result, asked } = await counted(server, () => route.copy('big', 'half', flags))
  expect(result).toMatchObject({ status: 0, last: { engine: 'local', resumedBytes: 10 * 1024 ** 2 } })
  expect([asked.UploadPartCopy, asked.UploadPart, asked.CreateMultipartUpload]).toEqual([3, 1, 1])
  expect((await get(route.to, 'half')).equals(big)).toBe(true)
})
