'use strict'

const { createHash, createHmac } = require('node:crypto')
const { GetObjectCommand, PutObjectCommand, S3Client, UploadPartCommand } = require('@aws-sdk/client-s3')
const fc = require('fast-check')
const { encodeKey, signRequest, UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER } = require('../../../../lib/stores/s3/signer')

const EMPTY = createHash('sha256').digest('hex')

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples" */
describe("AWS's published examples get their published signatures", () => {
  const credentials = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const context = { credentials, region: 'us-east-1', nowMs: Date.UTC(2013, 4, 24) }
  const origin = 'https://examplebucket.s3.amazonaws.com'

  test.each([
    [
      'GET Object',
      { path: '/test.txt', headers: { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY } },
      'host;range;x-amz-content-sha256;x-amz-date',
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'GET Bucket Lifecycle',
      { path: '/', query: { lifecycle: '' }, headers: { 'x-amz-content-sha256': EMPTY } },
      'host;x-amz-content-sha256;x-amz-date',
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET Bucket (List Objects)',
      { path: '/', query: { prefix: 'J', 'max-keys': '2' }, headers: { 'x-amz-content-sha256': EMPTY } },
      'host;x-amz-content-sha256;x-amz-date',
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s', async (_, request, signedHeaders, signature) => {
    const { headers } = await signRequest({ method: 'GET', query: {}, origin, ...request }, context)
    expect(headers.authorization).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    )
    expect(headers['x-amz-date']).toBe('20130524T000000Z')
  })
})

const KEYS = [
  'plain',
  'a/b/c',
  './a',
  '../a',
  'a/./b',
  'a/../b',
  'a//b',
  '/lead',
  'trail/',
  'a b',
  'a+b',
  '100%',
  '100%25',
  'what?',
  'a#b',
  'a&b=c',
  "!'()*",
  '~_-.',
  'a:b@c,d;e$f',
  '"quoted" \\ back',
  'ünïcode/日本',
  '😀/👨‍👩‍👧',
  'tab\tline\nend',
]

test.each([
  ['plain', 'plain'],
  ['./a/../b', './a/../b'],
  ['a//b/', 'a//b/'],
  ['a b+c', 'a%20b%2Bc'],
  ['100%25?#', '100%2525%3F%23'],
  ["!'()*~_-.", '%21%27%28%29%2A~_-.'],
  ['é', '%C3%A9'],
  ['😀', '%F0%9F%98%80'],
])('the key %j is the path %s', (key, path) => {
  expect(encodeKey(key)).toBe(path)
})

test('a path is ASCII, keeps its slashes and decodes to its key', () => {
  fc.assert(
    fc.property(
      fc.fullUnicodeString().filter(text => text.isWellFormed()),
      key => {
        const path = encodeKey(key)
        expect(path).toMatch(/^[A-Za-z0-9._~/%-]*$/)
        expect(path.split('/').map(decodeURIComponent)).toEqual(key.split('/'))
      },
    ),
  )
})

describe('the same request gets the signature that the SDK gives it', () => {
  const BUCKET = { Bucket: 'bucket' }
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token/with+signs==' }
  const client = new S3Client({
    region: 'eu-central-1',
    endpoint: 'http://store.example:9000',
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    requestHandler: { handle: async request => Promise.reject(Object.assign(new Error('captured'), { request })) },
    maxAttempts: 1,
  })
  afterAll(() => client.destroy())

  async function compare(command) {
    const { request } = await client.send(command).catch(error => error)
    // Of all headers that it sends the SDK does not sign this one, and we send none.
    const { authorization, 'user-agent': _, ...headers } = request.headers
    const sent = { ...headers, authorization }
    const stamp = headers['x-amz-date']
    const nowMs = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
    delete headers['x-amz-date']
    delete headers['x-amz-security-token']
    const { path, query, method } = request
    const signed = await signRequest(
      { method, origin: 'http://store.example:9000', path, query, headers },
      { credentials, region: 'eu-central-1', nowMs },
    )
    expect(signed.headers).toEqual(sent)
    return { path, signed }
  }

  test.each(KEYS)('reading %j', async key => {
    const { path } = await compare(
      new GetObjectCommand({ Bucket: 'bucket', Key: key, Range: 'bytes=0-9', IfMatch: '"e"' }),
    )
    expect(`/bucket/${encodeKey(key)}`).toBe(path)
  })

  test('writing a part', async () => {
    const input = { Bucket: 'bucket', Key: 'a b', PartNumber: 7, UploadId: 'id/+=&', Body: Buffer.from('x') }
    const { signed } = await compare(new UploadPartCommand(input))
    expect(signed.url).toBe(
      'http://store.example:9000/bucket/a%20b?partNumber=7&uploadId=id%2F%2B%3D%26&x-id=UploadPart',
    )
  })

  test('whatever is read, written or named', async () => {
    const key = fc.fullUnicodeString({ minLength: 1, maxLength: 40 }).filter(text => text.isWellFormed())
    // What may stand in a header: other bytes are xfer's own business, below.
    const value = fc.stringOf(fc.constantFrom(...'ab c=;,+/%~()"'), { minLength: 1, maxLength: 12 })
    const sized = fc.nat({ max: 2 ** 40 })
    const calls = fc.oneof(
      fc
        .record({
          Key: key,
          IfMatch: value,
          Range: fc.tuple(sized, sized).map(([from, more]) => `bytes=${from}-${from + more}`),
        })
        .map(input => [GetObjectCommand, input]),
      fc
        .record({ Key: key, UploadId: value, PartNumber: fc.integer({ min: 1, max: 10_000 }), Body: fc.constant('x') })
        .map(input => [UploadPartCommand, input]),
      fc
        .record({ Key: key, ContentType: value, Metadata: fc.record({ mine: value }), Body: fc.constant('x') })
        .map(input => [PutObjectCommand, input]),
    )
    const same = async ([Command, input]) => void (await compare(new Command({ ...BUCKET, ...input })))
    await fc.assert(fc.asyncProperty(calls, same), { numRuns: 200 })
  })

  test('writing with metadata', async () => {
    const Metadata = { Note: 'two  blanks ', other: 'x' }
    await compare(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'x', ContentType: 'text/plain', Metadata }))
  })
})

