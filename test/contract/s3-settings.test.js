'use strict'

/** What the S3 store makes of a side's settings, and of stores that are elsewhere, off in time, or open to all. */

const dns = require('node:dns')
const { once } = require('node:events')
const http = require('node:http')
const { startStore } = require('../../sandbox/store')
const { all, bytesOf, sumsOf, get, openStore, play, put, uploadsOf } = require('../support/s3')

const HOUR_MS = 3_600_000
const NO_METADATA = { headers: {}, user: {} }

/** @type {Array<() => any>} */
const closings = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function start(options) {
  const server = await startStore({ buckets: ['here'], ...options })
  closings.push(server.close)
  return server
}

function open(...how) {
  const store = openStore(...how)
  closings.push(store.close)
  return store
}

/** Every kind of call, control and data. */
async function useAll(store) {
  const body = bytesOf(100)
  const { id, checksums } = await store.upload.create({
    key: 'key',
    attributes: { metadata: NO_METADATA },
    checksum: true,
  })
  const part = { key: 'key', uploadId: id, partNumber: 1, bytes: body.length, checksum: checksums }
  const { status, headers } = await play((await store.upload.part(part)).request, body)
  expect(status).toBe(200)
  const parts = [{ partNumber: 1, etag: headers.etag, bytes: body.length, sums: sumsOf(body) }]
  expect((await store.upload.parts({ key: 'key', uploadId: id })).parts).toHaveLength(1)
  expect(await uploadsOf(store, 'key')).toHaveLength(1)
  const complete = { key: 'key', uploadId: id, parts, bytes: body.length, sums: sumsOf(body) }
  await store.upload.complete(complete)
  expect((await get(store, 'key')).equals(body)).toBe(true)
  expect((await store.list({ prefix: 'key' })).objects).toHaveLength(1)
}

describe("the store's clock", () => {
  it.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
    ['two days ahead', 48 * HOUR_MS],
  ])('counts when it is %s of ours', async (_, clockSkewMs) => {
    await useAll(open(await start({ clockSkewMs }), 'here'))
  })
})

describe("a bucket's region", () => {
  it('is found where another one is configured', async () => {
    const server = await start({ buckets: [{ name: 'far', region: 'eu-central-1' }] })
    await useAll(open(server, 'far'))
  })
})

describe('a public bucket', () => {
  it('is read without credentials and without a signature', async () => {
    const server = await start({ buckets: [{ name: 'open-data', publicRead: true }, 'closed'] })
    const body = bytesOf(1000)
    for (const bucket of ['open-data', 'closed']) await put(open(server, bucket), 'key', body)
    const anonymous = open(server, 'open-data', { credentials: null })
    const { etag, bytes } = await anonymous.head('key')
    const { request } = await anonymous.read({ key: 'key', etag, range: { start: 5, end: 9 } })
    expect(bytes).toBe(1000)
    expect(request.headers).not.toHaveProperty('authorization')
    expect((await play(request)).body.equals(body.subarray(5, 10))).toBe(true)
    await expect(open(server, 'closed', { credentials: null }).head('key')).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      exitCode: 4,
    })
  })
})

describe('addressing', () => {
  // Every name below localhost is this machine, whatever its resolver knows.
  beforeEach(() => {
    const { lookup } = dns
    jest.spyOn(dns, 'lookup').mockImplementation((name, ...rest) => {
      lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)
    })
  })
  afterEach(() => jest.restoreAllMocks())

  const cases = [
    ['auto, at an endpoint of its own', 'auto', 'here', '/here/key'],
    ['path', 'path', 'here', '/here/key'],
    ['virtual', 'virtual', 'here', '/key'],
    ['auto, with dots in the name', 'auto', 'dotted.bucket.name', '/dotted.bucket.name/key'],
  ]
  it.each(cases)('%s, reaches the bucket with control calls and data', async (_, addressing, bucket, path) => {
    const server = await start({ buckets: [bucket] })
    const endpoint = `http://s3.localhost:${server.port}`
    const store = open({ ...server, endpoint }, bucket, { addressing })
    const { url, headers } = (await store.read({ key: 'key', etag: '"e"' })).request
    expect(new URL(url).pathname).toBe(path)
    expect(headers.host).toBe(new URL(url).host)
    expect(headers.host.startsWith(`${bucket}.`)).toBe(addressing === 'virtual')
    await useAll(store)
  })

  it('of AWS itself is by host name, and by path for a bucket with dots', async () => {
    const access = { accessKeyId: 'AKIA', secretAccessKey: 'x', region: 'eu-west-1' }
    const read = async bucket => (await open(access, bucket).read({ key: 'a b', etag: '"e"' })).request
    expect((await read('plain')).url).toBe('https://plain.s3.eu-west-1.amazonaws.com/a%20b')
    expect((await read('with.dots')).url).toBe('https://s3.eu-west-1.amazonaws.com/with.dots/a%20b')
  })
})

