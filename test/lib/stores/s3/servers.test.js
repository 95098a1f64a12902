'use strict'

/** What the store learns of servers: which they are, where a bucket is, what time it is there, and who is let in. */

const dns = require('node:dns')
const { writeS3Xml } = require('../../../../sandbox/common/xml')
const { limitsOf, knownOf } = require('../../../../lib/stores/servers')
const { storeAnswering } = require('../../../support/answering')
const { closing } = require('../../../support/listen')
const { openStore, startStore } = require('../../../support/opened')
const { bytesOf, get, play, put } = require('../../../support/s3')
const { thrownBy } = require('../../../support/thrown')

const ATTRIBUTES = { metadata: { headers: {}, user: {} } }
const HOUR_MS = 3_600_000

const open = (access, settings, bucket = 'bucket') => openStore(access, bucket, settings)
const start = options => startStore({ buckets: ['bucket'], ...options })

/** Makes every name below localhost this machine, whatever its resolver knows. */
function resolveLocalhost() {
  const { lookup } = dns
  jest.spyOn(dns, 'lookup').mockImplementation((name, ...rest) => {
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)
  })
  closing(() => jest.restoreAllMocks())
}

/** Control and data; the data requests are signed with what the first call has learned. @param {import('../../../../lib/types').Store} store */
async function useAll(store) {
  expect(await store.list({ prefix: '' })).toMatchObject({ objects: [] })
  const etag = await put(store, 'key', bytesOf(100))
  expect(await store.head('key')).toMatchObject({ etag, bytes: 100 })
  expect((await get(store, 'key')).equals(bytesOf(100))).toBe(true)
}

test.each([
  ['s3.eu-west-1.amazonaws.com', undefined, 'Amazon S3'],
  ['127.0.0.1', 'MinIO', 'MinIO'],
  ['s3.wasabisys.com', undefined, 'Wasabi'],
  ['s3.eu-central-2.wasabisys.com', undefined, 'Wasabi'],
  ['s3.us-east-1-dell-obs.wasabisys.com', undefined, undefined],
  ['nyc3.digitaloceanspaces.com', undefined, 'DigitalOcean Spaces'],
  ['s3.localhost.localstack.cloud', 'TwistedWeb/24.3.0', 'LocalStack'],
  // What says so of itself is not Amazon's.
  ['127.0.0.1', 'AmazonS3', 'rclone serve s3, gofakes3'],
  ['amazonaws.com.example', 'Oddity/1.0', undefined],
])('%s, which names itself %s, is %s', (host, server, name) => {
  const facts = knownOf({ host, server })
  expect(facts.name).toBe(name)
  expect(limitsOf(facts)).toMatchObject({ maxParts: 10_000, equalParts: name === 'Cloudflare R2' })
})

test.each([HOUR_MS, -HOUR_MS])("the store's clock counts, if it differs by %d ms", async clockSkewMs => {
  await useAll(open(await start({ clockSkewMs })))
})

const LIST = writeS3Xml('ListBucketResult', { Name: 'bucket', Prefix: '', KeyCount: 0, IsTruncated: false })
const regionIn = request => /\/(\d{8})\/([^/]+)\/s3\//.exec(request.headers.authorization)[2]

test("a bucket's region is found where another one is configured", async () => {
  await useAll(open(await start({ buckets: [{ name: 'bucket', region: 'eu-central-1' }] })))
})

test("a bucket's region is learned by all calls that begin together in a wrong one", async () => {
  const wrong = []
  const refuse = () => wrong.shift()?.writeHead(301, { 'x-amz-bucket-region': 'eu-west-1' }).end()
  const store = await storeAnswering((response, request) => {
    if (regionIn(request) === 'us-east-1') return wrong.push(response) === 2 && refuse()
    response.end(LIST)
    // The other call is refused only now, when the region is known.
    refuse()
  })
  const lists = await Promise.all([store.list({ prefix: '' }), store.list({ prefix: '' })])
  expect(lists.map(({ objects }) => objects)).toEqual([[], []])
})

test("a bucket's region that is none is not signed with, and one that is wrong again ends the call", async () => {
  let regions = []
  const malformed = '<Code>AuthorizationHeaderMalformed</Code><Message>Another one.</Message><Region>a\nb</Region>'
  let answer = response => response.writeHead(400).end(`<Error>${malformed}</Error>`)
  const store = await storeAnswering((response, request) => {
    regions.push(regionIn(request))
    answer(response)
  })
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  expect(regions).toEqual(['us-east-1'])
  regions = []
  answer = response => response.writeHead(301, { 'x-amz-bucket-region': `eu-west-${regions.length}` }).end()
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({ code: 'NOT_A_STORE' })
  expect(regions).toEqual(['us-east-1', 'eu-west-1'])
})

