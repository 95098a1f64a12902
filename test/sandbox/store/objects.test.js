'use strict'

const { GetObjectCommand, HeadObjectCommand, PutObjectCommand } = require('@aws-sdk/client-s3')
const s3 = require('@aws-sdk/client-s3')
const { startStore } = require('../../../sandbox/store')
const { call, clientOf, nextEvent, useStore } = require('./support')

const using = useStore({ buckets: ['first'] })
const path = '/first/key'
const text = 'abcdefghij'
const etag = '"a925576942e94b2ef57a066101b48876"'

beforeEach(() => call(using.store, { method: 'PUT', path, body: text }))

test.each([
  ['bytes=0-0', 206, 'a', 'bytes 0-0/10'],
  ['bytes=2-4', 206, 'cde', 'bytes 2-4/10'],
  ['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
  ['bytes=7-100', 206, 'hij', 'bytes 7-9/10'],
  ['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
  ['bytes=-100', 206, text, 'bytes 0-9/10'],
  ['bytes=0-1,3-4', 200, text, undefined],
  ['bytes=4-2', 200, text, undefined],
  ['lines=1-2', 200, text, undefined],
  ['bytes=-', 200, text, undefined],
])('range %s answers %i %s', async (range, status, content, contentRange) => {
  const answer = await call(using.store, { path, headers: { range } })
  expect(answer).toMatchObject({ status, text: content })
  expect(answer.headers['content-range']).toBe(contentRange)
  expect(answer.headers['content-length']).toBe(String(content.length))
  const head = await call(using.store, { method: 'HEAD', path, headers: { range } })
  expect([head.status, head.text, head.headers['content-range']]).toEqual([status, '', contentRange])
})

test.each(['bytes=10-', 'bytes=11-20', 'bytes=-0'])('range %s is outside', async range => {
  const answer = await call(using.store, { path, headers: { range } })
  expect(answer).toMatchObject({ status: 416, code: 'InvalidRange', headers: { 'content-range': 'bytes */10' } })
  expect(answer.text).toContain('<ActualObjectSize>10</ActualObjectSize>')
})

test('an empty object has no range', async () => {
  await call(using.store, { method: 'PUT', path, body: '', headers: { 'content-length': '0' } })
  expect(await call(using.store, { path })).toMatchObject({
    status: 200,
    text: '',
    headers: { 'content-length': '0', etag: '"d41d8cd98f00b204e9800998ecf8427e"' },
  })
  expect(await call(using.store, { path, headers: { range: 'bytes=0-' } })).toMatchObject({ status: 416 })
})

const past = new Date(Date.now() - 3_600_000).toUTCString()
const future = new Date(Date.now() + 3_600_000).toUTCString()
test.each([
  [{ 'if-match': etag }, 200],
  [{ 'if-match': `"x", ${etag}` }, 200],
  [{ 'if-match': '*' }, 200],
  [{ 'if-match': '"x"' }, 412],
  [{ 'if-none-match': '"x"' }, 200],
  [{ 'if-none-match': etag }, 304],
  [{ 'if-none-match': '*' }, 304],
  [{ 'if-modified-since': past }, 200],
  [{ 'if-modified-since': future }, 304],
  [{ 'if-unmodified-since': future }, 200],
  [{ 'if-unmodified-since': past }, 412],
  [{ 'if-match': etag, 'if-unmodified-since': past }, 200],
  [{ 'if-none-match': '"x"', 'if-modified-since': future }, 200],
  [{ 'if-modified-since': 'nonsense' }, 200],
])('reading under %j answers %i', async (headers, status) => {
  const answer = await call(using.store, { path, headers })
  expect(answer.status).toBe(status)
  expect(answer.text).toBe(status === 200 ? text : status === 304 ? '' : answer.text)
  if (status === 304) expect(answer.headers.etag).toBe(etag)
  if (status === 412) expect(answer.code).toBe('PreconditionFailed')
  expect((await call(using.store, { method: 'HEAD', path, headers })).status).toBe(status)
})

test.each([
  ['/first/key', { 'if-none-match': '*' }, 412, 'PreconditionFailed'],
  ['/first/new', { 'if-none-match': '*' }, 200, undefined],
  ['/first/key', { 'if-none-match': etag }, 501, 'NotImplemented'],
  ['/first/key', { 'if-match': etag }, 200, undefined],
  ['/first/key', { 'if-match': '"x"' }, 412, 'PreconditionFailed'],
  ['/first/none', { 'if-match': etag }, 404, 'NoSuchKey'],
])('writing %s under %j answers %i', async (where, headers, status, code) => {
  expect(await call(using.store, { method: 'PUT', path: where, headers, body: 'new' })).toMatchObject({ status, code })
  expect((await call(using.store, { path })).text).toBe(where === path && status === 200 ? 'new' : text)
})

test('of two conditional writes at once one wins, even where both passed the first look', async () => {
  using.store.faults.add({ operation: 'PutObject', key: 'race', bytesPerSecond: 2_000_000 })
  const request = letter => ({
    method: 'PUT',
    path: '/first/race',
    headers: { 'if-none-match': '*' },
    body: Buffer.alloc(300_000, letter),
  })
  const answers = await Promise.all(['a', 'b'].map(letter => call(using.store, request(letter))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
  const { text: stored } = await call(using.store, { path: '/first/race' })
  expect(new Set(stored)).toEqual(new Set([answers[0].status === 200 ? 'a' : 'b']))
})

test('a store may ignore conditions on writes', async () => {
  const store = await startStore({ buckets: ['first'], conditions: false })
  try {
    for (let i = 0; i < 2; i++) {
      const put = { method: 'PUT', path, headers: { 'if-none-match': '*' }, body: text }
      expect(await call(store, put)).toMatchObject({ status: 200 })
    }
  } finally {
    await store.close()
  }
})

test('content headers, metadata and tags come back as they were sent', async () => {
  const sent = {
    ContentType: 'text/plain; charset=utf-8',
    CacheControl: 'max-age=60, private',
    ContentDisposition: 'attachment; filename="a b.txt"',
    ContentEncoding: 'gzip',
    ContentLanguage: 'de, en',
    Metadata: { one: '1', 'two-words': 'a, b' },
  }
  const Expires = 'Wed, 21 Oct 2026 07:28:00 GMT'
  const where = { Bucket: 'first', Key: 'described' }
  const Tagging = 'a=1%20%26&b='
  await using.client.send(new PutObjectCommand({ ...where, ...sent, Tagging, Body: text, Expires: new Date(Expires) }))
  const head = await using.client.send(new HeadObjectCommand(where))
  expect(head).toMatchObject({ ...sent, ExpiresString: Expires, ContentLength: 10, TagCount: 2 })
  const { TagSet } = await using.client.send(new s3.GetObjectTaggingCommand(where))
  expect(TagSet).toEqual([
    { Key: 'a', Value: '1 &' },
    { Key: 'b', Value: '' },
  ])
  await using.client.send(new s3.PutObjectTaggingCommand({ ...where, Tagging: { TagSet: [{ Key: '<', Value: 'ä' }] } }))
  expect((await using.client.send(new s3.GetObjectTaggingCommand(where))).TagSet).toEqual([{ Key: '<', Value: 'ä' }])
  await using.client.send(new s3.DeleteObjectTaggingCommand(where))
  expect((await using.client.send(new s3.GetObjectTaggingCommand(where))).TagSet).toEqual([])
  expect((await using.client.send(new GetObjectCommand({ ...where, ResponseContentType: 'x/y' }))).ContentType).toBe(
    'x/y',
  )
})

test('without a type an object is binary', async () => {
  expect((await call(using.store, { path })).headers['content-type']).toBe('binary/octet-stream')
})

test.each([
  ['too much metadata', path, { 'x-amz-meta-a': 'x'.repeat(2048) }, 400, 'MetadataTooLarge'],
  ['just enough metadata', path, { 'x-amz-meta-a': 'x'.repeat(2047) }, 200, undefined],
  ['eleven tags', path, { 'x-amz-tagging': 'a=&b=&c=&d=&e=&f=&g=&h=&i=&j=&k=' }, 400, 'BadRequest'],
  ['a tag twice', path, { 'x-amz-tagging': 'a=1&a=2' }, 400, 'InvalidTag'],
  ['a key of 1,025 bytes', `/first/${'ä'.repeat(512)}x`, {}, 400, 'KeyTooLongError'],
  ['a key of 1,024 bytes', `/first/${'ä'.repeat(512)}`, {}, 200, undefined],
  ['a missing bucket', '/nowhere/key', {}, 404, 'NoSuchBucket'],
])('a PUT with %s', async (_, where, headers, status, code) => {
  expect(await call(using.store, { method: 'PUT', path: where, headers, body: text })).toMatchObject({ status, code })
})

test('errors are XML with all that S3 tells, and HEAD has none', async () => {
  const answer = await call(using.store, { path: '/first/a<b' })
  expect(answer).toMatchObject({ status: 404, code: 'NoSuchKey', headers: { 'content-type': 'application/xml' } })
  expect(answer.text).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Error><Code>NoSuchKey<\/Code><Message>.+<\/Message><Key>a&lt;b<\/Key><Resource>\/first\/a&lt;b<\/Resource><RequestId>[0-9A-F]{16}<\/RequestId><HostId>.+<\/HostId><\/Error>$/,
  )
  expect(answer.text).toContain(`<RequestId>${answer.headers['x-amz-request-id']}<`)
  expect(await call(using.store, { method: 'HEAD', path: '/first/none' })).toMatchObject({ status: 404, text: '' })
})

test('an object can be deleted, and deleted again', async () => {
  for (let i = 0; i < 2; i++) expect(await call(using.store, { method: 'DELETE', path })).toMatchObject({ status: 204 })
  expect(await call(using.store, { path })).toMatchObject({ status: 404 })
})

test('several objects can be deleted at once', async () => {
  const answer = await using.client.send(
    new s3.DeleteObjectsCommand({ Bucket: 'first', Delete: { Objects: [{ Key: 'key' }, { Key: ' a&b ' }] } }),
  )
  expect(answer.Deleted.map(({ Key }) => Key)).toEqual(['key', ' a&b '])
  expect(await call(using.store, { path })).toMatchObject({ status: 404 })
})

test('of several objects each is deleted or refused for itself', async () => {
  const actions = ['s3:PutObject', 's3:GetObject']
  using.store.addAccount({ accessKeyId: 'AKIAKEEP', secretAccessKey: 'keep', actions })
  const denied = clientOf(using.store, { credentials: { accessKeyId: 'AKIAKEEP', secretAccessKey: 'keep' } })
  const both = Quiet =>
    new s3.DeleteObjectsCommand({ Bucket: 'first', Delete: { Objects: [{ Key: 'key' }, { Key: 'kept' }], Quiet } })
  const none = await denied.send(both(false))
  expect([none.Deleted, none.Errors.map(({ Key, Code }) => [Key, Code])]).toEqual([
    undefined,
    [
      ['key', 'AccessDenied'],
      ['kept', 'AccessDenied'],
    ],
  ])
  denied.destroy()
  await call(using.store, { method: 'PUT', path: '/first/kept', body: text })
  using.store.faults.add({ operation: 'DeleteObject', key: 'kept', status: 403 })
  const answer = await using.client.send(both(true))
  expect([answer.Deleted, answer.Errors]).toEqual([
    undefined,
    [{ Key: 'kept', Code: 'AccessDenied', Message: expect.any(String) }],
  ])
  expect((await call(using.store, { path })).status).toBe(404)
  expect((await call(using.store, { path: '/first/kept' })).status).toBe(200)
})

test('a reader of an object that is overwritten and deleted meanwhile gets the old one whole', async () => {
  const old = Buffer.alloc(8 << 20, 'o')
  await call(using.store, { method: 'PUT', path, body: old })
  const reading = await using.client.send(new GetObjectCommand({ Bucket: 'first', Key: 'key' }))
  await call(using.store, { method: 'PUT', path, body: Buffer.alloc(8 << 20, 'n') })
  await call(using.store, { method: 'DELETE', path })
  const bytes = Buffer.from(await reading.Body.transformToByteArray())
  expect(bytes.equals(old)).toBe(true)
})

test('a reader that leaves half-way does not disturb the store', async () => {
  await call(using.store, { method: 'PUT', path: '/first/left', body: Buffer.alloc(8 << 20, 'o') })
  const over = nextEvent(using.store, 'request', event => event.key === 'left' && event.method === 'GET')
  const client = clientOf(using.store)
  const reading = await client.send(new GetObjectCommand({ Bucket: 'first', Key: 'left' }))
  reading.Body.destroy()
  expect(await over).toMatchObject({ key: 'left', status: undefined })
  client.destroy()
  expect((await call(using.store, { path: '/first/left' })).bytes.length).toBe(8 << 20)
})

test('ETags may be no MD5', async () => {
  const store = await startStore({ buckets: ['first'], md5Etags: false })
  try {
    const answers = [
      await call(store, { method: 'PUT', path, body: text }),
      await call(store, { method: 'PUT', path, body: text }),
    ]
    expect(answers[0].headers.etag).toMatch(/^"[0-9a-f]{32}-1"$/)
    expect(answers[0].headers.etag).not.toBe(answers[1].headers.etag)
  } finally {
    await store.close()
  }
})

test('ETags of an encrypted object look like MD5s and are none', async () => {
  const store = await startStore({ buckets: ['first'], md5Etags: false, plainEtags: true, encryption: 'aws:kms' })
  try {
    const { headers } = await call(store, { method: 'PUT', path, body: text })
    expect(headers).toMatchObject({
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'x-amz-server-side-encryption': 'aws:kms',
    })
    expect(headers.etag).not.toBe((await call(store, { method: 'PUT', path, body: text })).headers.etag)
    const head = await call(store, { method: 'HEAD', path })
    expect(head.headers['x-amz-server-side-encryption']).toBe('aws:kms')
  } finally {
    await store.close()
  }
})

test('a removal may be conditional', async () => {
  const { headers } = await call(using.store, { method: 'PUT', path, body: text })
  const other = { method: 'DELETE', path, headers: { 'if-match': '"other"' } }
  expect(await call(using.store, other)).toMatchObject({ status: 412, code: 'PreconditionFailed' })
  expect((await call(using.store, { path })).status).toBe(200)
  const same = { method: 'DELETE', path, headers: { 'if-match': headers.etag } }
  expect((await call(using.store, same)).status).toBe(204)
  expect((await call(using.store, { path })).status).toBe(404)
})

test('what is not there is refused as S3 does', async () => {
  expect(await call(using.store, { method: 'PATCH', path })).toMatchObject({ status: 405, code: 'MethodNotAllowed' })
  expect(await call(using.store, { path, query: { torrent: '' } })).toMatchObject({
    status: 501,
    code: 'NotImplemented',
  })
  expect(await call(using.store, { path, query: { versionId: 'x' } })).toMatchObject({
    status: 400,
    code: 'InvalidArgument',
  })
})
