'use strict'

const crypto = require('node:crypto')
const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const { GetObjectCommand } = require('@aws-sdk/client-s3')
const { ALGORITHMS } = require('../../../sandbox/common/checksums')
const sigv4 = require('../../../sandbox/common/sigv4')
const { call, nextEvent, send, signed, useStore } = require('./support')

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

/** A request whose chunks, and trailers if there are any, are signed one after the other. */
async function chunkSigned(bytes, { trailer, chunkBytes = 65_536, spoil = {}, gap = '' } = {}) {
  const headers = {
    'x-amz-content-sha256': `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer ? '-TRAILER' : ''}`,
    'x-amz-decoded-content-length': String(bytes.length),
    'content-encoding': 'aws-chunked',
  }
  if (trailer) headers['x-amz-trailer'] = trailer.split(':')[0]
  const request = await signed(using.store, { ...put, headers })
  const amzDate = request.headers['x-amz-date']
  const scope = `${amzDate.slice(0, 8)}/us-east-1/s3/aws4_request`
  const key = sigv4.signingKey(using.store.secretAccessKey, amzDate.slice(0, 8), 'us-east-1')
  let previous = /Signature=(\w+)/.exec(request.headers.authorization)[1]
  const pieces = []
  for (let at = 0, index = 0; ; at += chunkBytes, index++) {
    const chunk = bytes.subarray(at, at + chunkBytes)
    previous = sigv4.sign(key, sigv4.chunkStringToSign(amzDate, scope, previous, sha256(chunk)))
    const sent = spoil.chunk === index ? Buffer.from(chunk).fill(~chunk[0], 0, 1) : chunk
    pieces.push(`${chunk.length.toString(16)};chunk-signature=${previous}\r\n`, sent)
    if (chunk.length === 0) break
    pieces.push('\r\n')
  }
  if (trailer) {
    const signature = sigv4.sign(key, sigv4.trailerStringToSign(amzDate, scope, previous, `${trailer}\n`))
    pieces.push(`${trailer}\r\n${gap}x-amz-trailer-signature:${spoil.trailer ? sha256('') : signature}\r\n`)
  }
  pieces.push('\r\n')
  return { ...request, body: Buffer.concat(pieces.map(piece => Buffer.from(piece))) }
}

describe('a body with its SHA-256', () => {
  test('is stored when it fits', async () => {
    expect(await call(using.store, { ...put, headers: { 'x-amz-content-sha256': sha256(body) } })).toMatchObject({
      status: 200,
    })
    expect(await stored()).toBe(sha256(body))
  })
  test('is refused when it does not, and nothing is stored', async () => {
    const answer = await call(using.store, { ...put, headers: { 'x-amz-content-sha256': sha256(other) } })
    expect(answer).toMatchObject({ status: 400, code: 'XAmzContentSHA256Mismatch' })
    expect(await stored()).toBeUndefined()
  })
  test('is refused when the header is none of the forms', async () => {
    const answer = await call(using.store, { ...put, headers: { 'x-amz-content-sha256': 'whatever' } })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidArgument' })
  })
})

describe('Content-MD5', () => {
  test.each([
    [md5(body), 200, undefined],
    [md5(other), 400, 'BadDigest'],
    ['bm8gbWQ1', 400, 'InvalidDigest'],
  ])('%s answers %i', async (value, status, code) => {
    expect(await call(using.store, { ...put, headers: { 'content-md5': value } })).toMatchObject({ status, code })
    expect(await stored()).toBe(status === 200 ? sha256(body) : undefined)
  })
})

