'use strict'

/** Each request and its signature are those of the SDK, and every byte of a header is signed as it is sent. */

const { once } = require('node:events')
const http = require('node:http')
const sdk = require('@aws-sdk/client-s3')
const fc = require('fast-check')
const { main, VERSION } = require('../../../../actions/copy-range')
const { addressOf } = require('../../../../lib/stores/s3/place')
const { OPERATIONS } = require('../../../../lib/stores/s3/calls')
const { createSigner } = require('../../../../lib/stores/s3/sign')
const { amazon } = require('../../../../lib/stores/s3/explain')
const { openStore, startStore } = require('../../../support/opened')
const { put } = require('../../../support/stores')

const ODD = `a&b<c>"d' e\r\né\u0085😀`
const ENDPOINT = 'http://store.example:9000'

/** @param {object} config */
const clientOf = config =>
  new sdk.S3Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'AKID', secretAccessKey: 'secret' },
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
    maxAttempts: 1,
    requestHandler: { handle: async request => Promise.reject(Object.assign(new Error('captured'), { request })) },
    ...config,
  })
const client = clientOf({ endpoint: ENDPOINT, forcePathStyle: true })

/** The request that the SDK would send. */
async function requestOf(by, name, input) {
  const { request, ...rest } = await by.send(new sdk[`${name}Command`](input)).catch(error => error)
  if (!request) throw Object.assign(new Error('the SDK sends nothing'), rest)
  return request
}

