'use strict'

const s3 = require('@aws-sdk/client-s3')
const { startStore } = require('../../../sandbox/store')
const { call, clientOf, useStore } = require('./support')

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

test('a removal may be conditional', async () => {
  const { headers } = await call(using.store, { method: 'PUT', path, body: text })
  const other = { method: 'DELETE', path, headers: { 'if-match': '"other"' } }
  expect(await call(using.store, other)).toMatchObject({ status: 412, code: 'PreconditionFailed' })
  expect((await call(using.store, { path })).status).toBe(200)
  const same = { method: 'DELETE', path, headers: { 'if-match': headers.etag } }
  expect((await call(using.store, same)).status).toBe(204)
  expect((await call(using.store, { path })).status).toBe(404)
})