describe.each(Object.keys(ALGORITHMS))('a %s', name => {
  const header = `x-amz-checksum-${name.toLowerCase()}`
  const trailerHeaders = {
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': String(body.length),
    'x-amz-trailer': header,
    'content-encoding': 'aws-chunked,gzip',
  }

  test('in a header is checked, kept and told', async () => {
    const value = checksumOf(name, body)
    const answer = await call(using.store, { ...put, headers: { [header]: value } })
    expect(answer).toMatchObject({ status: 200, headers: { [header]: value, 'x-amz-checksum-type': 'FULL_OBJECT' } })
    const head = { method: 'HEAD', path: '/first/key', headers: { 'x-amz-checksum-mode': 'ENABLED' } }
    expect((await call(using.store, head)).headers).toMatchObject({
      [header]: value,
      'x-amz-checksum-type': 'FULL_OBJECT',
    })
    expect((await call(using.store, { ...head, headers: {} })).headers[header]).toBeUndefined()
    const wrong = await call(using.store, { ...put, headers: { [header]: checksumOf(name, other) } })
    expect(wrong).toMatchObject({ status: 400, code: 'BadDigest' })
    const malformed = await call(using.store, { ...put, headers: { [header]: 'AAA=' } })
    expect(malformed).toMatchObject({ status: 400, code: 'InvalidRequest' })
  })

  test.each([100_000, 65_536, 8192])('in a trailer behind chunks of %i bytes is checked', async chunkBytes => {
    const good = unsignedChunks(body, chunkBytes, [`${header}:${checksumOf(name, body)}`])
    expect(await call(using.store, { ...put, headers: trailerHeaders, body: good })).toMatchObject({ status: 200 })
    const { bytes, headers } = await call(using.store, { path: '/first/key' })
    expect(sha256(bytes)).toBe(sha256(body))
    expect(headers['content-encoding']).toBe('gzip')
    const bad = unsignedChunks(other, chunkBytes, [`${header}:${checksumOf(name, body)}`])
    expect(await call(using.store, { ...put, headers: trailerHeaders, body: bad })).toMatchObject({
      status: 400,
      code: 'BadDigest',
    })
    expect(await stored()).toBe(sha256(body))
  })
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
    ['a missing trailer', unsignedChunks(body, 65_536, []), {}, 400, 'MalformedTrailerError'],
    ['small chunks', unsignedChunks(body, 8191, [`${header}:${value}`]), {}, 403, 'InvalidChunkSizeError'],
    ['no end', unsignedChunks(body, 65_536, []).subarray(0, -2), {}, 400, 'IncompleteBody'],
    ['too few bytes', unsignedChunks(body.subarray(1), 65_536, [`${header}:${value}`]), {}, 400, 'IncompleteBody'],
    [
      'too many bytes',
      unsignedChunks(Buffer.concat([body, body]), 65_536, [`${header}:${value}`]),
      {},
      400,
      'IncompleteBody',
    ],
    [
      'no decoded length',
      unsignedChunks(body, 65_536, [`${header}:${value}`]),
      { 'x-amz-decoded-content-length': undefined },
      411,
      'MissingContentLength',
    ],
    [
      'an unknown trailer',
      unsignedChunks(body, 65_536, ['x-amz-other:1']),
      { 'x-amz-trailer': 'x-amz-other' },
      400,
      'InvalidRequest',
    ],
    ['no framing', body, {}, 400, 'InvalidRequest'],
  ])('with %s is refused', async (_, framed, changed, status, code) => {
    const all = Object.fromEntries(Object.entries({ ...headers, ...changed }).filter(([, one]) => one !== undefined))
    expect(await call(using.store, { ...put, headers: all, body: framed })).toMatchObject({ status, code })
    expect(await stored()).toBeUndefined()
  })

  test('is understood however the network cuts it', async () => {
    const small = body.subarray(0, 20)
    const request = await signed(using.store, {
      ...put,
      headers: { ...headers, 'x-amz-decoded-content-length': '20', 'transfer-encoding': 'chunked' },
    })
    const req = http.request({ host: '127.0.0.1', port: using.store.port, ...request, agent: false })
    // Transfer chunks of one byte: every boundary falls on every place.
    for (const byte of unsignedChunks(small, 65_536, [`${header}:${checksumOf('CRC32', small)}`]))
      req.write(Buffer.from([byte]))
    req.end()
    const [res] = await once(req, 'response')
    res.resume()
    expect(res.statusCode).toBe(200)
    expect(await stored()).toBe(sha256(small))
  })

  test('with signed chunks is stored', async () => {
    expect(await send(using.store, await chunkSigned(body))).toMatchObject({ status: 200 })
    expect(await stored()).toBe(sha256(body))
    const head = await call(using.store, { method: 'HEAD', path: '/first/key' })
    expect(head.headers['content-encoding']).toBeUndefined()
  })

  test.each([0, 1])('with a tampered signed chunk %i is refused', async chunk => {
    const answer = await send(using.store, await chunkSigned(body, { spoil: { chunk } }))
    expect(answer).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    expect(await stored()).toBeUndefined()
  })

  test.each(['', '\r\n'])('with signed chunks and a signed trailer is checked (gap %j)', async gap => {
    const trailer = `${header}:${value}`
    expect(await send(using.store, await chunkSigned(body, { trailer, gap }))).toMatchObject({ status: 200 })
    expect(await stored()).toBe(sha256(body))
    const forged = await chunkSigned(body, { trailer, gap, spoil: { trailer: true } })
    expect(await send(using.store, forged)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    const wrong = await chunkSigned(body, { trailer: `${header}:${checksumOf('CRC32', other)}`, gap })
    expect(await send(using.store, wrong)).toMatchObject({ status: 400, code: 'BadDigest' })
  })
})