describe('a call', () => {
  const SOURCE = { CopySource: 'b/k?versionId=1', CopySourceIfMatch: '"e"' }
  const from = { bucket: 'b', key: 'k', etag: '"e"', versionId: '1' }
  const SUMS = { ChecksumCRC32: 'AAAAAA==' }
  const sums = { crc32: '00000000' }
  const attributes = { metadata: { headers: {}, user: {} } }
  const [Key, UploadId, PartNumber] = ['k', 'id+/', 2]
  const upload = { key: Key, uploadId: UploadId }
  const V = { VersionId: 'v' }
  const DOTS = 'a/./../b'
  const OF_SDK =
    /^(amz-sdk-.*|x-amz-user-agent|user-agent|x-amz-sdk-checksum-algorithm|host|connection|authorization|x-amz-date|x-amz-content-sha256)$/

  /** What says how the body is, and the rest of what does not come with the SDK or the connection. */
  const headersOf = ({ headers }) => {
    const own = Object.entries(headers).filter(([name, value]) => !OF_SDK.test(name) && value !== undefined)
    const { 'content-length': length, 'content-type': type, ...others } = Object.fromEntries(own)
    const { 'x-amz-checksum-crc32': sum, ...rest } = others
    return { length, type, sum, rest }
  }

  /** References to characters by the characters. */
  const charOf = (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16))
  const textOf = (body = '') =>
    Buffer.from(body)
      .toString()
      .replace(/&#x0*([0-9a-f]+);/gi, charOf)

  /** The requests that a server gets, and refuses. @type {Array<{ method: string, url: string, headers: Record<string, string>, body: string }>} */
  const got = []
  const server = http.createServer(async (request, response) => {
    const { method, url, headers } = request
    got.push({ method, url, headers, body: Buffer.concat(await request.toArray()).toString() })
    response.writeHead(403).end()
  })
  const access = { accessKeyId: 'AKID', secretAccessKey: 'secret', region: 'us-east-1' }
  /** @param {object} [settings] */
  const open = settings =>
    openStore({ ...access, endpoint: `http://127.0.0.1:${server.address().port}` }, 'bucket', settings)

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => server.close())
  afterEach(() => got.splice(0))

  const LEVEL = { Prefix: ODD, Delimiter: '/', MaxKeys: 7, EncodingType: 'url', StartAfter: 'x' }
  const PAGE = { Prefix: '', MaxKeys: 7, EncodingType: 'url', ContinuationToken: 'a+b/=' }
  const DELETED = { Delete: { Objects: [{ Key: '<&>' }, { Key: ' b ' }], Quiet: false } }
  const COPIED = { Key, ...SOURCE, MetadataDirective: 'REPLACE', TaggingDirective: 'REPLACE' }
  const TAGGED = { Key, Tagging: { TagSet: [{ Key: ODD, Value: '' }] } }
  const SUMMED = { Key, ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }
  const PART = { Key, UploadId, PartNumber, ...SOURCE, CopySourceRange: 'bytes=0-4' }
  const copied = { from, range: { start: 0, end: 4 }, ...upload, partNumber: 2 }
  const PARTS = { Key, UploadId, PartNumberMarker: '4', MaxParts: 9 }
  const listed = (...parts) => ({ MultipartUpload: { Parts: parts } })
  const ONE = listed({ ETag: ODD, ...SUMS, PartNumber: 1 })
  const WHOLE = { Key, UploadId, ...SUMS, ChecksumType: 'FULL_OBJECT', ...ONE }
  const whole = { ...upload, sums, parts: [{ etag: ODD, sums, partNumber: 1 }] }
  const NEW = { Key, UploadId, IfNoneMatch: '*', ...listed({ ETag: 'e', PartNumber: 1 }) }
  const fresh = { ...upload, parts: [{ etag: 'e', partNumber: 1 }], condition: { ifNoneMatch: true } }
  const UPLOADS = { Prefix: 'p', KeyMarker: 'k', UploadIdMarker: 'u' }
  const CALLS = [
    ['ListBuckets', {}, store => store.containers({})],
    ['ListObjectsV2', LEVEL, store => store.list({ prefix: ODD, delimiter: '/', most: 7, after: 'x' })],
    ['ListObjectsV2', PAGE, store => store.list({ prefix: '', most: 7, marker: 'a+b/=' })],
    ['GetObject', { Key: DOTS, Range: 'bytes=0-0', ...V }, store => store.head(DOTS, { versionId: 'v' })],
    ['HeadObject', { Key, PartNumber, ...V }, store => store.partSize(Key, { partNumber: 2, versionId: 'v' })],
    ['DeleteObject', { Key, VersionId: 'v' }, store => store.remove({ key: Key, versionId: 'v' })],
    ['DeleteObjects', DELETED, store => store.removeAll(['<&>', ' b '])],
    ['CopyObject', COPIED, store => store.serverCopy.object({ from, key: Key, attributes, keep: {} })],
    ['GetObjectTagging', { Key, VersionId: 'v' }, store => store.tags.read(Key, { versionId: 'v' })],
    ['PutObjectTagging', TAGGED, store => store.tags.write({ key: Key, tags: [[ODD, '']] })],
    ['CreateMultipartUpload', SUMMED, store => store.upload.create({ key: Key, attributes, checksum: true })],
    ['UploadPartCopy', PART, store => store.serverCopy.part(copied)],
    ['ListParts', PARTS, store => store.upload.parts({ ...upload, marker: '4', most: 9 })],
    ['CompleteMultipartUpload', WHOLE, store => store.upload.complete(whole)],
    ['CompleteMultipartUpload', NEW, store => store.upload.complete(fresh)],
    ['AbortMultipartUpload', { Key, UploadId }, store => store.upload.abort(upload)],
    ['ListMultipartUploads', UPLOADS, store => store.upload.pending({ prefix: 'p', marker: { key: 'k', id: 'u' } })],
    ['GetObjectLockConfiguration', {}, store => store.retention()],
    ['HeadBucket', {}, store => store.ping()],
  ]

  const paid = CALLS.flatMap(one => [true, false].map(pays => [...one, pays]))
  test.each(paid)('%s of %j is sent as by the SDK, by one who pays too', async (name, input, call, pays) => {
    const usual = { ...(name !== 'ListBuckets' && { Bucket: 'bucket' }), ...(pays && { RequestPayer: 'requester' }) }
    const sent = await requestOf(client, name, { ...usual, ...input })
    await call(open({ requestPayer: pays })).catch(error => expect(error.facts).toMatchObject({ status: 403 }))
    const found = got.filter(({ method }) => method === sent.method).at(-1)
    const { searchParams } = new URL(found.url, ENDPOINT)
    expect(found.url.split('?')[0]).toBe(sent.path)
    const { 'x-id': _, ...parameters } = sent.query
    expect(Object.fromEntries(searchParams)).toEqual(parameters)
    const [theirs, ours] = [sent, found].map(headersOf)
    expect(ours.rest).toEqual(theirs.rest)
    // Two characters may be written in two ways, and so have another length and another checksum.
    expect(textOf(found.body)).toBe(textOf(sent.body))
    const isWrite = /PUT|POST/.test(sent.method)
    expect([ours.length !== undefined, ours.sum !== undefined]).toEqual([isWrite, theirs.sum !== undefined])
    if (/^<\?xml/.test(textOf(found.body))) expect(ours.type).toBe(theirs.type)
    expect(theirs.length === undefined || ours.length !== undefined).toBe(true)
  })

  test('each of the table is among these, but for the creation of a bucket, which has a question before it', () => {
    const names = [...new Set(CALLS.map(([name]) => name)), 'CreateBucket']
    expect(names.sort()).toEqual(Object.keys(OPERATIONS).sort())
  })
})

