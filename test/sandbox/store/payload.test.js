'use strict'

const crypto = require('node:crypto')
const http = require('node:http')
const { ALGORITHMS } = require('../../../sandbox/common/checksums')
const { call, nextEvent, signed, useStore } = require('./support')

const using = useStore({ buckets: ['first'] })
const body = crypto.randomBytes(100_000)
const other = Buffer.from(body)
other[50_000] ^= 1
const put = { method: 'PUT', path: '/first/key', body }

function checksumOf(name, bytes) {
  const hasher = ALGORITHMS[name].create()
  hasher.update(bytes)
  return hasher.digest().toString('base64')
}
const md5 = bytes => crypto.createHash('md5').update(bytes).digest('base64')
const sha256 = bytes => crypto.createHash('sha256').update(bytes).digest('hex')

beforeEach(() => call(using.store, { method: 'DELETE', path: '/first/key' }))

/** The SHA-256 of what is stored: Jest takes long to compare large buffers. */
async function stored() {
  const { status, bytes } = await call(using.store, { path: '/first/key' })
  return status === 200 ? sha256(bytes) : undefined
}

/** Chunks without signatures, then trailers. */
function unsignedChunks(bytes, chunkBytes, trailers) {
  const pieces = []
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes)
    pieces.push(`${chunk.length.toString(16)}\r\n`, chunk, '\r\n')
  }
  return Buffer.concat(
    [...pieces, '0\r\n', ...trailers.map(line => `${line}\r\n`), '\r\n'].map(piece => Buffer.from(piece)),
  )
}

test.each([
  [{ 'content-md5': md5(other) }, 400, 'BadDigest'],
  [{ 'content-md5': 'bm8gbWQ1' }, 400, 'InvalidDigest'],
  [{ 'x-amz-content-sha256': sha256(other) }, 400, 'XAmzContentSHA256Mismatch'],
])('a body with %j answers %i', async (headers, status, code) => {
  expect(await call(using.store, { ...put, headers })).toMatchObject({ status, code })
  expect(await stored()).toBe(status === 200 ? sha256(body) : undefined)
})

describe('an aws-chunked body', () => {
  const header = 'x-amz-checksum-crc32'
  const value = checksumOf('CRC32', body)
  const headers = {
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': String(body.length),
    'x-amz-trailer': header,
  }
  test.each([
    ['a missing trailer', unsignedChunks(body, 65_536, []), 400, 'MalformedTrailerError'],
    ['small chunks', unsignedChunks(body, 8191, [`${header}:${value}`]), 403, 'InvalidChunkSizeError'],
    ['too few bytes', unsignedChunks(body.subarray(1), 65_536, [`${header}:${value}`]), 400, 'IncompleteBody'],
    ['no framing', body, 400, 'InvalidRequest'],
  ])('with %s is refused', async (_, framed, status, code) => {
    expect(await call(using.store, { ...put, headers, body: framed })).toMatchObject({ status, code })
    expect(await stored()).toBeUndefined()
  })
})

test('a connection cut in the middle of a body stores nothing', async () => {
  const request = await signed(using.store, {
    ...put,
    path: '/first/cut',
    headers: { 'content-length': String(body.length) },
  })
  const over = nextEvent(using.store, 'request', event => event.key === 'cut')
  const req = http.request({ host: '127.0.0.1', port: using.store.port, ...request, agent: false })
  req.on('error', () => {})
  req.write(body.subarray(0, 70_000), () => req.destroy())
  expect((await over).status).toBeUndefined()
  expect(await call(using.store, { path: '/first/cut' })).toMatchObject({ status: 404 })
})
