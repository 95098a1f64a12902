'use strict'

const { PutObjectCommand } = require('@aws-sdk/client-s3')
const { call, presigned, send, useStore } = require('./support')

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
