'use strict'

const crypto = require('node:crypto')
const s3 = require('@aws-sdk/client-s3')
const { call, clientOf, useStore } = require('./support')

const using = useStore({ buckets: ['first', 'second'], minPartBytes: 10, synthetic: { 'made/object': 1_000_000 } })
const text = 'abcdefghij'
const md5 = body => `"${crypto.createHash('md5').update(body).digest('hex')}"`
const run = (Command, input, client = using.client) => client.send(new Command(input))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error,
  )
const source = { Bucket: 'first', Key: 'source' }
const copy = (input = {}, client = using.client) =>
  run(s3.CopyObjectCommand, { Bucket: 'second', Key: 'copy', CopySource: 'first/source', ...input }, client)
const read = async (Key = 'copy', Bucket = 'second') => {
  const got = await run(s3.GetObjectCommand, { Bucket, Key })
  return { ...got, text: await got.Body.transformToString() }
}
const rich = {
  ContentType: 'text/plain',
  CacheControl: 'max-age=1',
  Metadata: { a: '1' },
  Tagging: 't=1&u=2',
  StorageClass: 'STANDARD_IA',
  WebsiteRedirectLocation: '/elsewhere',
}

beforeEach(async () => {
  await run(s3.PutObjectCommand, { ...source, Body: text, ...rich })
  await run(s3.DeleteObjectCommand, { Bucket: 'second', Key: 'copy' })
})

test('a copy has the bytes, the ETag, the content headers, the metadata and the tags of its source', async () => {
  const answer = await copy()
  expect(answer.CopyObjectResult).toMatchObject({ ETag: md5(text), LastModified: expect.any(Date) })
  const found = await read()
  expect(found).toMatchObject({
    text,
    ETag: md5(text),
    ContentType: 'text/plain',
    CacheControl: 'max-age=1',
    TagCount: 2,
  })
  expect(found.Metadata).toEqual({ a: '1' })
  // These are told for each object, or are the usual ones.
  expect([found.StorageClass, found.WebsiteRedirectLocation]).toEqual([undefined, undefined])
  expect(using.store.requests).toMatchObject({ CopyObject: 1 })
})

test('what a copy is to have may be told anew', async () => {
  await copy({
    MetadataDirective: 'REPLACE',
    ContentType: 'a/b',
    Metadata: { z: '9' },
    TaggingDirective: 'REPLACE',
    Tagging: 'v=3',
    StorageClass: 'GLACIER_IR',
    ServerSideEncryption: 'AES256',
    WebsiteRedirectLocation: '/there',
  })
  const found = await read()
  expect(found.CacheControl).toBeUndefined()
  expect(found).toMatchObject({
    ContentType: 'a/b',
    Metadata: { z: '9' },
    StorageClass: 'GLACIER_IR',
    ServerSideEncryption: 'AES256',
    WebsiteRedirectLocation: '/there',
  })
  const { TagSet } = await run(s3.GetObjectTaggingCommand, { Bucket: 'second', Key: 'copy' })
  expect(TagSet).toEqual([{ Key: 'v', Value: '3' }])
})

test.each([
  ['first/source', 200],
  ['/first/source', 200],
  ['first%2Fsource', 200],
  ['first/so%75rce', 200],
  ['first/plus%2Bblank%20%25', 200],
  ['first/plus%2Bblank+%25', 200],
  ['first/plus+blank+%25', 404],
  ['first//leading', 200],
  ['first/%E6%97%A5', 200],
  ['first/none', 404],
  ['none/source', 404],
  ['first', 400],
  ['first/', 400],
  ['/source', 400],
  ['first/%E6%97', 400],
])('the source %s is answered %i', async (from, status) => {
  for (const Key of ['plus+blank %', '/leading', '日']) await run(s3.PutObjectCommand, { ...source, Key, Body: text })
  const headers = { 'x-amz-copy-source': from, 'content-length': '0' }
  expect(await call(using.store, { method: 'PUT', path: '/second/copy', headers })).toMatchObject({ status })
})