test('an abort ends the wait for new credentials', async () => {
  const account = { accessKeyId: 'AKIDEXPIRED', secretAccessKey: 'secret', sessionToken: 'token', expiresMs: 0 }
  const server = await start({ accounts: [account] })
  const abort = new AbortController()
  const renew = () => new Promise(() => abort.abort())
  const store = open({ ...server, ...account }, { credentials: Object.assign(async () => account, { renew }) })
  const from = store.serverCopy.source({ key: 'from', etag: '"e"' })
  const copy = { from, key: 'to', attributes: ATTRIBUTES, keep: { metadata: true } }
  const answer = store.serverCopy.object(copy, { signal: abort.signal })
  await expect(answer).rejects.toMatchObject({ code: 'INTERRUPTED' })
}, 10_000)

test('a public bucket is read without credentials and without a signature', async () => {
  const server = await start({ buckets: [{ name: 'bucket', publicRead: true }, 'closed'] })
  for (const bucket of ['bucket', 'closed']) await put(open(server, {}, bucket), 'key', bytesOf(1000))
  const anonymous = open(server, { credentials: null })
  const { etag } = await anonymous.head('key')
  const { request } = await anonymous.read({ key: 'key', etag, range: { start: 5, end: 9 } })
  expect(request.headers).not.toHaveProperty('authorization')
  expect((await play(request)).body.equals(bytesOf(1000).subarray(5, 10))).toBe(true)
  const closed = open(server, { credentials: null }, 'closed').head('key')
  await expect(closed).rejects.toMatchObject({ code: 'ACCESS_DENIED', exitCode: 4 })
})

test('a bucket is reached by its host name, with control calls and data', async () => {
  resolveLocalhost()
  const server = await start()
  const store = open({ ...server, endpoint: `http://s3.localhost:${server.port}` }, { addressing: 'virtual' })
  const { url, headers } = (await store.read({ key: 'key', etag: '"e"' })).request
  expect([url, headers.host]).toEqual([`http://${headers.host}/key`, `bucket.s3.localhost:${server.port}`])
  await useAll(store)
})

describe('an endpoint that names the bucket', () => {
  const R2 = '0123456789abcdef0123456789abcdef.r2.cloudflarestorage.com'
  const at = (endpoint, bucket, how) => thrownBy(() => open({ endpoint }, how, bucket))

  test.each([
    ['photos', 'https://photos.ams3.example.com', 'https://ams3.example.com'],
    ['photos', 'https://photos.ams3.example.com:9000/base', 'https://ams3.example.com:9000/base'],
    ['a.b', 'http://a.b.s3.localhost', 'http://s3.localhost'],
    ['photos', 'http://minio:9000/photos', 'http://minio:9000'],
  ])('%s at %s is refused, unless path style is asked for', (bucket, endpoint, plain) => {
    expect(at(endpoint, bucket, { endpointFrom: '--dest-endpoint-url' })).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(`"${endpoint}" (set by --dest-endpoint-url) names the bucket "${bucket}"`),
      hint: expect.stringMatching(`^Give the endpoint without the bucket: ${plain}\\. .* addressing_style = path`),
    })
    for (const addressing of ['path', 'virtual']) expect(at(endpoint, bucket, { addressing })).toBeUndefined()
  })

  test.each([
    ['https://photos.ams3.digitaloceanspaces.com', 'https://ams3.digitaloceanspaces.com'],
    ['https://photos.s3.eu-west-1.amazonaws.com', 'https://s3.eu-west-1.amazonaws.com'],
    ['https://photos.storage.googleapis.com', 'https://storage.googleapis.com'],
    ['https://photos.s3.us-west-004.backblazeb2.com', 'https://s3.us-west-004.backblazeb2.com'],
    [`https://photos.${R2}`, `https://${R2}`],
    [`https://${R2}/photos`, `https://${R2}`],
  ])('%s of a known server is refused with path style too', (endpoint, plain) => {
    const refused = { code: 'USAGE', hint: `Give the endpoint without the bucket: ${plain}.` }
    for (const addressing of ['auto', 'path']) expect(at(endpoint, 'photos', { addressing })).toMatchObject(refused)
  })

  test.each([
    ['minio', 'http://minio:9000'],
    ['minio', 'http://minio.local:9000'],
    ['localhost', 'http://localhost:9000'],
    ['192', 'http://192.168.0.1'],
    ['storage', 'https://storage.googleapis.com'],
    ['photos', 'https://photos2.example.com'],
    ['photos', 'https://example.com/my-photos'],
    [R2.split('.')[0], `https://${R2}`],
    ['', 'https://photos.ams3.example.com'],
  ])('%j is not named by %s', (bucket, endpoint) => expect(at(endpoint, bucket)).toBeUndefined())
})

test.each([
  ['aws:kms', true],
  ['AES256', undefined],
])('encryption by %s: ETags mean nothing, as head and upload say: %s', async (encryption, encrypted) => {
  const store = open(await start({ encryption }))
  await put(store, 'object', bytesOf(10))
  expect((await store.head('object')).encrypted).toBe(encrypted)
  const created = await store.upload.create({ key: 'key', attributes: ATTRIBUTES, checksum: true })
  expect(created.encrypted).toBe(encrypted)
})
