'use strict'

const fc = require('fast-check')
const s3 = require('@aws-sdk/client-s3')
const { compareUtf8 } = require('../../../sandbox/common/utf8')
const { pageOf } = require('../../../sandbox/store/listing')
const { call, useStore } = require('./support')

const using = useStore({ buckets: ['first', 'dotted.bucket.name'] })
// In the order of UTF-8: U+FF5E stands before the emoji, though its UTF-16 unit is the greater one.
const KEYS = [' ', 'a&b', 'a+b', 'dir/1', 'dir/2', 'dir/sub/3', 'dir0', 'z', 'ä', '～', '🦊', '🦊/x']

beforeAll(async () => {
  for (const Key of [...KEYS].reverse())
    await using.client.send(new s3.PutObjectCommand({ Bucket: 'first', Key, Body: Key }))
})

async function pages(input, pageSize = 2) {
  const found = []
  const config = { client: using.client, pageSize }
  for await (const page of s3.paginateListObjectsV2(config, { Bucket: 'first', ...input })) {
    found.push({
      keys: (page.Contents ?? []).map(({ Key }) => Key),
      prefixes: (page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
    })
  }
  return found
}

test.each([1, 2, 5, 11, 12, 1000])('all keys come in the order of their bytes, %i a page', async size => {
  const found = await pages({}, size)
  expect(found.flatMap(({ keys }) => keys)).toEqual(KEYS)
  expect(found.length).toBe(Math.max(1, Math.ceil(KEYS.length / size)))
})

test.each([1, 2, 3, 100])('prefixes are rolled up once, %i a page', async size => {
  const found = await pages({ Delimiter: '/' }, size)
  expect(found.flatMap(({ prefixes }) => prefixes)).toEqual(['dir/', '🦊/'])
  expect(found.flatMap(({ keys }) => keys)).toEqual(KEYS.filter(key => !key.includes('/')))
  const below = await pages({ Delimiter: '/', Prefix: 'dir/' }, size)
  expect(below.flatMap(({ prefixes }) => prefixes)).toEqual(['dir/sub/'])
  expect(below.flatMap(({ keys }) => keys)).toEqual(['dir/1', 'dir/2'])
})

test('names can be asked for URL-encoded', async () => {
  const list = await call(using.store, {
    path: '/first',
    query: { 'list-type': '2', 'encoding-type': 'url', prefix: 'a', delimiter: '+' },
  })
  expect(list.text).toContain('<Key>a%26b</Key>')
  expect(list.text).toContain('<CommonPrefixes><Prefix>a%2B</Prefix></CommonPrefixes>')
  expect(list.text).toContain('<EncodingType>url</EncodingType>')
})

test.each([
  [{ 'list-type': '2', 'max-keys': 'x' }, 400, 'InvalidArgument'],
  [{ 'list-type': '2', 'encoding-type': 'x' }, 400, 'InvalidArgument'],
  [{ 'list-type': '2', 'continuation-token': 'x' }, 400, 'InvalidArgument'],
])('listing with %j is refused', async (query, status, code) => {
  expect(await call(using.store, { path: '/first', query })).toMatchObject({ status, code })
})

const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'ä', '～', '🦊'), minLength: 1, maxLength: 5 })

test('pages put together are the whole listing, however they are cut', () => {
  const options = fc.record({
    prefix: fc.constantFrom('', 'a', 'a/'),
    delimiter: fc.constantFrom('', '/', 'b/'),
    max: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(fc.uniqueArray(key), options, (unsorted, query) => {
      const keys = [...unsorted].sort(compareUtf8)
      const all = pageOf(keys, { ...query, after: '', max: Infinity })
      const inPages = { keys: [], prefixes: [] }
      let after = ''
      for (let i = 0; i < 100; i++) {
        const page = pageOf(keys, { ...query, after })
        inPages.keys.push(...page.keys)
        inPages.prefixes.push(...page.prefixes)
        if (!page.truncated) break
        after = page.last
      }
      expect(inPages).toEqual({ keys: all.keys, prefixes: all.prefixes })
      expect(new Set(all.prefixes).size).toBe(all.prefixes.length)
      const covered = keys.filter(one => all.keys.includes(one) || all.prefixes.some(prefix => one.startsWith(prefix)))
      expect(covered).toEqual(keys.filter(one => one.startsWith(query.prefix)))
    }),
  )
})

describe('buckets', () => {
  const run = (Command, input) => using.client.send(new Command(input))
  const failure = promise =>
    promise.then(
      () => undefined,
      error => error.name,
    )

  test('are made, found, listed and deleted', async () => {
    const Bucket = 'made.here'
    await run(s3.CreateBucketCommand, { Bucket })
    // In us-east-1 alone it is as if it had been made again.
    expect(await failure(run(s3.CreateBucketCommand, { Bucket }))).toBeUndefined()
    const named = { CreateBucketConfiguration: { LocationConstraint: 'us-east-1' } }
    expect(await failure(run(s3.CreateBucketCommand, { Bucket, ...named }))).toBe('InvalidLocationConstraint')
    expect((await run(s3.HeadBucketCommand, { Bucket })).BucketRegion).toBe('us-east-1')
    expect((await run(s3.GetBucketLocationCommand, { Bucket })).LocationConstraint).toBeUndefined()
    await run(s3.PutObjectCommand, { Bucket, Key: 'k', Body: 'x' })
    expect(await failure(run(s3.DeleteBucketCommand, { Bucket }))).toBe('BucketNotEmpty')
    await run(s3.DeleteObjectCommand, { Bucket, Key: 'k' })
    await run(s3.CreateMultipartUploadCommand, { Bucket, Key: 'k' })
    await run(s3.DeleteBucketCommand, { Bucket })
    expect(await failure(run(s3.HeadBucketCommand, { Bucket }))).toBe('NotFound')
    expect(await failure(run(s3.ListObjectsV2Command, { Bucket }))).toBe('NoSuchBucket')
    const page = await run(s3.ListBucketsCommand, { MaxBuckets: 1 })
    expect(page).toMatchObject({ Buckets: [{ Name: 'dotted.bucket.name' }], ContinuationToken: expect.any(String) })
    const rest = await run(s3.ListBucketsCommand, { MaxBuckets: 1, ContinuationToken: page.ContinuationToken })
    expect(rest).toMatchObject({ Buckets: [{ Name: 'first' }] })
    expect(rest.ContinuationToken).toBeUndefined()
    const { Buckets } = await run(s3.ListBucketsCommand, {})
    expect(Buckets.map(({ Name }) => Name)).toEqual(['dotted.bucket.name', 'first'])
  })

  test.each(['ab', 'Upper', 'a..b', '-ab', '1.2.3.4', 'under_score', 'x'.repeat(64)])(
    'cannot be called %s',
    async name => {
      const answer = await call(using.store, {
        method: 'PUT',
        path: `/${name}`,
        body: '',
        headers: { 'content-length': '0' },
      })
      expect(answer).toMatchObject({ status: 400, code: 'InvalidBucketName' })
    },
  )

  test.each([
    ['versioning', 200, undefined],
    ['acl', 200, undefined],
    ['requestPayment', 200, undefined],
    ['policy', 404, 'NoSuchBucketPolicy'],
    ['object-lock', 404, 'ObjectLockConfigurationNotFoundError'],
    ['encryption', 404, 'ServerSideEncryptionConfigurationNotFoundError'],
    ['versions', 501, 'NotImplemented'],
  ])('answer ?%s with %i', async (name, status, code) => {
    expect(await call(using.store, { path: '/first', query: { [name]: '' } })).toMatchObject({ status, code })
  })
})
