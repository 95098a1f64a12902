'use strict'

const s3 = require('@aws-sdk/client-s3')
const { buildCall } = require('../../../../lib/stores/s3/calls')
const { OPERATIONS } = require('../../../../lib/stores/s3/calls/operations')
const { addressOf } = require('../../../../lib/stores/s3/address')
const { encodeKey } = require('../../../../lib/stores/s3/signer')
const { openStore } = require('../../../support/s3')

const ODD = `a&b<c>"d' e\r\né\u0085😀`
const SOURCE = { CopySource: 'b/k?versionId=1', CopySourceIfMatch: '"e"' }
const SUMS = { ChecksumCRC32: 'AAAAAA==' }

/** @param {object} config */
const clientOf = config =>
  new s3.S3Client({
    credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret' },
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    maxAttempts: 1,
    requestHandler: { handle: async request => Promise.reject(Object.assign(new Error('captured'), { request })) },
    ...config,
  })

/** The request that the SDK would send. */
async function requestOf(client, name, input) {
  const { request, ...rest } = await client.send(new s3[`${name}Command`](input)).catch(error => error)
  if (!request) throw Object.assign(new Error('the SDK sends nothing'), rest)
  return request
}

const OF_SDK =
  /^(amz-sdk-.*|x-amz-user-agent|user-agent|x-amz-sdk-checksum-algorithm|host|authorization|x-amz-date|x-amz-content-sha256)$/

test.each([
  ['ListBuckets', { MaxBuckets: 5, ContinuationToken: 'a b' }],
  ['ListBuckets', { MaxBuckets: undefined }],
  ['HeadBucket', {}],
  ['CreateBucket', {}],
  ['CreateBucket', { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }],
  ['ListObjectsV2', { Prefix: ODD, Delimiter: '/', MaxKeys: 7, EncodingType: 'url', StartAfter: 'x' }],
  ['ListObjectsV2', { Prefix: '', MaxKeys: 7, EncodingType: 'url', ContinuationToken: 'a+b/=' }],
  ['HeadObject', { Key: ODD, VersionId: 'v', ChecksumMode: 'ENABLED' }],
  ['HeadObject', { Key: 'k', PartNumber: 3, VersionId: undefined }],
  ['GetObject', { Key: 'a/./../b', Range: 'bytes=0-0', VersionId: 'v' }],
  ['PutObject', { Key: 'k', Body: Buffer.from('123') }],
  ['DeleteObject', { Key: 'k', VersionId: 'v' }],
  ['DeleteObjects', { Delete: { Objects: [{ Key: ODD }, { Key: ' b ' }], Quiet: false } }],
  ['CopyObject', { Key: 'k', ...SOURCE, MetadataDirective: 'REPLACE', TaggingDirective: 'REPLACE' }],
  ['CopyObject', { Key: 'k', ...SOURCE, ChecksumAlgorithm: 'CRC64NVME', RequestPayer: 'requester' }],
  ['GetObjectTagging', { Key: 'k', VersionId: 'v' }],
  ['PutObjectTagging', { Key: 'k', Tagging: { TagSet: [{ Key: ODD, Value: '' }] } }],
  ['CreateMultipartUpload', { Key: 'k', ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }],
  ['UploadPart', { Key: 'k', UploadId: 'id+/', PartNumber: 2, Body: Buffer.from('123') }],
  ['UploadPartCopy', { Key: 'k', UploadId: 'u', PartNumber: 2, ...SOURCE, CopySourceRange: 'bytes=0-4' }],
  ['ListParts', { Key: 'k', UploadId: 'u', PartNumberMarker: '4', MaxParts: 9 }],
  [
    'CompleteMultipartUpload',
    {
      ...{ Key: 'k', UploadId: 'u', IfMatch: '"e"', ...SUMS, ChecksumType: 'FULL_OBJECT', MpuObjectSize: '5' },
      MultipartUpload: {
        Parts: [
          { PartNumber: 1, ETag: '"e"', ...SUMS },
          { PartNumber: 2, ETag: ODD },
        ],
      },
    },
  ],
  [
    'CompleteMultipartUpload',
    { Key: 'k', UploadId: 'u', IfNoneMatch: '*', MultipartUpload: { Parts: [{ PartNumber: 1, ETag: 'e' }] } },
  ],
  ['AbortMultipartUpload', { Key: 'k', UploadId: 'u' }],
  ['ListMultipartUploads', { Prefix: 'p', KeyMarker: 'k', UploadIdMarker: 'u' }],
])('%s of %j is sent as by the SDK', async (name, input) => {
  const client = clientOf({ region: 'us-east-1', endpoint: 'http://store.example:9000', forcePathStyle: true })
  const sent = await requestOf(client, name, { ...(name !== 'ListBuckets' && { Bucket: 'bucket' }), ...input })
  const { method, account, query, headers, body } = buildCall(name, input)
  expect(method).toBe(sent.method)
  expect(`${account ? '' : '/bucket'}/${input.Key === undefined ? '' : encodeKey(input.Key)}`).toBe(sent.path)
  const { 'x-id': _, ...parameters } = sent.query
  expect(query).toEqual(parameters)
  const { 'x-amz-checksum-crc32': sum, ...others } = Object.fromEntries(
    Object.entries(sent.headers).filter(([header]) => !OF_SDK.test(header) && sent.headers[header] !== undefined),
  )
  const { 'content-length': length, 'content-type': type, 'x-amz-checksum-crc32': ownSum, ...own } = headers
  const { 'content-length': sentLength, 'content-type': sentType, ...rest } = others
  expect(own).toEqual(rest)
  // Two characters may be written in two ways, and so have another length and another checksum.
  expect(textOf(body)).toBe(textOf(sent.body))
  expect(length ?? '0').toBe(String(body?.length ?? 0))
  expect([length !== undefined, ownSum !== undefined]).toEqual([/PUT|POST/.test(method), sum !== undefined])
  if (/^<\?xml/.test(textOf(body))) expect(type).toBe(sentType)
  expect(sentLength === undefined || length !== undefined).toBe(true)
})

