'use strict'

const crypto = require('node:crypto')
const { startStore } = require('../../../sandbox/store')
const { ALGORITHMS } = require('../../../sandbox/common/checksums')
const { MODES } = require('../../../sandbox/store/modes')
const { call } = require('./support')

const SMALL_PARTS = { minPartBytes: 10 }
const body = crypto.randomBytes(20_000)
const md5 = bytes => crypto.createHash('md5').update(bytes).digest('hex')

function crc32(bytes) {
  const hasher = ALGORITHMS.CRC32.create()
  hasher.update(bytes)
  return hasher.digest().toString('base64')
}
const wrong = crc32(Buffer.from('other'))

/** Every request of one store, which is closed after the test. */
let store
async function open(options) {
  store = await startStore({ buckets: ['first'], ...options })
}
afterEach(async () => {
  await store?.close()
  store = undefined
})

const put = (key, headers = {}, bytes = body) =>
  call(store, { method: 'PUT', path: `/first/${key}`, headers, body: bytes })
const get = (key, query = {}) => call(store, { path: `/first/${key}`, query })
const head = (key, query = {}) =>
  call(store, { method: 'HEAD', path: `/first/${key}`, query, headers: { 'x-amz-checksum-mode': 'ENABLED' } })

/** The body with its checksum in a trailer. */
function putFramed(path, { checksum = crc32(body), headers = {}, query = {} } = {}) {
  const framed = Buffer.concat([
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from(`\r\n0\r\nx-amz-checksum-crc32:${checksum}\r\n\r\n`),
  ])
  const encoding = [headers['content-encoding'], 'aws-chunked'].filter(Boolean).join(',')
  return call(store, {
    method: 'PUT',
    path,
    query,
    headers: {
      ...headers,
      'content-encoding': encoding,
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-decoded-content-length': String(body.length),
      'x-amz-trailer': 'x-amz-checksum-crc32',
    },
    body: framed,
  }).then(answer => ({ ...answer, framed }))
}

async function create(key, headers = {}) {
  const answer = await call(store, { method: 'POST', path: `/first/${key}`, query: { uploads: '' }, headers })
  return { ...answer, uploadId: /<UploadId>(.*?)</.exec(answer.text)?.[1] }
}
const part = (key, uploadId, number, headers = {}, bytes = body) =>
  call(store, {
    method: 'PUT',
    path: `/first/${key}`,
    query: { uploadId, partNumber: String(number) },
    headers,
    body: bytes,
  })
const complete = (key, uploadId, etags, headers = {}) =>
  call(store, {
    method: 'POST',
    path: `/first/${key}`,
    query: { uploadId },
    headers,
    body: `<CompleteMultipartUpload>${etags
      .map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
      .join('')}</CompleteMultipartUpload>`,
  })

const CRC32_UPLOAD = { 'x-amz-checksum-algorithm': 'CRC32', 'x-amz-checksum-type': 'FULL_OBJECT' }

test('the Server header is the name it was given, or is left out', async () => {
  await open({})
  expect((await put('k')).headers.server).toBe('xfer-sandbox')
  await store.close()
  await open({ serverName: '' })
  expect((await put('k')).headers).not.toHaveProperty('server')
})

describe('framing', () => {
  test('kept: the framed body is the object', async () => {
    await open({ framing: 'kept' })
    const { status, headers, framed } = await putFramed('/first/k')
    expect([status, headers.etag]).toEqual([200, `"${md5(framed)}"`])
    expect((await get('k')).bytes.equals(framed)).toBe(true)
    expect((await get('k')).headers).not.toHaveProperty('content-encoding')
  })

  test('kept with an encoding: only beside another one', async () => {
    await open({ framing: 'kept-with-encoding' })
    await putFramed('/first/plain')
    const { framed } = await putFramed('/first/gzip', { headers: { 'content-encoding': 'gzip' } })
    expect((await get('plain')).bytes.equals(body)).toBe(true)
    expect((await get('gzip')).bytes.equals(framed)).toBe(true)
    expect((await get('gzip')).headers['content-encoding']).toBe('gzip')
  })
})