test('a body whose length nobody tells is refused', async () => {
  const request = await signed(using.store, { ...put, headers: { 'transfer-encoding': 'chunked' } })
  expect(await send(using.store, request)).toMatchObject({ status: 411, code: 'MissingContentLength' })
})

test('two checksums at once, and a named one that is not there, are refused', async () => {
  const headers = { 'x-amz-checksum-crc32': checksumOf('CRC32', body), 'x-amz-checksum-sha1': checksumOf('SHA1', body) }
  expect(await call(using.store, { ...put, headers })).toMatchObject({ status: 400, code: 'InvalidRequest' })
  const named = { 'x-amz-sdk-checksum-algorithm': 'CRC32' }
  expect(await call(using.store, { ...put, headers: named })).toMatchObject({ status: 400, code: 'InvalidRequest' })
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

describe('Expect: 100-continue', () => {
  test('asks for the body of a good request', async () => {
    const request = await signed(using.store, {
      ...put,
      headers: { expect: '100-continue', 'content-length': String(body.length) },
    })
    const req = http.request({ host: '127.0.0.1', port: using.store.port, ...request, agent: false })
    req.flushHeaders()
    await once(req, 'continue')
    req.end(body)
    const [res] = await once(req, 'response')
    res.resume()
    expect(res.statusCode).toBe(200)
    expect(await stored()).toBe(sha256(body))
  })

  test('is answered only where it was asked', async () => {
    const request = await signed(using.store, { ...put, headers: { 'content-length': String(body.length) } })
    const req = http.request({ host: '127.0.0.1', port: using.store.port, ...request, agent: false })
    let told = false
    req.on('information', () => {
      told = true
    })
    req.end(body)
    const [res] = await once(req, 'response')
    res.resume()
    expect([res.statusCode, told]).toEqual([200, false])
  })

  test('refuses a bad one before its body', async () => {
    const request = await signed(using.store, {
      ...put,
      path: '/nowhere/key',
      headers: { expect: '100-continue', 'content-length': String(body.length) },
    })
    const req = http.request({ host: '127.0.0.1', port: using.store.port, ...request, agent: false })
    let asked = false
    req.on('continue', () => {
      asked = true
    })
    req.flushHeaders()
    const [res] = await once(req, 'response')
    expect([res.statusCode, asked]).toEqual([404, false])
    req.destroy()
  })
})

test('an early refusal reaches a client that is still sending', async () => {
  const request = await signed(using.store, {
    ...put,
    path: '/nowhere/key',
    headers: { 'content-length': String(1 << 28) },
  })
  const socket = net.connect(using.store.port, '127.0.0.1')
  const head = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`PUT ${request.path} HTTP/1.1\r\n${head.join('')}\r\n`)
  socket.write(Buffer.alloc(1 << 20))
  let text = ''
  for await (const piece of socket) {
    text += piece
    if (text.includes('</Error>')) break
  }
  expect(text).toMatch(/^HTTP\/1.1 404 [\s\S]*connection: close[\s\S]*<Code>NoSuchBucket</i)
})

describe('a store from before checksums', () => {
  const { startStore } = require('../../../sandbox/store')
  test.each([
    [501, 'NotImplemented'],
    [411, 'MissingContentLength'],
  ])('answers trailers with %i, and ignores checksum headers', async (trailerStatus, code) => {
    const store = await startStore({ buckets: ['first'], checksums: false, trailerStatus })
    try {
      const framed = unsignedChunks(body, 65_536, [`x-amz-checksum-crc32:${checksumOf('CRC32', body)}`])
      const headers = {
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': String(body.length),
        'x-amz-trailer': 'x-amz-checksum-crc32',
      }
      expect(await call(store, { ...put, headers, body: framed })).toMatchObject({ status: trailerStatus, code })
      const wrong = { 'x-amz-checksum-crc32': checksumOf('CRC32', other) }
      const answer = await call(store, { ...put, headers: wrong })
      expect(answer.status).toBe(200)
      expect(answer.headers['x-amz-checksum-crc32']).toBeUndefined()
    } finally {
      await store.close()
    }
  })
})

test('the SDK’s own defaults are understood', async () => {
  const { PutObjectCommand } = require('@aws-sdk/client-s3')
  const { Readable } = require('node:stream')
  const stream = Readable.from([body.subarray(0, 60_000), body.subarray(60_000)])
  await using.client.send(
    new PutObjectCommand({ Bucket: 'first', Key: 'key', Body: stream, ContentLength: body.length }),
  )
  const answer = await using.client.send(new GetObjectCommand({ Bucket: 'first', Key: 'key', ChecksumMode: 'ENABLED' }))
  expect(sha256(await answer.Body.transformToByteArray())).toBe(sha256(body))
  expect(answer.ChecksumCRC32).toBe(checksumOf('CRC32', body))
})
