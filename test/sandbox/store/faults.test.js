'use strict'

const http = require('node:http')
const { once } = require('node:events')
const { startStore } = require('../../../sandbox/store')
const { call, nextEvent, send, signed, useStore } = require('./support')

const using = useStore({ buckets: ['first'] })
const path = '/first/key'
const body = Buffer.alloc(1 << 20, 'abcdefghijklmnop')
const put = { method: 'PUT', path, body }
const add = rule => using.store.faults.add(rule)
/** How a call ends: the status, or the code of a broken connection. */
const outcome = promise =>
  promise.then(
    ({ status }) => status,
    error => error.code,
  )

beforeAll(() => call(using.store, put))

/** Reads until the connection breaks or pauses for good: what came, and the code of the break. */
async function received(request) {
  const req = http.request({
    host: '127.0.0.1',
    port: using.store.port,
    ...(await signed(using.store, request)),
    agent: false,
  })
  req.end()
  const [res] = await once(req, 'response')
  let bytes = 0
  try {
    for await (const piece of res) bytes += piece.length
    return { bytes }
  } catch (error) {
    return { bytes, code: error.code }
  }
}

describe('which requests a rule strikes', () => {
  const statuses = async (requests, store = using.store) => {
    const found = []
    for (const request of requests) found.push((await call(store, request)).status)
    return found
  }
  const get = { path, headers: { range: 'bytes=0-0' } }

  test('by operation, key, pattern and part', async () => {
    add({ operation: 'HeadObject', status: 503 })
    add({ operation: ['GetObject', 'DeleteObject'], key: 'a', status: 500 })
    add({ keyPattern: '^b\\d', status: 429 })
    add({ operation: 'GetObject', partNumber: 2, status: 409 })
    expect(
      await statuses([
        get,
        { method: 'HEAD', path },
        { path: '/first/a' },
        { path: '/first/b1' },
        { path: '/first/b' },
        { path, query: { partNumber: '2' } },
        { path, query: { partNumber: '1' } },
      ]),
    ).toEqual([206, 503, 500, 429, 404, 409, 206])
  })

  test('the n-th, or the first n', async () => {
    const nth = add({ operation: 'GetObject', nth: 2, status: 500 })
    expect(await statuses([get, get, get])).toEqual([206, 500, 206])
    expect(nth.hits).toBe(1)
    nth.remove()
    add({ operation: 'GetObject', first: 2, status: 503 })
    expect(await statuses([get, get, get])).toEqual([503, 503, 206])
    using.store.faults.clear()
    expect(await statuses([get])).toEqual([206])
  })

  test('by chance, the same with the same seed', async () => {
    const runs = []
    for (const seed of [7, 7, 8]) {
      const store = await startStore({ buckets: ['first'], seed, faults: [{ probability: 0.5, status: 503 }] })
      runs.push(await statuses(Array(20).fill({ path: '/first' }), store))
      await store.close()
    }
    expect(runs[0]).toEqual(runs[1])
    expect(runs[0]).not.toEqual(runs[2])
    expect(new Set(runs[0])).toEqual(new Set([200, 503]))
  })

  test('a misspelled rule is refused', () => {
    expect(() => add({ operatoin: 'GetObject', status: 500 })).toThrow(TypeError)
  })
})

