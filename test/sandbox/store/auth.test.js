'use strict'

const { PutObjectCommand } = require('@aws-sdk/client-s3')
const { call, presigned, send, signed, useStore } = require('./support')

const TEMPORARY = { accessKeyId: 'ASIATEMPORARY', secretAccessKey: 'temporary', sessionToken: 'a/token+1=' }
const READER = { accessKeyId: 'AKIAREADER', secretAccessKey: 'reader', readOnly: true, buckets: ['first'] }
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

beforeAll(async () => {
  for (const Bucket of ['first', 'public']) {
    await using.client.send(new PutObjectCommand({ Bucket, Key: 'key', Body: 'content' }))
  }
})

const get = { path: '/first/key' }

describe('a request signed in its headers', () => {
  test('is answered', async () => {
    expect(await call(using.store, get)).toMatchObject({ status: 200, text: 'content' })
  })

  test.each([
    ['path', request => ({ ...request, path: '/first/other' })],
    ['query', request => ({ ...request, path: `${request.path}?partNumber=1` })],
    ['method', request => ({ ...request, method: 'DELETE' })],
    ['range', request => ({ ...request, headers: { ...request.headers, range: 'bytes=0-1' } })],
    [
      'date',
      request => ({
        ...request,
        headers: {
          ...request.headers,
          'x-amz-date': request.headers['x-amz-date'].replace(/\dZ/, d => `${(+d[0] + 1) % 10}Z`),
        },
      }),
    ],
  ])('and tampered with in its %s is refused', async (_, tamper) => {
    const request = await signed(using.store, { ...get, headers: { range: 'bytes=0-2' } })
    expect((await send(using.store, request)).text).toBe('con')
    const answer = await send(using.store, tamper(request))
    expect(answer).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    expect(answer.text).toContain('<StringToSign>AWS4-HMAC-SHA256\n')
    expect(answer.text).toMatch(/<CanonicalRequest>(GET|DELETE)\n\/first\//)
    expect(answer.text).not.toContain('secret')
  })

  test.each([
    [-14, 200, undefined],
    [14, 200, undefined],
    [-16, 403, 'RequestTimeTooSkewed'],
    [16, 403, 'RequestTimeTooSkewed'],
  ])('%i minutes from now answers %i', async (minutes, status, code) => {
    const answer = await call(using.store, get, { date: new Date(Date.now() + minutes * MINUTE) })
    expect(answer).toMatchObject({ status, code })
  })

  test('with x-amz headers that were not signed is refused', async () => {
    const request = await signed(using.store, get)
    const answer = await send(using.store, { ...request, headers: { ...request.headers, 'x-amz-meta-a': 'b' } })
    expect(answer).toMatchObject({ status: 403, code: 'AccessDenied' })
    expect(answer.text).toContain('<HeadersNotSigned>x-amz-meta-a</HeadersNotSigned>')
  })

  test.each([
    ['AWS AKIATEST:c2lnbmF0dXJl', 400, 'InvalidRequest'],
    ['AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/us-east-1/s3/aws4_request', 400, 'AuthorizationHeaderMalformed'],
    ['AWS4-HMAC-SHA256 Credential=AKIATEST,SignedHeaders=host,Signature=00', 400, 'AuthorizationHeaderMalformed'],
    [
      'AWS4-HMAC-SHA256 Credential=AKIATEST/20260101/us-east-1/ec2/aws4_request,SignedHeaders=host,Signature=00',
      400,
      'AuthorizationHeaderMalformed',
    ],
  ])('wrongly, as %j, is refused', async (authorization, status, code) => {
    const request = await signed(using.store, get)
    expect(await send(using.store, { ...request, headers: { ...request.headers, authorization } })).toMatchObject({
      status,
      code,
    })
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

  test.each(['X-Amz-Date', 'X-Amz-Expires', 'X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature'])(
    'without %s is refused',
    async name => {
      const request = await presigned(using.store, get)
      const path = request.path.replace(new RegExp(`&?${name}=[^&]*`), '')
      expect(await send(using.store, { ...request, path })).toMatchObject({
        status: 400,
        code: 'AuthorizationQueryParametersError',
      })
    },
  )

  test('takes no unsigned x-amz header, and no Authorization beside it', async () => {
    const request = await presigned(using.store, { ...get, headers: { 'x-amz-checksum-mode': 'ENABLED' } })
    expect(await send(using.store, request)).toMatchObject({ status: 403, code: 'AccessDenied' })
    const both = await presigned(using.store, { ...get, headers: { authorization: 'AWS4-HMAC-SHA256 x' } })
    expect(await send(using.store, both)).toMatchObject({ status: 400, code: 'InvalidArgument' })
  })
})

describe('who may do what', () => {
  test('nobody without a signature, but read what is public', async () => {
    expect(await send(using.store, { path: '/first/key' })).toMatchObject({ status: 403, code: 'AccessDenied' })
    expect(await send(using.store, { path: '/public/key' })).toMatchObject({ status: 200, text: 'content' })
    expect(await send(using.store, { method: 'HEAD', path: '/public/key' })).toMatchObject({ status: 200 })
    expect(await send(using.store, { path: '/public?list-type=2' })).toMatchObject({ status: 200 })
    expect(await send(using.store, { path: '/public/none' })).toMatchObject({ status: 404, code: 'NoSuchKey' })
    expect(await send(using.store, { path: '/nowhere/none' })).toMatchObject({ status: 404, code: 'NoSuchBucket' })
    expect(await send(using.store, { method: 'PUT', path: '/public/key', body: 'x' })).toMatchObject({ status: 403 })
    expect(await send(using.store, { path: '/' })).toMatchObject({ status: 403 })
  })

  test('temporary keys come with their token', async () => {
    const who = { ...TEMPORARY, secret: TEMPORARY.secretAccessKey }
    expect(await call(using.store, get, who)).toMatchObject({ status: 200 })
    expect(await send(using.store, await presigned(using.store, get, who))).toMatchObject({ status: 200 })
    expect(await call(using.store, get, { ...who, sessionToken: 'other' })).toMatchObject({
      status: 400,
      code: 'InvalidToken',
    })
    expect(await call(using.store, get, { ...who, sessionToken: undefined })).toMatchObject({
      status: 403,
      code: 'InvalidAccessKeyId',
    })
  })

  test('temporary keys expire, by the store’s clock', async () => {
    const late = { accessKeyId: 'ASIALATE', secretAccessKey: 'late', sessionToken: 't', expiresMs: Date.now() + MINUTE }
    using.store.addAccount(late)
    const who = { ...late, secret: late.secretAccessKey }
    expect(await call(using.store, get, who)).toMatchObject({ status: 200 })
    late.expiresMs = Date.now()
    expect(await call(using.store, get, who)).toMatchObject({ status: 400, code: 'ExpiredToken' })
    expect(await call(using.store, { ...get, method: 'HEAD' }, who)).toMatchObject({ status: 400, code: undefined })
  })

  test('an account can be kept to some buckets, and to reading', async () => {
    const who = { ...READER, secret: READER.secretAccessKey }
    expect(await call(using.store, get, who)).toMatchObject({ status: 200 })
    expect(await call(using.store, { path: '/public/key' }, who)).toMatchObject({ status: 403, code: 'AccessDenied' })
    expect(await call(using.store, { method: 'DELETE', path: '/first/key' }, who)).toMatchObject({
      status: 403,
      code: 'AccessDenied',
    })
  })
})

describe('an account with certain actions', () => {
  const put = { method: 'PUT', path: '/first/actors', body: 'x' }
  const list = { path: '/first', query: { 'list-type': '2' } }
  const head = { method: 'HEAD', path: '/first/key' }
  const ifMatch = { ...put, headers: { 'if-match': '"0123"' } }

  test.each([
    ['AKIAGET', get, 200],
    ['AKIAGET', head, 200],
    ['AKIAGET', put, 403],
    ['AKIAGET', list, 403],
    ['AKIAPUT', get, 403],
    ['AKIAPUT', head, 403],
    ['AKIAPUT', put, 200],
    ['AKIAPUT', { method: 'DELETE', path: '/first/actors' }, 403],
    ['AKIAPUT', ifMatch, 403],
    ['AKIABOTH', ifMatch, 412],
    ['AKIALIST', list, 200],
    ['AKIAGET', { path: '/first/missing' }, 403],
    ['AKIALIST', { path: '/first/missing' }, 404],
  ])('%s: %j is answered %i', async (keyId, request, status) => {
    expect(await call(using.store, request, { accessKeyId: keyId, secret: 'actor' })).toMatchObject({ status })
  })
})

describe('a bucket in another region', () => {
  test('is refused with the right region told', async () => {
    const answer = await call(using.store, { path: '/elsewhere/key' })
    expect(answer).toMatchObject({ status: 400, code: 'AuthorizationHeaderMalformed' })
    expect(answer.text).toContain('<Region>eu-west-1</Region>')
    expect(answer.headers['x-amz-bucket-region']).toBe('eu-west-1')
    const link = await send(using.store, await presigned(using.store, { path: '/elsewhere/key' }))
    expect(link).toMatchObject({ status: 400, code: 'AuthorizationQueryParametersError' })
  })
})
