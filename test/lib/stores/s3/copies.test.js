'use strict'

/** What xfer's store asks of a server that copies by itself, and how it takes the answers. */

const { readCustomerKey } = require('../../../../lib/stores/s3/settings')
const { storeAnswering } = require('../../../support/answering')
const { PATH_KEYS, PLAIN_KEYS } = require('../../../support/keys')
const { openStore, startStore } = require('../../../support/opened')
const { bytesOf, get, put } = require('../../../support/s3')

const BODY = bytesOf(1000)
const NOTHING = { metadata: { headers: {}, user: {} } }
const KEEP = { metadata: true, tags: true }

let server
let first
let second
beforeAll(async () => {
  server = await startStore({ buckets: ['first', 'second', { name: 'kept', versions: true }], minPartBytes: 10 })
  ;[first, second] = ['first', 'second'].map(bucket => openStore(server, bucket))
})
afterEach(() => server.faults.clear())
/** @param {string} key @param {object} [options] of put */
async function sourceOf(key, options) {
  return { bucket: 'first', key, etag: await put(first, key, BODY, options) }
}
const copy = (from, key, more = {}, store = second) =>
  store.serverCopy.object({ from, key, attributes: NOTHING, keep: KEEP, checksum: false, ...more })
const failure = promise => promise.catch(error => error)
async function copyPart(from, store = second) {
  const key = 'parts'
  const { id: uploadId } = await store.upload.create({ key, attributes: NOTHING, checksum: false })
  return store.serverCopy.part({ from, key, uploadId, partNumber: 1 })
}

it('any key names the right source object', async () => {
  for (const [, key] of [...PLAIN_KEYS, ...PATH_KEYS]) {
    const from = await sourceOf(key)
    expect(await copy(from, key)).toMatchObject({ etag: from.etag })
    expect((await copyPart(from)).etag).toBe(from.etag)
  }
})

it('what the source is described by is kept, or replaced', async () => {
  const metadata = { headers: { 'content-type': 'a/b' }, user: { color: 'blue' } }
  const from = await sourceOf('described', metadata)
  await copy(from, 'kept')
  expect(await second.head('kept')).toMatchObject({ metadata })
  const attributes = {
    metadata: { headers: { 'content-type': 'c/d' }, user: { shape: 'round' } },
    tags: [['t', 'ä &']],
    storageClass: 'STANDARD_IA',
    encryption: { kind: 'AES256' },
  }
  await copy(from, 'replaced', { attributes, keep: { metadata: false, tags: false } })
  const { tags, ...described } = attributes
  const { etag, ...found } = await second.head('replaced')
  expect(found).toMatchObject(described)
  expect(await second.tags.read('replaced')).toEqual(tags)
  await copy({ bucket: 'second', key: 'replaced', etag }, 'untagged', { keep: { metadata: true, tags: false } })
  expect(await second.tags.read('untagged')).toEqual([])
})

it('a version is copied by its name, and a store that counts requests is told who pays', async () => {
  const kept = openStore(server, 'kept')
  const etag = await put(kept, 'key', Buffer.from('old'))
  const { versionId } = await kept.head('key')
  await put(kept, 'key', Buffer.from('new'))
  await copy({ bucket: 'kept', key: 'key', etag, versionId, requestPayer: true }, 'old')
  expect((await get(second, 'old')).toString()).toBe('old')
})

it.each([
  ['xfer-sandbox', { crc32: '00000000' }],
  ['MinIO', undefined],
  ['VERSITYGW', undefined],
  ['', undefined],
])('a checksum in the answer of a server "%s" is told as %j', async (serverName, sums) => {
  const other = await startStore({ buckets: ['bucket'], minPartBytes: 10, serverName })
  const store = openStore(other, 'bucket')
  const etag = await put(store, 'key', BODY)
  other.faults.add({ copySum: 'AAAAAA==' })
  const from = { bucket: 'bucket', key: 'key', etag }
  const copied = await copy(from, 'copy', {}, store)
  expect([copied.sums, (await copyPart(from, store)).sums]).toEqual([sums, sums])
  expect(store.serverCopy.takesSums).toBe(sums !== undefined)
})

it("a customer's own key goes along, of the source and of the destination", async () => {
  const keyOf = seed => readCustomerKey('source', { text: bytesOf(32, seed).toString('base64') }, server.endpoint)
  const [customerKey, another] = [await keyOf('mine'), await keyOf('other')]
  const mine = openStore(server, 'first', { customerKey })
  const other = openStore(server, 'second', { customerKey: another })
  const from = { bucket: 'first', key: 'keyed', etag: await put(mine, 'keyed', BODY) }
  expect((await failure(copy(from, 'keyed'))).code).toBe('COPY_REFUSED')
  const keyed = { ...from, customerKey }
  await copy(keyed, 'keyed', {}, other)
  expect((await get(other, 'keyed')).equals(BODY)).toBe(true)
  await copyPart(keyed, other)
})

it.each([
  [{ status: 403, code: 'AccessDenied' }, 'COPY_REFUSED', 4],
  [{ status: 412, code: 'PreconditionFailed' }, 'SOURCE_CHANGED', 6],
  [{ status: 403, code: 'ObjectNotInActiveTierError' }, 'ARCHIVED', 1],
  [{ errorInBody: true }, 'STORE_ERROR', 1],
  [{ truncateXml: true }, 'BAD_ANSWER', 1],
])('a refusal is told as what it is, of an object and of a part: %j is %s', async (fault, code, exitCode) => {
  const from = await sourceOf('refused')
  for (const operation of ['CopyObject', 'UploadPartCopy']) server.faults.add({ operation, ...fault })
  expect(await failure(copy(from, 'refused'))).toMatchObject({ code, exitCode })
  expect(await failure(copyPart(from))).toMatchObject({ code, exitCode })
})

it('a refusal is told as what it is, of a part whose upload is gone', async () => {
  const from = await sourceOf('refused')
  const gone = second.serverCopy.part({ from, key: 'none', uploadId: 'none', partNumber: 1 })
  expect((await failure(gone)).code).toBe('UPLOAD_GONE')
})

it('a refusal is told as what it is: with a condition a 412 may concern either end', async () => {
  const from = await sourceOf('conditional')
  const condition = { ifNoneMatch: true }
  const changed = { ...from, etag: `"${'0'.repeat(32)}"` }
  await copy(from, 'conditional', { condition })
  const asked = [copy(from, 'conditional', { condition }), copy(changed, 'another', { condition }), copy(changed, 'x')]
  const codes = (await Promise.all(asked.map(failure))).map(({ code }) => code)
  expect(codes).toEqual(['DESTINATION_EXISTS', 'DESTINATION_EXISTS', 'SOURCE_CHANGED'])
})

it('a server that handles a copy as an empty upload is noticed', async () => {
  const empty = { etag: '"d41d8cd98f00b204e9800998ecf8427e"', 'content-length': '0' }
  const store = await storeAnswering(response => response.writeHead(200, empty).end())
  const from = { bucket: 'first', key: 'source', etag: '"x"' }
  expect(await failure(copy(from, 'copy', {}, store))).toMatchObject({ code: 'BAD_ANSWER' })
  const part = store.serverCopy.part({ from, key: 'copy', uploadId: 'id', partNumber: 1 })
  expect(await failure(part)).toMatchObject({ code: 'BAD_ANSWER' })
})