/** References to characters by the characters. */
const textOf = body =>
  (body === undefined ? '' : Buffer.from(body).toString()).replace(/&#x0*([0-9a-f]+);/gi, (_, hex) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  )

test('who pays is told in each call that S3 lets tell it', async () => {
  const client = clientOf({ region: 'us-east-1', endpoint: 'http://store.example:9000', forcePathStyle: true })
  const INPUTS = {
    ...{ PutObject: { Body: Buffer.from('1') }, UploadPart: { Body: Buffer.from('1') } },
    DeleteObjects: { Delete: { Objects: [] } },
    PutObjectTagging: { Tagging: { TagSet: [] } },
    CompleteMultipartUpload: { MultipartUpload: { Parts: [] } },
  }
  for (const name of Object.keys(OPERATIONS)) {
    const more = { Key: 'k', UploadId: 'u', PartNumber: 1, CopySource: 'b/k', RequestPayer: 'requester' }
    const sent = await requestOf(client, name, { Bucket: 'bucket', ...more, ...INPUTS[name] })
    const { headers } = buildCall(name, { ...INPUTS[name] }, { requestPayer: true })
    expect([name, headers['x-amz-request-payer']]).toEqual([name, sent.headers['x-amz-request-payer']])
  }
})

describe('the address of a bucket is that of the SDK', () => {
  const REGIONS = ['us-east-1', 'eu-central-1', 'us-gov-west-1', 'cn-north-1', 'us-iso-east-1', 'us-isob-east-1']
  const MORE = ['eu-isoe-west-1', 'us-isof-south-1', 'eusc-de-east-1', 'auto', 'us-isog-east-1']
  const FLAGS = [
    [true, false],
    [false, true],
    [true, true],
  ]
  const BUCKETS = ['bucket', 'buc-ket', 'with.dots', 'Upper', 'under_score', 'a-s3alias', '10.0.0.1', 'x--y']
  const ENDPOINTS = [undefined, 'http://store.example:9000', 'https://store.example/base', 'http://127.0.0.1:9000']

  test.each([...REGIONS, ...MORE])('in %s', async region => {
    for (const endpoint of [...ENDPOINTS, 'http://[::1]:9000']) {
      for (const addressing of ['auto', 'path', 'virtual']) {
        for (const Bucket of BUCKETS) {
          // The SDK prints that it makes no host of it.
          if (Bucket.includes('.') && /\d\.\d|::/.test(endpoint ?? '')) continue
          const auto = endpoint !== undefined || Bucket.includes('.')
          const forcePathStyle = addressing === 'auto' ? auto : addressing === 'path'
          const client = clientOf({ region, forcePathStyle, ...(endpoint && { endpoint }) })
          const sent = await requestOf(client, 'HeadObject', { Bucket, Key: 'k' })
          const port = sent.port ? `:${sent.port}` : ''
          const expected = `${sent.protocol}//${sent.hostname}${port}${sent.path}`
          const { origin, path } = addressOf(Bucket, region, { endpoint, addressing, side: 'source' })
          expect([Bucket, endpoint, addressing, `${origin}${path}/k`]).toEqual([Bucket, endpoint, addressing, expected])
        }
      }
    }
  })

  test.each([...REGIONS, ...MORE])('in %s, with FIPS and with IPv6', async region => {
    for (const [fips, dualStack] of FLAGS) {
      const settings = { side: 'source', addressing: 'auto', fips, dualStack }
      if (fips && region.startsWith('cn-')) {
        expect(() => addressOf('bucket', region, settings)).toThrow(expect.objectContaining({ code: 'USAGE' }))
        continue
      }
      const client = clientOf({ region, useFipsEndpoint: fips, useDualstackEndpoint: dualStack })
      for (const Bucket of ['bucket', 'with.dots']) {
        const { protocol, hostname, path: sent } = await requestOf(client, 'HeadObject', { Bucket, Key: 'k' })
        const { origin, path } = addressOf(Bucket, region, settings)
        expect(`${origin}${path}/k`).toBe(`${protocol}//${hostname}${sent}`)
      }
    }
  })

  test('an endpoint comes before FIPS and IPv6', () => {
    const settings = { side: 'source', addressing: 'auto', fips: true, dualStack: true, endpoint: 'http://s:9000' }
    expect(addressOf('bucket', 'us-east-1', settings).origin).toBe('http://s:9000')
  })

  test('a store of another partition says where it is', () => {
    const access = { endpoint: undefined, region: 'cn-north-1', accessKeyId: 'a', secretAccessKey: 'b' }
    const store = openStore(access, 'bucket')
    expect(store.origin).toBe('https://s3.cn-north-1.amazonaws.com.cn')
    store.close()
  })

  test('a region that cannot be part of a host is an error of the command line', () => {
    for (const region of ['evil.example/', 'a b', '-a', '']) {
      const settings = { addressing: 'auto', side: 'source' }
      expect(() => addressOf('bucket', region, settings)).toThrow(expect.objectContaining({ code: 'USAGE' }))
    }
  })
})