const past = new Date(Date.now() - 3_600_000).toUTCString()
const future = new Date(Date.now() + 3_600_000).toUTCString()
test.each([
  [{ 'if-match': md5(text) }, 200],
  [{ 'if-match': '"x"' }, 412],
  [{ 'if-none-match': '"x"' }, 200],
  [{ 'if-none-match': md5(text) }, 412],
  [{ 'if-modified-since': past }, 200],
  [{ 'if-modified-since': future }, 412],
  [{ 'if-unmodified-since': future }, 200],
  [{ 'if-unmodified-since': past }, 412],
  [{ 'if-match': md5(text), 'if-unmodified-since': past }, 200],
  [{ 'if-none-match': md5(text), 'if-modified-since': past }, 412],
])('a source under %j is answered %i', async (conditions, status) => {
  const named = Object.entries(conditions).map(([name, value]) => [`x-amz-copy-source-${name}`, value])
  const headers = { 'x-amz-copy-source': 'first/source', 'content-length': '0', ...Object.fromEntries(named) }
  const answer = await call(using.store, { method: 'PUT', path: '/second/copy', headers })
  expect(answer).toMatchObject({ status, code: status === 200 ? undefined : 'PreconditionFailed' })
})

test('the destination may be conditional', async () => {
  await copy({ IfNoneMatch: '*' })
  expect((await failure(copy({ IfNoneMatch: '*' }))).name).toBe('PreconditionFailed')
  expect((await failure(copy({ IfMatch: '"x"' }))).name).toBe('PreconditionFailed')
  await copy({ IfMatch: md5(text) })
  expect((await failure(copy({ Key: 'none', IfMatch: md5(text) }))).name).toBe('NoSuchKey')
})

describe('who copies', () => {
  let accounts = 0
  const tagless = ['s3:GetObject', 's3:PutObject', 's3:ListBucket']
  test.each([
    ['may do all', {}, {}, undefined],
    ['may not read', { actions: ['s3:PutObject', 's3:ListBucket'] }, {}, 'AccessDenied'],
    ['may not write', { actions: ['s3:GetObject', 's3:ListBucket'] }, {}, 'AccessDenied'],
    ['may not touch the source bucket', { buckets: ['second'] }, {}, 'AccessDenied'],
    ['may not touch the other bucket', { buckets: ['first'] }, {}, 'AccessDenied'],
    ['may not read or write the tags that are copied', { actions: tagless }, {}, 'AccessDenied'],
    ['writes none of them', { actions: tagless }, { TaggingDirective: 'REPLACE' }, undefined],
    ['writes others', { actions: tagless }, { TaggingDirective: 'REPLACE', Tagging: 'a=b' }, 'AccessDenied'],
    ['may read and write tags', { actions: [...tagless, 's3:GetObjectTagging', 's3:PutObjectTagging'] }, {}, undefined],
  ])('%s', async (name, rights, input, code) => {
    const credentials = { accessKeyId: `AKIA${++accounts}`, secretAccessKey: name }
    using.store.addAccount({ ...credentials, ...rights })
    const client = clientOf(using.store, { credentials })
    expect((await failure(copy(input, client)))?.name).toBe(code)
    client.destroy()
  })
})

test.each([
  [{ MetadataDirective: 'MOVE' }, 'InvalidArgument'],
  [{ TaggingDirective: 'MOVE' }, 'InvalidArgument'],
  [{ StorageClass: 'CHEAP' }, 'InvalidStorageClass'],
  [{ ChecksumAlgorithm: 'MD4' }, 'InvalidRequest'],
  [{ Bucket: 'nowhere' }, 'NoSuchBucket'],
])('%j is refused with %s', async (input, code) => {
  expect((await failure(copy(input))).name).toBe(code)
})