describe('the address of a bucket is that of the SDK', () => {
  const REGIONS = ['us-east-1', 'eu-central-1', 'us-gov-west-1', 'cn-north-1', 'us-iso-east-1', 'us-isob-east-1']
  const MORE = ['eu-isoe-west-1', 'us-isof-south-1', 'eusc-de-east-1', 'auto', 'us-isog-east-1']
  const urlBy = async (by, Bucket) => {
    const { protocol, hostname, port, path } = await requestOf(by, 'HeadObject', { Bucket, Key: 'k' })
    return `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`
  }
  const urlOf = (...of) => `${addressOf(...of).origin}${addressOf(...of).path}/k`
  const BUCKETS = ['bucket', 'buc-ket', 'with.dots', 'Upper', 'under_score', 'a-s3alias', '10.0.0.1', 'x--y']
  const ENDPOINTS = [undefined, ENDPOINT, 'https://store.example/base', 'http://127.0.0.1:9000', 'http://[::1]:9000']

  test.each([...REGIONS, ...MORE])('in %s', async region => {
    const styles = ENDPOINTS.flatMap(endpoint => ['auto', 'path', 'virtual'].map(style => [endpoint, style]))
    for (const [endpoint, addressing] of styles) {
      for (const Bucket of BUCKETS) {
        // The SDK prints that it makes no host of it.
        if (Bucket.includes('.') && /\d\.\d|::/.test(endpoint ?? '')) continue
        const auto = endpoint !== undefined || Bucket.includes('.')
        const forcePathStyle = addressing === 'auto' ? auto : addressing === 'path'
        const by = clientOf({ region, forcePathStyle, ...(endpoint && { endpoint }) })
        const settings = { endpoint, addressing, side: 'source' }
        expect([Bucket, settings, urlOf(Bucket, region, settings)]).toEqual([Bucket, settings, await urlBy(by, Bucket)])
      }
    }
  })

  test.each([...REGIONS, ...MORE])('in %s, with FIPS and with IPv6', async region => {
    for (const flags of [{ fips: true }, { dualStack: true }, { fips: true, dualStack: true }]) {
      const { fips = false, dualStack = false } = flags
      const settings = { side: 'source', addressing: 'auto', fips, dualStack }
      if (fips && region.startsWith('cn-')) {
        expect(() => addressOf('bucket', region, settings)).toThrow(expect.objectContaining({ code: 'USAGE' }))
        continue
      }
      const by = clientOf({ region, useFipsEndpoint: fips, useDualstackEndpoint: dualStack })
      for (const Bucket of ['bucket', 'with.dots']) {
        expect(urlOf(Bucket, region, settings)).toBe(await urlBy(by, Bucket))
      }
    }
  })

  test.each(['evil.example/', 'a b', '-a', ''])('the region %j cannot be part of a host', region => {
    const settings = { addressing: 'auto', side: 'source' }
    expect(() => addressOf('bucket', region, settings)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  })
})

test('a signature is that of the SDK, whatever is read, written or named', async () => {
  const keyed = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'token/with+signs==' }
  const by = clientOf({ region: 'eu-central-1', endpoint: ENDPOINT, forcePathStyle: true, credentials: keyed })
  const key = fc.fullUnicodeString({ minLength: 1, maxLength: 40 }).filter(text => text.isWellFormed())
  // What may stand in a header: other bytes are xfer's own business, below.
  const value = fc.stringOf(fc.constantFrom(...'ab c=;,+/%~()"'), { minLength: 1, maxLength: 12 })
  const Range = fc.tuple(fc.nat({ max: 2 ** 40 }), fc.nat()).map(([from, more]) => `bytes=${from}-${from + more}`)
  const PartNumber = fc.integer({ min: 1, max: 10_000 })
  const Body = fc.constant('x')
  const anyOf = (name, input) => fc.tuple(fc.constant(name), fc.record({ Key: key, ...input }))
  const calls = fc.oneof(
    anyOf('GetObject', { IfMatch: value, Range }),
    anyOf('UploadPart', { UploadId: value, PartNumber, Body }),
    anyOf('PutObject', { ContentType: value, Metadata: fc.record({ Mine: value }), Body }),
  )
  const settings = { endpoint: ENDPOINT, region: 'eu-central-1', addressing: 'path', requestPayer: false }
  let nowMs = 0
  const signer = createSigner({ settings, bucket: 'bucket', dialect: amazon, learned: {}, now: () => nowMs })
  const same = async ([name, input]) => {
    const { method, path, query, headers: sent } = await requestOf(by, name, { Bucket: 'bucket', ...input })
    // Of all headers that it sends the SDK does not sign this one, and we send none.
    const { 'user-agent': _, ...expected } = sent
    const { authorization: __, 'x-amz-date': stamp, 'x-amz-security-token': ___, ...headers } = expected
    nowMs = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
    const { host: ____, ...own } = headers
    const signed = await signer.sign({ method, query, headers: own }, input.Key, keyed)
    expect([signed.url.split('?')[0], signed.headers]).toEqual([ENDPOINT + path, expected])
  }
  await fc.assert(fc.asyncProperty(calls, same), { numRuns: 200 })
})