describe('checksums that are not checked', () => {
  test('sent: kept and echoed as they came', async () => {
    await open({ checksumCheck: false })
    const answer = await putFramed('/first/k', { checksum: wrong })
    expect([answer.status, answer.headers['x-amz-checksum-crc32']]).toEqual([200, wrong])
    expect(answer.headers.etag).toBe(`"${md5(body)}"`)
    expect((await head('k')).headers['x-amz-checksum-crc32']).toBe(wrong)
    expect((await put('k', { 'x-amz-checksum-crc32': wrong })).headers['x-amz-checksum-crc32']).toBe(wrong)
  })

  test('none: nothing is said of them', async () => {
    await open({ checksumCheck: false, checksumEcho: 'none' })
    const answer = await putFramed('/first/k', { checksum: wrong })
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('x-amz-checksum-crc32')
    expect((await head('k')).headers).not.toHaveProperty('x-amz-checksum-crc32')
    const { headers } = await create('m', CRC32_UPLOAD)
    expect(headers).not.toHaveProperty('x-amz-checksum-algorithm')
  })

  test.each(['sent', 'uploads'])(
    '%s: an upload echoes its algorithm, and its completion what it was sent',
    async checksumEcho => {
      await open({ checksumCheck: false, checksumEcho })
      const { headers, uploadId } = await create('m', CRC32_UPLOAD)
      expect(headers).toMatchObject(CRC32_UPLOAD)
      const sent = await part('m', uploadId, 1, { 'x-amz-checksum-crc32': wrong })
      expect([sent.status, sent.headers['x-amz-checksum-crc32']]).toEqual([
        200,
        checksumEcho === 'sent' ? wrong : undefined,
      ])
      const done = await complete('m', uploadId, [sent.headers.etag], { 'x-amz-checksum-crc32': crc32(body) })
      expect(done.text).toContain(`<ChecksumCRC32>${crc32(body)}</ChecksumCRC32>`)
      expect((await head('m')).headers['x-amz-checksum-crc32']).toBe(crc32(body))
    },
  )

  test('completion: a wrong one is found out there', async () => {
    await open({ checksumCheck: 'completion' })
    const { uploadId } = await create('m', CRC32_UPLOAD)
    const sent = await part('m', uploadId, 1, { 'x-amz-checksum-crc32': wrong })
    expect([sent.status, sent.headers['x-amz-checksum-crc32']]).toEqual([200, wrong])
    expect(await complete('m', uploadId, [sent.headers.etag])).toMatchObject({ status: 400, code: 'BadDigest' })
    const again = await part('m', uploadId, 1, { 'x-amz-checksum-crc32': crc32(body) })
    expect((await complete('m', uploadId, [again.headers.etag])).status).toBe(200)
    expect(await putFramed('/first/k', { checksum: wrong })).toMatchObject({ status: 400, code: 'BadDigest' })
  })
})

test.each([
  ['ignored', 200],
  [501, 501],
])('HEAD with a part number: %s', async (partNumberHead, status) => {
  await open({ partNumberHead, ...SMALL_PARTS })
  const { uploadId } = await create('m')
  const [one, two] = [await part('m', uploadId, 1), await part('m', uploadId, 2)]
  await complete('m', uploadId, [one.headers.etag, two.headers.etag])
  const answer = await head('m', { partNumber: '2' })
  expect(answer.status).toBe(status)
  expect(answer.headers['content-length']).toBe(status === 200 ? String(2 * body.length) : undefined)
  expect(answer.headers).not.toHaveProperty('x-amz-mp-parts-count')
})

test('folders are stored empty, and their ETag says otherwise', async () => {
  await open({ emptyFolders: true })
  expect((await put('dir/')).headers.etag).toBe(`"${md5(body)}"`)
  expect(await get('dir/')).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
  expect((await put('dir/file')).status).toBe(200)
  expect((await get('dir/file')).bytes.equals(body)).toBe(true)
})

test.each([
  [404, 404, undefined],
  ['wrong-size', 200, String(body.length - 1)],
])('the first HEADs after a write: %s', async (headAfterPut, status, length) => {
  await open({ headAfterPut, headsAfterPut: 2 })
  await put('k')
  for (let time = 0; time < 2; time++) {
    const answer = await head('k')
    expect(answer.status).toBe(status)
    if (length) expect(answer.headers['content-length']).toBe(length)
  }
  expect((await get('k')).bytes.equals(body)).toBe(true)
  expect(await head('k')).toMatchObject({ status: 200, headers: { 'content-length': String(body.length) } })
})

