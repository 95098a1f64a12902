'use strict'

/** The mode `google`: what Google refuses, as its documentation says or others have measured (docs/design/google.md). */

const { gzipSync } = require('node:zlib')
const { startStore } = require('../../../sandbox/store')
const { signRequest } = require('../../../lib/stores/s3/signer')
const { openGoogleStore } = require('../../support/google')
const { play } = require('../../support/s3')

const BODY = Buffer.from('hello')
const PLAIN = { metadata: { headers: {}, user: {} } }

let server
beforeAll(async () => {
  server = await startStore({ mode: 'google', buckets: ['bucket', { name: 'versions', versions: true }] })
})
afterAll(() => server.close())

/** Signed as Amazon's requests are. */
async function send(method, key, { query = {}, headers = {}, body = Buffer.alloc(0) } = {}) {
  const { accessKeyId, secretAccessKey, endpoint: origin } = server
  const request = await signRequest(
    {
      ...{ method, origin, path: `/bucket/${key}`, query },
      headers: { 'content-length': String(body.length), 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
    },
    { credentials: { accessKeyId, secretAccessKey }, region: 'auto', nowMs: Date.now() },
  )
  return await play(request, body)
}

const put = (key, more) => send('PUT', key, { body: BODY, ...more })

test.each([
  ['headers of both kinds', { headers: { 'x-goog-if-generation-match': '0' } }, 400, 'ExcessHeaderValues'],
  ['the query x-id', { query: { 'x-id': 'PutObject' } }, 403, 'SignatureDoesNotMatch'],
  ["the SDK's headers, signed", { headers: { 'amz-sdk-request': 'attempt=1' } }, 403, 'SignatureDoesNotMatch'],
  ['Accept-Encoding, signed', { headers: { 'accept-encoding': 'identity' } }, 403, 'SignatureDoesNotMatch'],
  ['tags', { headers: { 'x-amz-tagging': 'a=1' } }, 400, 'NotImplemented'],
  ['a class of Amazon', { headers: { 'x-amz-storage-class': 'GLACIER' } }, 400, 'InvalidStorageClass'],
])('a PUT with %s is refused', async (_, how, status, code) => {
  expect(await put('refused', how)).toMatchObject({ status, code })
})

test('If-None-Match of a write is ignored, a generation is heeded', async () => {
  expect((await put('once')).status).toBe(200)
  expect((await put('once', { headers: { 'if-none-match': '*' } })).status).toBe(200)
  const store = openGoogleStore(server, 'bucket')
  const once = { key: 'once', bytes: 5, attributes: PLAIN, checksum: false }
  const condition = { ifNoneMatch: true }
  expect(await play((await store.put({ ...once, condition })).request, BODY)).toMatchObject({ status: 412 })
  const { etag } = await store.head('once')
  const swap = await store.put({ ...once, condition: { ifMatch: etag } })
  expect((await play(swap.request, BODY)).status).toBe(200)
  // The same ETag, and another generation.
  expect((await play(swap.request, BODY)).status).toBe(412)
  await expect(store.put({ ...once, condition: { ifMatch: '"other"' } })).rejects.toMatchObject({
    code: 'DESTINATION_EXISTS',
  })
  store.close()
})

test('uploads take no conditions, no checksums at their completion, and no copied parts', async () => {
  const begin = await send('POST', 'parts', { query: { uploads: '' } })
  const uploadId = /<UploadId>(.*)<\/UploadId>/.exec(begin.body.toString())[1]
  expect(await send('POST', 'parts', { query: { uploads: '' }, headers: { 'if-none-match': '*' } })).toMatchObject({
    ...{ status: 400, code: 'NotImplemented' },
  })
  await put('source')
  const copied = { 'x-amz-copy-source': 'bucket/source' }
  const part = { partNumber: '1', uploadId }
  expect(await send('PUT', 'parts', { query: part, headers: copied })).toMatchObject({
    status: 400,
    code: 'NotImplemented',
  })
  const { headers } = await put('parts', { query: part })
  expect(headers['x-goog-hash']).toBe('crc32c=mnG7TA==, md5=XUFAKrxLKna5cZ2REBfFkg==')
  const body = Buffer.from(
    `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${headers.etag}</ETag></Part></CompleteMultipartUpload>`,
  )
  const complete = (/** @type {Record<string, string>} */ more) =>
    send('POST', 'parts', { query: { uploadId }, headers: more, body })
  expect(await complete({ 'x-amz-checksum-crc32': 'y/Q5Jg==' })).toMatchObject({ status: 412 })
  await put('parts')
  const done = await complete({ 'if-none-match': '*' })
  expect(done).toMatchObject({ status: 200, headers: { 'x-goog-hash': 'crc32c=mnG7TA==' } })
})

test('an object with the Content-Encoding gzip is decompressed for whoever does not accept gzip', async () => {
  const body = gzipSync(BODY)
  await send('PUT', 'zipped', { headers: { 'content-encoding': 'gzip' }, body })
  const plain = await send('GET', 'zipped', { headers: { range: 'bytes=0-1' } })
  expect(plain).toMatchObject({ status: 200, headers: { 'x-goog-stored-content-encoding': 'gzip' } })
  expect(plain.body.equals(BODY)).toBe(true)
  expect(plain.headers).not.toHaveProperty('content-length')
  const store = openGoogleStore(server, 'bucket')
  const head = await store.head('zipped')
  expect(head).toMatchObject({ bytes: body.length, metadata: { headers: { 'content-encoding': 'gzip' } } })
  const range = { start: 0, end: 9 }
  const { request } = await store.read({ key: 'zipped', etag: head.etag, range })
  expect((await play(request)).body.equals(body.subarray(0, 10))).toBe(true)
  store.close()
})

test('many objects are deleted by one request, or one by one where that is refused, which is remembered', async () => {
  const old = await startStore({ mode: 'google', buckets: ['bucket'], deletions: 'not-implemented' })
  for (const [at, many] of [
    [server, 2],
    [old, 1],
  ]) {
    const store = openGoogleStore(at, 'bucket')
    for (const key of ['a', 'b', 'c']) {
      await play((await store.put({ key, bytes: 5, attributes: PLAIN, checksum: false })).request, BODY)
    }
    const before = at.requests.DeleteObjects ?? 0
    expect(await store.removeAll(['a', 'b', 'nowhere'])).toEqual([])
    expect(await store.removeAll(['c'])).toEqual([])
    expect(at.requests.DeleteObjects - before).toBe(many)
    await expect(store.head('c')).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
    store.close()
  }
  await old.close()
})
