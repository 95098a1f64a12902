'use strict'

const { canonicalRequest, chunkStringToSign, sign, signingKey, stringToSign } = require('../../../sandbox/common/sigv4')
const { createHash } = require('node:crypto')

// The examples of AWS's documentation: sig-v4-header-based-auth, sigv4-query-string-auth, sigv4-streaming.
const SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const AMZ_DATE = '20130524T000000Z'
const SCOPE = '20130524/us-east-1/s3/aws4_request'
const KEY = signingKey(SECRET, '20130524', 'us-east-1')
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function signatureOf({ method = 'GET', rawPath = '/', query = [], headers, payloadHash = EMPTY }) {
  const all = new Map(Object.entries(headers).map(([name, value]) => [name, [value]]))
  const canonical = canonicalRequest({
    method,
    rawPath,
    query,
    headers: all,
    signedHeaders: [...all.keys()].sort(),
    payloadHash,
  })
  return sign(KEY, stringToSign(AMZ_DATE, SCOPE, canonical))
}

const host = 'examplebucket.s3.amazonaws.com'
const common = { host, 'x-amz-date': AMZ_DATE, 'x-amz-content-sha256': EMPTY }

describe("signatures are those of AWS's examples", () => {
  test.each([
    [
      'GET Object',
      { rawPath: '/test.txt', headers: { ...common, range: 'bytes=0-9' } },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'PUT Object',
      {
        method: 'PUT',
        rawPath: '/test%24file.text',
        headers: {
          ...common,
          date: 'Fri, 24 May 2013 00:00:00 GMT',
          'x-amz-storage-class': 'REDUCED_REDUNDANCY',
          'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
        },
        payloadHash: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'GET Bucket Lifecycle',
      { query: [['lifecycle', '']], headers: common },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'GET Bucket (List Objects)',
      {
        query: [
          ['prefix', 'J'],
          ['max-keys', '2'],
        ],
        headers: common,
      },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
    [
      'a presigned URL',
      {
        rawPath: '/test.txt',
        query: [
          ['X-Amz-Algorithm', 'AWS4-HMAC-SHA256'],
          ['X-Amz-Credential', `AKIAIOSFODNN7EXAMPLE/${SCOPE}`],
          ['X-Amz-Date', AMZ_DATE],
          ['X-Amz-Expires', '86400'],
          ['X-Amz-SignedHeaders', 'host'],
          ['X-Amz-Signature', 'left out'],
        ],
        headers: { host },
        payloadHash: 'UNSIGNED-PAYLOAD',
      },
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ],
  ])('%s', (_, request, signature) => {
    expect(signatureOf(request)).toBe(signature)
  })

  test('a body in signed chunks', () => {
    const seed = signatureOf({
      method: 'PUT',
      rawPath: '/examplebucket/chunkObject.txt',
      headers: {
        host: 's3.amazonaws.com',
        'content-encoding': 'aws-chunked',
        'content-length': '66824',
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
        'x-amz-date': AMZ_DATE,
        'x-amz-decoded-content-length': '66560',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
      payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    })
    expect(seed).toBe('4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9')
    const signatures = []
    for (const size of [65536, 1024, 0]) {
      const hash = createHash('sha256').update(Buffer.alloc(size, 'a')).digest('hex')
      signatures.push(sign(KEY, chunkStringToSign(AMZ_DATE, SCOPE, signatures.at(-1) ?? seed, hash)))
    }
    expect(signatures).toEqual([
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
      '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
      'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
    ])
  })
})

test.each([
  ['/b/a/./b/../c//d', '/b/a/./b/../c//d'],
  ['/b/a+b', '/b/a%2Bb'],
  ['/b/%7e%41%c3%a4', '/b/~A%C3%A4'],
  ["/b/(it's*!)", '/b/%28it%27s%2A%21%29'],
  ['/b/a%2Fb', '/b/a/b'],
])('the path %s is encoded once, and not normalised', (rawPath, expected) => {
  const canonical = canonicalRequest({
    method: 'GET',
    rawPath,
    query: [],
    headers: new Map(),
    signedHeaders: [],
    payloadHash: EMPTY,
  })
  expect(canonical.split('\n')[1]).toBe(expected)
})