describe('a requester-pays bucket', () => {
  it('is told who pays, in every call and signed', async () => {
    /** @type {Array<import('node:http').IncomingHttpHeaders>} */
    const seen = []
    const server = http.createServer((request, response) => {
      seen.push(request.headers)
      response.writeHead(200, { etag: '"e"', 'content-length': '0' }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closings.push(() => server.close())
    const endpoint = `http://127.0.0.1:${server.address().port}`
    const access = { endpoint, accessKeyId: 'AKIA', secretAccessKey: 'x', region: 'us-east-1' }
    const payer = open(access, 'here', { requestPayer: true })
    const other = open(access, 'here')
    for (const store of [payer, other]) {
      await store.head('key')
      await play((await store.read({ key: 'key', etag: '"e"' })).request)
    }
    expect(seen.map(headers => headers['x-amz-request-payer'])).toEqual([
      'requester',
      'requester',
      undefined,
      undefined,
    ])
    for (const headers of seen.slice(0, 2)) {
      expect(headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-request-payer/)
    }
  })
})

describe('lists of several pages', () => {
  it('of parts, uploads and objects are told by marker, each entry once', async () => {
    const server = await start({ pageSize: 2, minPartBytes: 1 })
    const store = open(server, 'here')
    const ids = []
    for (const key of ['a', 'a', 'a', 'a!', 'b']) {
      await put(store, `${key}${ids.length}`, bytesOf(1))
      ids.push((await store.upload.create({ key, attributes: { metadata: NO_METADATA }, checksum: false })).id)
    }
    const [uploadId] = ids
    for (let partNumber = 1; partNumber <= 5; partNumber++) {
      const { request } = await store.upload.part({
        key: 'a',
        uploadId,
        partNumber,
        bytes: partNumber,
        checksum: false,
      })
      expect((await play(request, bytesOf(partNumber))).status).toBe(200)
    }
    const parts = await all(marker => store.upload.parts({ key: 'a', uploadId, marker }), 'parts')
    const uploads = await all(marker => store.upload.pending({ prefix: 'a', marker }), 'uploads')
    const objects = await all(marker => store.list({ prefix: '', marker }), 'objects')
    expect(parts.entries.map(({ partNumber, bytes }) => [partNumber, bytes])).toEqual([1, 2, 3, 4, 5].map(n => [n, n]))
    expect(uploads.entries.map(({ id }) => id).sort()).toEqual(ids.slice(0, 4).sort())
    expect(objects.entries.map(({ key }) => key)).toEqual(['a!3', 'a0', 'a1', 'a2', 'b4'])
    expect([parts.pages, uploads.pages, objects.pages]).toEqual([3, 2, 3])
  })
})

describe('a store from before checksums', () => {
  it.each([
    ['does not echo the checksum that was asked for: the upload says so', {}],
    ['answers without a checksum', { md5Etags: false }],
  ])('%s', async (_, options) => {
    const store = open(await start({ checksums: false, ...options }), 'here')
    const created = await store.upload.create({ key: 'key', attributes: { metadata: NO_METADATA }, checksum: true })
    expect(created.checksums).toBe(false)
    await put(store, 'plain', bytesOf(10))
    expect((await store.head('plain')).checksum).toBeUndefined()
  })
})

describe('a store that encrypts', () => {
  it.each([
    ['with a key that somebody keeps elsewhere', 'aws:kms', true],
    ['with two of them', 'aws:kms:dsse', true],
    ['with its own', 'AES256', undefined],
  ])('%s: head and upload say whether ETags mean anything', async (_, encryption, encrypted) => {
    const store = open(await start({ encryption }), 'here')
    await put(store, 'object', bytesOf(10))
    expect((await store.head('object')).encrypted).toBe(encrypted)
    const created = await store.upload.create({ key: 'key', attributes: { metadata: NO_METADATA }, checksum: true })
    expect(created.encrypted).toBe(encrypted)
  })
})

describe('a store that fails', () => {
  const cases = [
    ['500', { status: 500 }, { code: 'STORE_ERROR', retryable: true }],
    ['503', { status: 503, retryAfter: 2 }, { code: 'STORE_THROTTLED', retryable: true, retryAfterMs: 2000 }],
    ['429', { status: 429 }, { code: 'STORE_THROTTLED', retryable: true }],
  ]
  it.each(cases)('with %s says so, once: it is asked again from outside', async (_, fault, expected) => {
    const server = await start()
    const store = open(server, 'here')
    const struck = server.faults.add({ operation: 'ListObjectsV2', ...fault })
    await expect(store.list({ prefix: '' })).rejects.toMatchObject(expected)
    expect(struck.hits).toBe(1)
  })

  it('in the body of a success, says so too', async () => {
    const server = await start()
    const store = open(server, 'here')
    const { id } = await store.upload.create({ key: 'key', attributes: { metadata: NO_METADATA }, checksum: false })
    const { headers } = await play(
      (await store.upload.part({ key: 'key', uploadId: id, partNumber: 1, bytes: 3, checksum: false })).request,
      bytesOf(3),
    )
    server.faults.add({ operation: 'CompleteMultipartUpload', errorInBody: true })
    const parts = [{ partNumber: 1, etag: headers.etag, bytes: 3 }]
    await expect(store.upload.complete({ key: 'key', uploadId: id, parts, bytes: 3 })).rejects.toMatchObject({
      code: 'STORE_ERROR',
      retryable: true,
    })
  })
})