test.each([
  [{ status: 500 }, 500, 'InternalError', undefined],
  [{ status: 503, retryAfter: 7 }, 503, 'SlowDown', '7'],
  [
    { status: 429, retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' },
    429,
    'TooManyRequests',
    'Wed, 21 Oct 2026 07:28:00 GMT',
  ],
  [{ status: 400, code: 'RequestTimeout' }, 400, 'RequestTimeout', undefined],
])('%j is answered, also to a PUT with a body', async (rule, status, code, retryAfter) => {
  add(rule)
  for (const request of [{ path }, { ...put, path: '/first/refused' }]) {
    const answer = await call(using.store, request)
    expect(answer).toMatchObject({ status, code })
    expect(answer.headers['retry-after']).toBe(retryAfter)
  }
  using.store.faults.clear()
  expect(await call(using.store, { path: '/first/refused' })).toMatchObject({ status: 404 })
})

describe('a cap on the bandwidth', () => {
  const seconds = async work => {
    const start = performance.now()
    await work()
    return (performance.now() - start) / 1000
  }

  test.each([
    ['reading', { path }],
    ['writing', { ...put, path: '/first/slow' }],
  ])('slows %s', async (_, request) => {
    add({ bytesPerSecond: 2 << 20 })
    const took = await seconds(() => call(using.store, request))
    expect(took).toBeGreaterThan(0.4)
    // and no slower than that by much, which is more on a busy machine
    expect(took).toBeLessThan(20)
  })
})

describe('a cut connection', () => {
  test.each([0, 1, 100_000])('after %i bytes of a response', async cutAfterBytes => {
    add({ operation: 'GetObject', cutAfterBytes })
    expect(await received({ path })).toEqual({ bytes: cutAfterBytes, code: 'ECONNRESET' })
  })

  test.each([0, 100_000])('after %i bytes of a request, and nothing is stored', async cutAfterBytes => {
    add({ operation: 'PutObject', cutAfterBytes })
    expect(await outcome(call(using.store, { ...put, path: '/first/cut' }))).toMatch(/ECONNRESET|EPIPE/)
    using.store.faults.clear()
    expect(await call(using.store, { path: '/first/cut' })).toMatchObject({ status: 404 })
  })
})

describe('a flipped byte', () => {
  const different = bytes => [...bytes.keys()].filter(index => bytes[index] !== body[index])

  test('of a response', async () => {
    add({ operation: 'GetObject', flipByteAt: 600_000 })
    expect(different((await call(using.store, { path })).bytes)).toEqual([600_000])
  })

  test('of a request is seen by its checksum, and without one is in the ETag', async () => {
    const { headers } = await call(using.store, { method: 'HEAD', path })
    add({ operation: 'PutObject', flipByteAt: 70_000 })
    const zlib = require('node:zlib')
    const crc = Buffer.alloc(4)
    crc.writeUInt32BE(zlib.crc32(body))
    const checked = { ...put, path: '/first/flip', headers: { 'x-amz-checksum-crc32': crc.toString('base64') } }
    expect(await call(using.store, checked)).toMatchObject({ status: 400, code: 'BadDigest' })
    const answer = await call(using.store, { ...put, path: '/first/flip' })
    expect(answer.status).toBe(200)
    expect(answer.headers.etag).not.toBe(headers.etag)
    expect(different((await call(using.store, { path: '/first/flip' })).bytes)).toEqual([70_000])
  })

  test('on the disk is seen by nobody but a reader', async () => {
    const { headers } = await call(using.store, { method: 'HEAD', path })
    add({ operation: 'PutObject', flipByteAt: 70_000, on: 'stored' })
    expect((await call(using.store, { ...put, path: '/first/rot' })).headers.etag).toBe(headers.etag)
    expect(different((await call(using.store, { path: '/first/rot' })).bytes)).toEqual([70_000])
  })
})

describe('a stall', () => {
  test('of a response sends no more, until the client leaves', async () => {
    await call(using.store, { ...put, path: '/first/stalled' })
    const stalled = event => event.key === 'stalled' && event.method === 'GET'
    add({ operation: 'GetObject', stall: 100_000 })
    const over = nextEvent(using.store, 'request', stalled)
    const req = http.request({
      host: '127.0.0.1',
      port: using.store.port,
      ...(await signed(using.store, { path: '/first/stalled' })),
      agent: false,
    })
    req.on('error', () => {})
    req.end()
    const [res] = await once(req, 'response')
    let bytes = 0
    for await (const piece of res.iterator({ destroyOnReturn: false })) {
      bytes += piece.length
      if (bytes === 100_000) break
    }
    // Nothing is on its way any more, for this came behind it.
    expect(await call(using.store, { method: 'HEAD', path })).toMatchObject({ status: 200 })
    expect(res.readableLength).toBe(0)
    req.destroy()
    expect(await over).toMatchObject({ status: undefined, bytesSent: 100_000 })
  })

  test('of a request reads no more, until the store closes', async () => {
    const store = await startStore({ buckets: ['first'], faults: [{ operation: 'PutObject', stall: true }] })
    const begun = nextEvent(store, 'begin', event => event.operation === 'PutObject')
    const result = outcome(send(store, await signed(store, { ...put, body: Buffer.alloc(32 << 20) })))
    await begun
    await store.close()
    expect(await result).toMatch(/ECONNRESET|EPIPE/)
    expect(store.requests.PutObject).toBe(1)
  })
})

describe('a wrong answer', () => {
  const range = { path, headers: { range: 'bytes=10-19' } }

  test('with another ETag', async () => {
    add({ operation: ['GetObject', 'UploadPart'], etag: '"other"' })
    expect((await call(using.store, range)).headers.etag).toBe('"other"')
  })

  test('with the whole object for a range', async () => {
    add({ operation: 'GetObject', ignoreRange: true })
    const answer = await call(using.store, range)
    expect([answer.status, answer.bytes.length, answer.headers['content-range']]).toEqual([200, body.length, undefined])
  })

  /** An upload of one part, `x`, and the request that completes it. */
  async function upload(key) {
    const create = { method: 'POST', path: `/first/${key}`, query: { uploads: '' }, headers: { 'content-length': '0' } }
    const uploadId = /<UploadId>(.*?)</.exec((await call(using.store, create)).text)[1]
    const part = { method: 'PUT', path: `/first/${key}`, query: { partNumber: '1', uploadId }, body: 'x' }
    const { headers } = await call(using.store, part)
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${headers.etag}</ETag></Part></CompleteMultipartUpload>`
    return { method: 'POST', path: `/first/${key}`, query: { uploadId }, body }
  }

  test('with an error in the body of a 200, and nothing done', async () => {
    const complete = await upload('up')
    add({ operation: 'CompleteMultipartUpload', errorInBody: true, first: 1 })
    expect(await call(using.store, complete)).toMatchObject({ status: 200, code: 'InternalError' })
    expect(await call(using.store, { path: '/first/up' })).toMatchObject({ status: 404 })
    expect(await call(using.store, complete)).toMatchObject({ status: 200, code: undefined })
    expect(await call(using.store, { path: '/first/up' })).toMatchObject({ status: 200, text: 'x' })
  })

  test.each([
    ['a refusal', { status: 500 }, { status: 500, code: 'InternalError' }],
    ['another refusal', { status: 403, code: 'AccessDenied' }, { status: 403, code: 'AccessDenied' }],
    ['an error in the body of a 200', { errorInBody: true }, { status: 200, code: 'InternalError' }],
  ])('with %s, and the work done', async (what, rule, answer) => {
    add({ operation: ['PutObject', 'CompleteMultipartUpload'], afterWork: true, ...rule })
    expect(await call(using.store, { ...put, path: '/first/done' })).toMatchObject(answer)
    expect(await call(using.store, await upload('made'))).toMatchObject(answer)
    for (const key of ['done', 'made']) {
      expect(await call(using.store, { method: 'HEAD', path: `/first/${key}` })).toMatchObject({ status: 200 })
      await call(using.store, { method: 'DELETE', path: `/first/${key}` })
    }
  })

  test.each([
    ['a success', {}, undefined],
    ['a failure', { status: 500 }, 'InternalError'],
  ])('that begins before the work is done, with blanks: %s', async (what, rule, code) => {
    const complete = await upload('kept alive')
    add({ operation: 'CompleteMultipartUpload', blanks: 5, answerDelayMs: 100, ...rule })
    const answer = await call(using.store, complete)
    expect(answer).toMatchObject({ status: 200, code })
    expect(answer.text).toMatch(/^<\?xml [^>]*\?> {5}\s*<(CompleteMultipartUploadResult|Error)/)
  })
})

test('requests are counted and told', async () => {
  const before = using.store.requests.GetObject ?? 0
  const told = nextEvent(using.store, 'request', event => event.range === 'bytes=0-9')
  await call(using.store, { path, headers: { range: 'bytes=0-9' } })
  expect(using.store.requests.GetObject).toBe(before + 1)
  expect(await told).toMatchObject({
    operation: 'GetObject',
    method: 'GET',
    bucket: 'first',
    key: 'key',
    range: 'bytes=0-9',
    status: 206,
    bytesSent: 10,
    accessKeyId: using.store.accessKeyId,
  })
  const refused = nextEvent(using.store, 'request', event => event.key === 'none')
  await call(using.store, { path: '/first/none' })
  expect(await refused).toMatchObject({ status: 404, code: 'NoSuchKey' })
})