/** Signature Version 4 once more, by the book and by bytes. */
function signatureByHand({ method, path, query, headers }, { secretAccessKey }, region) {
  const bytes = text => Buffer.from(text, 'latin1')
  const hmac = (key, text) => createHmac('sha256', key).update(bytes(text)).digest()
  const names = Object.keys(headers).sort()
  const date = headers['x-amz-date']
  const search = Object.entries(query)
    .map(pair => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  const canonical = [
    method,
    path,
    search,
    ...names.map(name => `${name}:${headers[name].trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`
  const hash = createHash('sha256').update(bytes(canonical)).digest('hex')
  const key = scope.split('/').reduce(hmac, `AWS4${secretAccessKey}`)
  return hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash}`).toString('hex')
}

describe('a signed request', () => {
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret' }
  const context = { credentials, region: 'us-east-1', nowMs: Date.UTC(2024, 1, 29, 23, 59, 59) }
  const base = { method: 'GET', origin: 'http://127.0.0.1:9000', path: '/bucket/key', query: {} }

  test('signs every header it sends, in the bytes in which it is sent', async () => {
    const value = fc.stringOf(fc.constantFrom(...'ab é\xff\x80'), { maxLength: 12 })
    const headers = fc.record({
      range: value,
      'if-match': value,
      'content-length': value,
      'content-type': value,
      'content-encoding': value,
      'content-disposition': value,
      'cache-control': value,
      expires: value,
      'if-none-match': value,
      'x-amz-meta-a': value,
      'x-amz-trailer': value,
    })
    await fc.assert(
      fc.asyncProperty(headers, async given => {
        const request = {
          ...base,
          query: { partNumber: '1' },
          headers: { ...given, 'x-amz-content-sha256': UNSIGNED_PAYLOAD },
        }
        const { authorization, ...sent } = (await signRequest(request, context)).headers
        const [, names, signature] = /SignedHeaders=(\S+), Signature=(.*)$/.exec(authorization)
        expect(names.split(';')).toEqual(Object.keys(sent).sort())
        expect(sent).toMatchObject(given)
        expect(signature).toBe(signatureByHand({ ...request, headers: sent }, credentials, 'us-east-1'))
      }),
    )
  })

  test.each([UNSIGNED_PAYLOAD, UNSIGNED_WITH_TRAILER])(
    'leaves %s as it was given, and hashes no body',
    async payload => {
      const { headers } = await signRequest({ ...base, headers: { 'x-amz-content-sha256': payload } }, context)
      expect(headers['x-amz-content-sha256']).toBe(payload)
    },
  )

  test('carries nothing of the signature in its URL', async () => {
    const request = { ...base, query: { uploadId: 'u', partNumber: '2' }, headers: { 'x-amz-content-sha256': EMPTY } }
    const { url } = await signRequest(request, context)
    expect(url).toBe('http://127.0.0.1:9000/bucket/key?partNumber=2&uploadId=u')
  })

  test('changes nothing that it was given', async () => {
    const request = { ...base, headers: { 'x-amz-content-sha256': EMPTY } }
    const before = structuredClone(request)
    await signRequest(request, context)
    expect(request).toEqual(before)
  })

  test('without credentials has a host and what it was given, and no signature', async () => {
    const request = { ...base, headers: { range: 'bytes=0-1' } }
    const { headers, url } = await signRequest(request, { ...context, credentials: null })
    expect(headers).toEqual({ host: '127.0.0.1:9000', range: 'bytes=0-1' })
    expect(url).toBe('http://127.0.0.1:9000/bucket/key')
  })

  test('is signed for the day and the region that it is signed in', async () => {
    const request = { ...base, headers: { 'x-amz-content-sha256': EMPTY } }
    const scopes = []
    for (const [nowMs, region] of [
      [context.nowMs, 'a'],
      [context.nowMs + 1000, 'a'],
      [context.nowMs, 'b'],
    ]) {
      const { headers } = await signRequest(request, { credentials, region, nowMs })
      scopes.push(/Credential=AKID\/([^,]*)\/s3/.exec(headers.authorization)[1])
      expect(headers.authorization).toContain(
        signatureByHand({ ...request, headers: withoutAuthorization(headers) }, credentials, region),
      )
    }
    expect(scopes).toEqual(['20240229/a', '20240301/a', '20240229/b'])
  })
})

function withoutAuthorization({ authorization, ...headers }) {
  return headers
}
