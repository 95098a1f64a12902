'use strict'

const { PutObjectCommand } = require('@aws-sdk/client-s3')
const { call, presigned, send, signed, useStore } = require('./support')

const TEMPORARY = { accessKeyId: 'ASIATEMPORARY', secretAccessKey: 'temporary', sessionToken: 'a/token+1=' }
const READER = { accessKeyId: 'AKIAREADER', secretAccessKey: 'actor', actions: ['s3:GetObject'], buckets: ['first'] }
const actor = (name, ...actions) => ({ accessKeyId: name, secretAccessKey: 'actor', actions })
const ACTORS = [
  actor('AKIAGET', 's3:GetObject'),
  actor('AKIAPUT', 's3:PutObject'),
  actor('AKIABOTH', 's3:PutObject', 's3:GetObject'),
  actor('AKIALIST', 's3:GetObject', 's3:ListBucket'),
]
const using = useStore({
  accounts: [{ accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }, TEMPORARY, READER, ...ACTORS],
  buckets: ['first', { name: 'public', publicRead: true }, { name: 'elsewhere', region: 'eu-west-1' }],
})
const MINUTE = 60_000
const get = { path: '/first/key' }

beforeAll(async () => {
  for (const Bucket of ['first', 'public']) {
    await using.client.send(new PutObjectCommand({ Bucket, Key: 'key', Body: 'content' }))
  }
})

describe('a request signed in its headers', () => {
  const withHeaders = changed => request => ({ ...request, headers: { ...request.headers, ...changed } })
  test.each([
    ['query', request => ({ ...request, path: `${request.path}?partNumber=1` }), 'SignatureDoesNotMatch'],
    ['range', withHeaders({ range: 'bytes=0-1' }), 'SignatureDoesNotMatch'],
    ['x-amz headers', withHeaders({ 'x-amz-meta-a': 'b' }), 'AccessDenied'],
  ])('and tampered with in its %s is refused', async (_, tamper, code) => {
    const request = await signed(using.store, { ...get, headers: { range: 'bytes=0-2' } })
    expect((await send(using.store, request)).text).toBe('con')
    const answer = await send(using.store, tamper(request))
    expect(answer).toMatchObject({ status: 403, code })
    expect(answer.text).not.toContain('secret')
  })

  test.each([
    [14, 200, undefined],
    [-16, 403, 'RequestTimeTooSkewed'],
  ])('%i minutes from now answers %i', async (minutes, status, code) => {
    const answer = await call(using.store, get, { date: new Date(Date.now() + minutes * MINUTE) })
    expect(answer).toMatchObject({ status, code })
  })
})

describe('a presigned URL', () => {
  test('is good until it expires', async () => {
    const date = new Date(Date.now() - MINUTE)
    expect(await send(using.store, await presigned(using.store, get, { date, expiresIn: 70 }))).toMatchObject({
      status: 200,
    })
    const answer = await send(using.store, await presigned(using.store, get, { date, expiresIn: 50 }))
    expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' })
    expect(answer.text).toContain('<Message>Request has expired</Message>')
  })

  test('without its signature, or with an unsigned x-amz header, is refused', async () => {
    const request = await presigned(using.store, get)
    const path = request.path.replace(/&?X-Amz-Signature=[^&]*/, '')
    expect(await send(using.store, { ...request, path })).toMatchObject({ status: 400 })
    const more = await presigned(using.store, { ...get, headers: { 'x-amz-checksum-mode': 'ENABLED' } })
    expect(await send(using.store, more)).toMatchObject({ status: 403, code: 'AccessDenied' })
  })
})

describe('who may do what', () => {
  test.each([
    [{ path: '/first/key' }, 403, 'AccessDenied'],
    [{ path: '/public/key' }, 200, undefined],
    [{ method: 'PUT', path: '/public/key', body: 'x' }, 403, 'AccessDenied'],
  ])('nobody without a signature, but read what is public: %j', async (request, status, code) => {
    expect(await send(using.store, request)).toMatchObject({ status, code })
  })

  test('temporary keys come with their token, and expire by the clock of the store', async () => {
    const late = { ...TEMPORARY, accessKeyId: 'ASIALATE', expiresMs: Date.now() + MINUTE }
    using.store.addAccount(late)
    const who = { ...late, secret: late.secretAccessKey }
    expect(await call(using.store, get, who)).toMatchObject({ status: 200 })
    expect(await send(using.store, await presigned(using.store, get, who))).toMatchObject({ status: 200 })
    expect(await call(using.store, get, { ...who, sessionToken: 'other' })).toMatchObject({ code: 'InvalidToken' })
    const without = await call(using.store, get, { ...who, sessionToken: undefined })
    expect(without).toMatchObject({ status: 403, code: 'InvalidAccessKeyId' })
    late.expiresMs = Date.now()
    expect(await call(using.store, get, who)).toMatchObject({ status: 400, code: 'ExpiredToken' })
  })

  const put = { method: 'PUT', path: '/first/actors', body: 'x' }
  const list = { path: '/first', query: { 'list-type': '2' } }
  const head = { method: 'HEAD', path: '/first/key' }
  const ifMatch = { ...put, headers: { 'if-match': '"0123"' } }
  test.each([
    ['AKIAREADER', get, 200],
    ['AKIAREADER', { path: '/public/key' }, 403],
    ['AKIAGET', list, 403],
    ['AKIAPUT', head, 403],
    ['AKIAPUT', put, 200],
    ['AKIAPUT', ifMatch, 403],
    ['AKIABOTH', ifMatch, 412],
    ['AKIALIST', { path: '/first/missing' }, 404],
  ])('%s: %j is answered %i', async (accessKeyId, request, status) => {
    expect(await call(using.store, request, { accessKeyId, secret: 'actor' })).toMatchObject({ status })
  })

  test('a bucket in another region is refused with the right region told', async () => {
    const answer = await call(using.store, { path: '/elsewhere/key' })
    expect(answer).toMatchObject({ status: 400, code: 'AuthorizationHeaderMalformed' })
    expect(answer.headers['x-amz-bucket-region']).toBe('eu-west-1')
  })
})