test('a backslash of a key becomes a slash', async () => {
  await open({ foldNames: 'backslash' })
  await put('a\\b')
  expect((await get('a/b')).status).toBe(200)
})

test('an upload whose ETag is that of its bytes, and whose completion tells that of its parts', async () => {
  await open({ uploadEtag: 'of-bytes', ...SMALL_PARTS })
  const { uploadId } = await create('m')
  const [one, two] = [await part('m', uploadId, 1), await part('m', uploadId, 2)]
  const { text } = await complete('m', uploadId, [one.headers.etag, two.headers.etag])
  expect(text).toMatch(/<ETag>&quot;[0-9a-f]{32}-2&quot;</)
  expect((await head('m')).headers.etag).toBe(`"${md5(Buffer.concat([body, body]))}"`)
})

describe('attributes', () => {
  test('tags of objects made of parts are lost, and no others', async () => {
    await open({ multipartTags: false })
    await put('k', { 'x-amz-tagging': 'a=1' })
    const { uploadId } = await create('m', { 'x-amz-tagging': 'a=1' })
    await complete('m', uploadId, [(await part('m', uploadId, 1)).headers.etag])
    expect((await head('k')).headers['x-amz-tagging-count']).toBe('1')
    expect((await head('m')).headers).not.toHaveProperty('x-amz-tagging-count')
  })

  test('a store that knows no tagging takes a request for one as one for the object', async () => {
    await open({ tagging: 'ignored' })
    await put('k', { 'x-amz-tagging': 'a=1' })
    expect((await head('k')).headers).not.toHaveProperty('x-amz-tagging-count')
    expect((await get('k', { tagging: '' })).bytes.equals(body)).toBe(true)
    await call(store, { method: 'PUT', path: '/first/k', query: { tagging: '' }, body: '<Tagging/>' })
    expect((await get('k')).text).toBe('<Tagging/>')
  })

  test.each([
    ['kept-aws-chunked', undefined],
    ['kept-always', 'aws-chunked'],
  ])('Content-Encoding: %s', async (contentEncoding, alone) => {
    await open({ contentEncoding })
    await putFramed('/first/plain')
    await putFramed('/first/gzip', { headers: { 'content-encoding': 'gzip' } })
    expect((await head('plain')).headers['content-encoding']).toBe(alone)
    expect((await head('gzip')).headers['content-encoding']).toBe('gzip,aws-chunked')
  })

  test('headers are dropped', async () => {
    await open({ droppedHeaders: ['cache-control'] })
    await put('k', { 'cache-control': 'no-store', 'content-language': 'de' })
    const { headers } = await head('k')
    expect(headers).not.toHaveProperty('cache-control')
    expect(headers['content-language']).toBe('de')
  })

  test('what is written is archived at once', async () => {
    await open({ storageClass: 'GLACIER' })
    await put('k')
    expect((await head('k')).headers['x-amz-storage-class']).toBe('GLACIER')
    expect(await get('k')).toMatchObject({ status: 403, code: 'InvalidObjectState' })
  })
})

test('lists without ETags', async () => {
  await open({ listEtags: false })
  await put('k')
  const { text } = await call(store, { path: '/first', query: { 'list-type': '2' } })
  expect(text).toContain('<Key>k</Key>')
  expect(text).not.toContain('ETag')
})

test('answers without ETags, and without times', async () => {
  await open({ etags: false, times: false })
  await put('k')
  for (const { headers } of [await head('k'), await get('k')]) {
    expect([headers.etag, headers['last-modified'], headers['content-length']]).toEqual([
      undefined,
      undefined,
      String(body.length),
    ])
  }
  expect((await call(store, { path: '/first', query: { 'list-type': '2' } })).text).not.toContain('ETag')
})

describe('the modes', () => {
  test('have names of their own', () => {
    expect(new Set(MODES.map(({ name }) => name)).size).toBe(MODES.length)
  })

  test.each(MODES)('$name starts, and takes an object', async ({ side, options }) => {
    expect(['source', 'destination', 'both']).toContain(side)
    await open(options)
    expect((await put('k')).status).toBe(200)
  })
})