// Headers as Node reads them hold a character a byte: UTF-8 that a store sends raw, and bytes that are no UTF-8.
const RAW = { utf8: Buffer.from('é 日 😀').toString('latin1'), latin1: 'd\xe9j\xe0' }
const metadata = { headers: { 'content-type': 'text/plain', 'content-disposition': RAW.utf8 }, user: RAW }
let sandbox
let store

beforeAll(async () => {
  sandbox = await startStore({ buckets: ['bucket'] })
  store = openStore(sandbox, 'bucket')
})

test.each([3, 0])('headers that are not ASCII arrive byte for byte, through a function: %d bytes', async bytes => {
  const etag = await put(store, 'from', Buffer.alloc(bytes))
  const range = bytes === 0 ? undefined : { start: 0, end: bytes - 1 }
  const { request: read } = await store.read({ key: 'from', etag, range })
  const { request: write } = await store.put({ key: 'to', bytes, attributes: { metadata }, checksum: true })
  const sides = { read: { ...read, accepts: 'read' }, write: { ...write, accepts: 'write' } }
  const accepts = { read: read.accepts, write: write.accepts }
  const task = { partNumber: 1, bytes, ...sides, sums: [], expect: { etag, totalBytes: bytes } }
  expect(await main({ version: VERSION, accepts, tasks: [task] })).toMatchObject({ outcomes: [{ bytes }] })
  expect((await store.head('to')).metadata).toEqual(metadata)
})
