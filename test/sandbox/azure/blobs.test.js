'use strict'

const { startAzureStore } = require('../../../sandbox/azure')
const { blockId, blockRequest, call, listRequest, putRequest, useStore } = require('./support')

const using = useStore({ containers: ['photos'] })
let path
let tests = 0
beforeEach(() => {
  path = `/photos/${++tests}`
})

const put = (body = 'hello', headers) => call(using.store, putRequest(path, body, headers))
const get = (headers, query) => call(using.store, { path, headers, query })
const head = (headers, query) => call(using.store, { method: 'HEAD', path, headers, query })
const set = (comp, headers, body) => call(using.store, { method: 'PUT', path, query: { comp }, headers, body })

describe('a read', () => {
  beforeEach(() => put('0123456789'))

  test.each([
    [{}, 200, '0123456789', undefined],
    [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
    [{ range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=7-99' }, 206, '789', 'bytes 7-9/10'],
    [{ 'x-ms-range': 'bytes=0-0', range: 'bytes=5-6' }, 206, '0', 'bytes 0-0/10'],
    [{ range: 'bytes=-3' }, 200, '0123456789', undefined],
  ])('with %j', async (headers, status, text, range) => {
    const answer = await get(headers)
    expect({ status: answer.status, text: answer.text, range: answer.headers['content-range'] }).toEqual({
      status,
      text,
      range,
    })
  })

  test('keeps to its conditions', async () => {
    const { etag, 'last-modified': modified } = (await head()).headers
    expect(await get({ 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await get({ 'if-match': '"0x8D0"' })).toMatchObject({ status: 412, code: 'ConditionNotMet' })
    expect(await get({ 'if-none-match': etag })).toMatchObject({ status: 304 })
    expect(await get({ 'if-unmodified-since': new Date(0).toUTCString() })).toMatchObject({ status: 412 })
    expect(await get({ 'if-modified-since': modified })).toMatchObject({ status: 304 })
  })
})

describe('what is kept of a blob', () => {
  const described = {
    'x-ms-blob-content-type': 'text/plain',
    'x-ms-blob-content-encoding': 'gzip',
    'x-ms-blob-content-language': 'en',
    'x-ms-blob-content-disposition': 'inline',
    'x-ms-blob-cache-control': 'no-cache',
    'x-ms-meta-MTime': '2026-11-23',
    'x-ms-access-tier': 'Cool',
    'x-ms-tags': 'a=b%20c&d=',
  }
  const expected = {
    'content-type': 'text/plain',
    'content-encoding': 'gzip',
    'content-language': 'en',
    'content-disposition': 'inline',
    'cache-control': 'no-cache',
    'x-ms-meta-mtime': '2026-11-23',
    'x-ms-access-tier': 'Cool',
    'x-ms-tag-count': '2',
  }

  test('comes with a commit, which has no MD5 of its own', async () => {
    await call(using.store, blockRequest(path, blockId(1), 'x'))
    await call(using.store, listRequest(path, [blockId(1)], described))
    const { headers } = await head()
    expect(headers).toMatchObject(expected)
    expect(headers['content-md5']).toBeUndefined()
  })

  test.each([
    ['a name with a dash', { 'x-ms-meta-a-b': '1' }, 'InvalidMetadata'],
    ['a name that begins with a digit', { 'x-ms-meta-1a': '1' }, 'InvalidMetadata'],
    ['no name', { 'x-ms-meta-': '1' }, 'EmptyMetadataKey'],
    ['more than 8 KiB of metadata', { 'x-ms-meta-a': 'x'.repeat(8192) }, 'MetadataTooLarge'],
    ['eleven tags', { 'x-ms-tags': Array.from({ length: 11 }, (_, i) => `k${i}=1`).join('&') }, 'InvalidTag'],
    ['a tag with a star', { 'x-ms-tags': 'a=*' }, 'InvalidTag'],
    ['a tier of its own', { 'x-ms-access-tier': 'Lukewarm' }, 'InvalidHeaderValue'],
    ['another type', { 'x-ms-blob-type': 'Blob' }, 'InvalidHeaderValue'],
  ])('%s is refused', async (_, headers, code) => {
    expect(await put('x', headers)).toMatchObject({ status: 400, code })
  })

  test('tags can be changed, which does not change the ETag', async () => {
    const { etag } = (await put()).headers
    const body = '<Tags><TagSet><Tag><Key>a</Key><Value>b &amp; c</Value></Tag></TagSet></Tags>'
    expect(await set('tags', {}, body)).toMatchObject({ status: 400, code: 'InvalidTag' })
    expect(await set('tags', {}, body.replace(' &amp; ', ' '))).toMatchObject({ status: 204 })
    expect((await get({}, { comp: 'tags' })).text).toContain('<Key>a</Key><Value>b c</Value>')
    expect((await head()).headers.etag).toBe(etag)
  })
})

describe('a write', () => {
  test('of a blob that is there keeps to its conditions', async () => {
    const { etag } = (await put()).headers
    expect(await put('x', { 'if-none-match': '*' })).toMatchObject({ status: 409, code: 'BlobAlreadyExists' })
    expect(await put('x', { 'if-match': '"0x8D0"' })).toMatchObject({ status: 412 })
    expect(await put('x', { 'if-match': etag })).toMatchObject({ status: 201 })
  })

  test('without a type is refused', async () => {
    expect(await call(using.store, { method: 'PUT', path, body: 'x' })).toMatchObject({ code: 'MissingRequiredHeader' })
  })

  test('needs the lease of a leased blob', async () => {
    await put()
    const id = '11111111-2222-3333-4444-555555555555'
    const lease = headers => set('lease', headers)
    expect(
      await lease({ 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1', 'x-ms-proposed-lease-id': id }),
    ).toMatchObject({ status: 201 })
    expect(await lease({ 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '15' })).toMatchObject({
      status: 409,
      code: 'LeaseAlreadyPresent',
    })
    expect(await put()).toMatchObject({ status: 412, code: 'LeaseIdMissing' })
    expect(await put('x', { 'x-ms-lease-id': id.replaceAll('1', '9') })).toMatchObject({
      code: 'LeaseIdMismatchWithBlobOperation',
    })
    expect(await call(using.store, blockRequest(path, blockId(1), 'x'))).toMatchObject({ code: 'LeaseIdMissing' })
    expect(await call(using.store, { method: 'DELETE', path })).toMatchObject({ code: 'LeaseIdMissing' })
    expect((await head()).headers).toMatchObject({ 'x-ms-lease-state': 'leased', 'x-ms-lease-status': 'locked' })
    expect(await put('x', { 'x-ms-lease-id': id })).toMatchObject({ status: 201 })
    expect(await lease({ 'x-ms-lease-action': 'release', 'x-ms-lease-id': id })).toMatchObject({ status: 200 })
    expect(await put('x', { 'x-ms-lease-id': id })).toMatchObject({ code: 'LeaseNotPresentWithBlobOperation' })
  })

  test('of an archived blob is refused, and so is reading it', async () => {
    await put('x', { 'x-ms-access-tier': 'Archive' })
    const archived = { status: 409, code: 'BlobArchived' }
    expect(await get()).toMatchObject(archived)
    expect(await put()).toMatchObject(archived)
    expect(await call(using.store, blockRequest(path, blockId(1), 'x'))).toMatchObject(archived)
    expect(await head()).toMatchObject({ status: 200, headers: { 'x-ms-access-tier': 'Archive' } })
  })

  test('leaves the tier of the blob that it replaces', async () => {
    await put('x', { 'x-ms-access-tier': 'Cool' })
    await put('y')
    expect((await head()).headers).toMatchObject({ 'x-ms-access-tier': 'Cool' })
  })

  test('of blocks to an append blob is refused', async () => {
    expect(await put('', { 'x-ms-blob-type': 'AppendBlob' })).toMatchObject({ status: 201 })
    expect(await set('appendblock', {}, 'abc')).toMatchObject({ status: 201 })
    expect(await get()).toMatchObject({ text: 'abc', headers: { 'x-ms-blob-type': 'AppendBlob' } })
    expect(await call(using.store, blockRequest(path, blockId(1), 'x'))).toMatchObject({
      status: 409,
      code: 'InvalidBlobType',
    })
  })
})

describe('versions', () => {
  test('a deleted blob can be read by its version', async () => {
    const store = await startAzureStore({ containers: ['photos'], versioning: true })
    try {
      const { headers } = await call(store, putRequest('/photos/a', 'first'))
      await call(store, { method: 'DELETE', path: '/photos/a' })
      expect(await call(store, { path: '/photos/a' })).toMatchObject({ status: 404, code: 'BlobNotFound' })
      const query = { versionid: headers['x-ms-version-id'] }
      expect(await call(store, { path: '/photos/a', query })).toMatchObject({ status: 200, text: 'first' })
    } finally {
      await store.close()
    }
  })
})

describe('a hierarchical namespace', () => {
  let store
  beforeAll(async () => {
    store = await startAzureStore({ containers: ['photos'], hierarchical: true })
    await call(store, putRequest('/photos/2026/trip/a.jpg', 'x'))
  })
  afterAll(() => store?.close())
  const list = query => call(store, { path: '/photos', query: { restype: 'container', comp: 'list', ...query } })

  test('has directories, which are blobs with a mark', async () => {
    const { text } = await list({ include: 'metadata' })
    expect([...text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name)).toEqual([
      '2026',
      '2026/trip',
      '2026/trip/a.jpg',
    ])
    expect(text.match(/<hdi_isfolder>true<\/hdi_isfolder>/g)).toHaveLength(2)
    expect((await list({ delimiter: '/' })).text).toContain(
      '<Blobs><BlobPrefix><Name>2026/</Name></BlobPrefix></Blobs>',
    )
  })

  test('refuses tags', async () => {
    const answer = await call(store, putRequest('/photos/tagged', 'x', { 'x-ms-tags': 'a=b' }))
    expect(answer).toMatchObject({ status: 409, code: 'FeatureNotYetSupportedForHierarchicalNamespaceAccounts' })
  })

  test('has no blob where a directory is, and none below a blob', async () => {
    expect(await call(store, putRequest('/photos/2026', 'x'))).toMatchObject({
      status: 409,
      code: 'ResourceTypeMismatch',
    })
    expect(await call(store, putRequest('/photos/2026/trip/a.jpg/b', 'x'))).toMatchObject({
      code: 'ResourceTypeMismatch',
    })
  })
})
