'use strict'

const s3 = require('@aws-sdk/client-s3')
const { call, clientOf, useStore } = require('./support')

const using = useStore({ buckets: [{ name: 'kept', versions: true }, 'plain'], minPartBytes: 1 })
const where = { Bucket: 'kept', Key: 'key' }
const run = (Command, input, client = using.client) => client.send(new Command({ ...where, ...input }))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error,
  )
const put = async (Body, input = {}) => (await run(s3.PutObjectCommand, { Body, ...input })).VersionId
const read = async (VersionId, input = {}) =>
  (await run(s3.GetObjectCommand, { VersionId, ...input })).Body.transformToString()
const listed = async () => {
  const { Contents = [] } = await using.client.send(new s3.ListObjectsV2Command({ Bucket: 'kept' }))
  return Contents.map(({ Key }) => Key)
}

test('every version of a key is there, and the newest one without a name', async () => {
  const [one, two] = [await put('one'), await put('two')]
  expect(one).not.toBe(two)
  expect([await read(), await read(one), await read(two)]).toEqual(['two', 'one', 'two'])
  expect(await run(s3.HeadObjectCommand)).toMatchObject({ VersionId: two })
  expect(await run(s3.HeadObjectCommand, { VersionId: one })).toMatchObject({ VersionId: one, ContentLength: 3 })
})

test('what is deleted is not listed and not found, and its versions stay', async () => {
  const one = await put('one')
  const deleted = await run(s3.DeleteObjectCommand)
  expect(deleted).toMatchObject({ DeleteMarker: true, VersionId: expect.any(String) })
  expect(await listed()).not.toContain('key')
  const missing = await call(using.store, { path: '/kept/key' })
  expect(missing).toMatchObject({ status: 404, code: 'NoSuchKey', headers: { 'x-amz-delete-marker': 'true' } })
  expect(await read(one)).toBe('one')
  const marker = await call(using.store, { path: '/kept/key', query: { versionId: deleted.VersionId } })
  expect(marker).toMatchObject({ status: 405, headers: { 'x-amz-delete-marker': 'true' } })

  // Without the marker it is there again.
  expect(await run(s3.DeleteObjectCommand, { VersionId: deleted.VersionId })).toMatchObject({ DeleteMarker: true })
  expect([await read(), await listed()]).toEqual(['one', ['key']])
})

test('a version that is deleted is gone for good, and the one before it shows', async () => {
  const [one, two] = [await put('one'), await put('two')]
  await run(s3.DeleteObjectCommand, { VersionId: two })
  expect(await read()).toBe('one')
  expect((await failure(read(two))).name).toBe('NoSuchVersion')
  expect((await failure(read('nonsense'))).name).toBe('InvalidArgument')
  expect(await read(one)).toBe('one')
})

test('uploads and copies make versions, and a version can be copied', async () => {
  const [one, two] = [await put('one'), await put('two')]
  const { UploadId } = await run(s3.CreateMultipartUploadCommand)
  const CopySource = `kept/key?versionId=${one}`
  const part = await run(s3.UploadPartCopyCommand, { UploadId, PartNumber: 1, CopySource })
  expect(part.CopySourceVersionId).toBe(one)
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part.CopyPartResult.ETag }] }
  const done = await run(s3.CompleteMultipartUploadCommand, { UploadId, MultipartUpload })
  expect([done.VersionId !== undefined, await read(done.VersionId), await read(two)]).toEqual([true, 'one', 'two'])

  // An older version becomes the current one.
  const copied = await run(s3.CopyObjectCommand, { CopySource: `kept/key?versionId=${two}` })
  expect(copied).toMatchObject({ CopySourceVersionId: two, VersionId: expect.any(String) })
  expect([await read(), await read(two)]).toEqual(['two', 'two'])
  await run(s3.CopyObjectCommand, { Bucket: 'plain', CopySource })
  const { VersionId, ContentLength } = await run(s3.HeadObjectCommand, { Bucket: 'plain' })
  expect([VersionId, ContentLength]).toEqual([undefined, 3])
})

test('who may read objects may not read versions without being allowed to', async () => {
  const one = await put('one')
  const rights = ['s3:GetObject', 's3:ListBucket']
  const credentials = { accessKeyId: 'AKIANOW', secretAccessKey: 'now' }
  using.store.addAccount({ ...credentials, actions: rights })
  const client = clientOf(using.store, { credentials })
  await run(s3.HeadObjectCommand, {}, client)
  expect((await failure(run(s3.GetObjectCommand, { VersionId: one }, client))).name).toBe('AccessDenied')
  client.destroy()
})
