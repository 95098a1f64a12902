'use strict'

const crypto = require('node:crypto')
const zlib = require('node:zlib')
const s3 = require('@aws-sdk/client-s3')
const { startStore } = require('../../../sandbox/store')
const { call, clientOf, nextEvent, useStore } = require('./support')

const MIN = 1000
const using = useStore({ buckets: ['first'], minPartBytes: MIN, pageSize: 3 })
const where = { Bucket: 'first', Key: 'dir/key' }
const bodies = [Buffer.alloc(MIN, 'a'), Buffer.alloc(MIN + 7, 'b'), Buffer.from('c')]
const whole = Buffer.concat(bodies)
const crc32 = bytes => {
  const value = Buffer.alloc(4)
  value.writeUInt32BE(zlib.crc32(bytes))
  return value.toString('base64')
}
const md5 = bytes => crypto.createHash('md5').update(bytes).digest()
const run = (Command, input, { client } = using) => client.send(new Command({ ...where, ...input }))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error,
  )

async function upload(create = {}, { client } = using, numbers = [1, 2, 3]) {
  const { UploadId } = await run(s3.CreateMultipartUploadCommand, create, { client })
  const parts = []
  for (const [index, Body] of bodies.entries()) {
    const checksum = create.ChecksumAlgorithm && { ChecksumCRC32: crc32(Body) }
    const part = { UploadId, PartNumber: numbers[index], ...checksum }
    const { ETag } = await run(s3.UploadPartCommand, { ...part, Body }, { client })
    parts.push({ PartNumber: numbers[index], ETag, ...checksum })
  }
  return { UploadId, parts }
}
const complete = ({ UploadId, parts }, more = {}, context = using) =>
  run(s3.CompleteMultipartUploadCommand, { UploadId, MultipartUpload: { Parts: parts }, ...more }, context)
const plain = () => ({ client: clientOf(using.store, { requestChecksumCalculation: 'WHEN_REQUIRED' }) })

beforeEach(async () => {
  await run(s3.DeleteObjectCommand)
  const { Uploads = [] } = await using.client.send(new s3.ListMultipartUploadsCommand({ Bucket: 'first' }))
  for (const { Key, UploadId } of Uploads) await run(s3.AbortMultipartUploadCommand, { Key, UploadId })
})

test('parts become an object, with the ETag of parts', async () => {
  const context = plain()
  const ready = await upload({ ContentType: 'a/b', Metadata: { m: '1' }, Tagging: 't=1' }, context)
  expect((await failure(run(s3.GetObjectCommand))).name).toBe('NoSuchKey')
  const answer = await complete(ready, {}, context)
  const etag = `"${md5(Buffer.concat(bodies.map(md5))).toString('hex')}-3"`
  expect(answer).toMatchObject({ ...where, ETag: etag })
  const got = await run(s3.GetObjectCommand)
  expect(Buffer.from(await got.Body.transformToByteArray()).equals(whole)).toBe(true)
  expect(got).toMatchObject({ ETag: etag, ContentType: 'a/b', Metadata: { m: '1' }, TagCount: 1 })
  expect((await failure(run(s3.ListPartsCommand, { UploadId: ready.UploadId }))).name).toBe('NoSuchUpload')
  context.client.destroy()
})

test('a completed upload answers the same again', async () => {
  const ready = await upload()
  const [once, twice] = [await complete(ready), await complete(ready)]
  expect(twice.ETag).toBe(once.ETag)
})

test('a completed upload is gone where the store remembers none', async () => {
  const store = await startStore({ buckets: ['first'], rememberCompletions: false, minPartBytes: 1 })
  const client = clientOf(store)
  const ready = await upload({}, { client })
  await complete(ready, {}, { client })
  expect((await failure(complete(ready, {}, { client }))).name).toBe('NoSuchUpload')
  client.destroy()
  await store.close()
})

test('a condition that does not hold is said before an upload that is not there', async () => {
  const none = { UploadId: 'none', parts: [{ PartNumber: 1, ETag: '"x"' }] }
  expect((await failure(complete(none, { IfNoneMatch: '*' }))).name).toBe('NoSuchUpload')
  await complete(await upload())
  expect((await failure(complete(none, { IfNoneMatch: '*' }))).name).toBe('PreconditionFailed')
  expect((await failure(complete(none, { IfMatch: '"x"' }))).name).toBe('PreconditionFailed')
})

test('ranges run across parts, and part numbers name them', async () => {
  await complete(await upload({}, using, [1, 5, 9]))
  const range = await run(s3.GetObjectCommand, { Range: `bytes=${MIN - 1}-${2 * MIN + 7}` })
  expect(await range.Body.transformToString()).toBe(`a${'b'.repeat(MIN + 7)}c`)
  const second = await run(s3.GetObjectCommand, { PartNumber: 2 })
  expect(second).toMatchObject({ PartsCount: 3, ContentRange: `bytes ${MIN}-${2 * MIN + 6}/${2 * MIN + 8}` })
  expect(second.$metadata.httpStatusCode).toBe(206)
  expect(await second.Body.transformToString()).toBe('b'.repeat(MIN + 7))
  const head = await run(s3.HeadObjectCommand, { PartNumber: 1 })
  expect(head).toMatchObject({ PartsCount: 3, ContentLength: MIN })
  const path = '/first/dir/key'
  expect(await call(using.store, { path, query: { partNumber: '4' } })).toMatchObject({
    status: 416,
    code: 'InvalidPartNumber',
  })
  expect(await call(using.store, { path, query: { partNumber: '0' } })).toMatchObject({
    status: 400,
    code: 'InvalidArgument',
  })
  const both = { path, query: { partNumber: '1' }, headers: { range: 'bytes=0-1' } }
  expect(await call(using.store, both)).toMatchObject({ status: 400, code: 'InvalidRequest' })
})

describe('a completion is refused', () => {
  test.each([
    ['in the wrong order', parts => [parts[1], parts[0]], 'InvalidPartOrder'],
    ['with a part twice', parts => [parts[0], parts[0]], 'InvalidPartOrder'],
    ['with a wrong ETag', parts => [{ ...parts[0], ETag: parts[1].ETag }], 'InvalidPart'],
    ['with an empty ETag', parts => [{ ...parts[0], ETag: '' }], 'InvalidPart'],
    ['with a part that was never uploaded', parts => [...parts, { ...parts[2], PartNumber: 4 }], 'InvalidPart'],
    [
      'with a wrong checksum of a part',
      parts => [{ ...parts[0], ChecksumCRC32: parts[1].ChecksumCRC32 }],
      'InvalidPart',
    ],
    ['without parts', () => [], 'MalformedXML'],
  ])('%s', async (_, change, code) => {
    const ready = await upload({ ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' })
    const error = await failure(complete({ ...ready, parts: change(ready.parts) }))
    expect(error?.name).toBe(code)
    expect((await failure(run(s3.HeadObjectCommand))).name).toBe('NotFound')
    await complete(ready)
  })

  test('with a small part in front, telling which', async () => {
    const { UploadId, parts } = await upload({}, using, [2, 3, 1])
    const error = await failure(complete({ UploadId, parts: [parts[2], parts[0]] }))
    expect(error).toMatchObject({
      name: 'EntityTooSmall',
      ProposedSize: '1',
      MinSizeAllowed: String(MIN),
      PartNumber: '1',
    })
  })

  test('for a wrong size of the object', async () => {
    const ready = await upload()
    const error = await failure(complete(ready, { MpuObjectSize: whole.length + 1 }))
    expect(error.name).toBe('InvalidRequest')
    await complete(ready, { MpuObjectSize: whole.length })
  })

  test('where the object exists and must not, but only then', async () => {
    const ready = await upload()
    await run(s3.PutObjectCommand, { Body: 'x' })
    expect((await failure(complete(ready, { IfNoneMatch: '*' }))).name).toBe('PreconditionFailed')
    expect((await failure(complete(ready, { IfMatch: '"x"' }))).name).toBe('PreconditionFailed')
    await run(s3.DeleteObjectCommand)
    expect((await failure(complete(ready, { IfMatch: '"x"' }))).name).toBe('NoSuchKey')
    await complete(ready, { IfNoneMatch: '*' })
  })

  test('with a body that is no such XML', async () => {
    const { UploadId } = await upload()
    const request = { method: 'POST', path: '/first/dir/key', query: { uploadId: UploadId } }
    for (const body of [
      '',
      'x',
      '<Other/>',
      '<CompleteMultipartUpload><Part><PartNumber>a</PartNumber></Part></CompleteMultipartUpload>',
    ]) {
      const answer = await call(using.store, { ...request, body, headers: { 'content-length': String(body.length) } })
      expect(answer).toMatchObject({ status: 400, code: 'MalformedXML' })
    }
  })
})

describe('checksums', () => {
  const full = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }

  test('of a full object combine, and are told by HEAD', async () => {
    const created = await run(s3.CreateMultipartUploadCommand, full)
    expect(created).toMatchObject(full)
    const ready = await upload(full)
    const answer = await complete(ready, { ChecksumCRC32: crc32(whole), ChecksumType: 'FULL_OBJECT' })
    expect(answer).toMatchObject({ ChecksumCRC32: crc32(whole), ChecksumType: 'FULL_OBJECT' })
    const head = await run(s3.HeadObjectCommand, { ChecksumMode: 'ENABLED' })
    expect(head).toMatchObject({ ChecksumCRC32: crc32(whole), ChecksumType: 'FULL_OBJECT' })
    const part = await run(s3.HeadObjectCommand, { ChecksumMode: 'ENABLED', PartNumber: 2 })
    expect(part.ChecksumCRC32).toBe(crc32(bodies[1]))
  })

  test('of a full object are refused when they are another one’s', async () => {
    const ready = await upload(full)
    const error = await failure(complete(ready, { ChecksumCRC32: crc32(bodies[0]), ChecksumType: 'FULL_OBJECT' }))
    expect(error.name).toBe('BadDigest')
    const other = await failure(complete(ready, { ChecksumType: 'COMPOSITE' }))
    expect(other.name).toBe('InvalidRequest')
  })

  test('of a full object need not come with every part, unless the store is like MinIO', async () => {
    const context = plain()
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, full, context)
    const { ETag } = await run(s3.UploadPartCommand, { UploadId, PartNumber: 1, Body: bodies[0] }, context)
    const answer = await complete({ UploadId, parts: [{ PartNumber: 1, ETag }] }, {}, context)
    expect(answer.ChecksumCRC32).toBe(crc32(bodies[0]))
    context.client.destroy()

    const strict = await startStore({ buckets: ['first'], requirePartChecksums: true })
    const client = clientOf(strict, { requestChecksumCalculation: 'WHEN_REQUIRED' })
    const created = await run(s3.CreateMultipartUploadCommand, full, { client })
    const error = await failure(
      run(s3.UploadPartCommand, { UploadId: created.UploadId, PartNumber: 1, Body: 'x' }, { client }),
    )
    expect(error.name).toBe('InvalidRequest')
    client.destroy()
    await strict.close()
  })

  test('that are composite count their parts, and must come with each', async () => {
    const ready = await upload({ ChecksumAlgorithm: 'CRC32' })
    const without = ready.parts.map(({ ChecksumCRC32, ...part }) => part)
    expect((await failure(complete({ ...ready, parts: without }))).name).toBe('InvalidRequest')
    const answer = await complete(ready)
    const composite = crc32(Buffer.concat(bodies.map(body => Buffer.from(crc32(body), 'base64'))))
    expect(answer).toMatchObject({ ChecksumCRC32: `${composite}-3`, ChecksumType: 'COMPOSITE' })
  })

  test('must be of the upload’s kind', async () => {
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, full)
    const part = { UploadId, PartNumber: 1, Body: 'x', ChecksumAlgorithm: 'SHA256' }
    expect((await failure(run(s3.UploadPartCommand, part))).name).toBe('InvalidRequest')
    const sha = { ChecksumAlgorithm: 'SHA256', ChecksumType: 'FULL_OBJECT' }
    expect((await failure(run(s3.CreateMultipartUploadCommand, sha))).name).toBe('InvalidRequest')
  })

  test('are unknown to an old store', async () => {
    const store = await startStore({ buckets: ['first'], checksums: false, minPartBytes: 1 })
    const client = clientOf(store, { requestChecksumCalculation: 'WHEN_REQUIRED' })
    const created = await run(s3.CreateMultipartUploadCommand, full, { client })
    expect([created.ChecksumAlgorithm, created.ChecksumType]).toEqual([undefined, undefined])
    const ready = await upload({}, { client })
    const answer = await complete(ready, { ChecksumCRC32: crc32(bodies[0]), ChecksumType: 'FULL_OBJECT' }, { client })
    expect(answer.ChecksumCRC32).toBeUndefined()
    client.destroy()
    await store.close()
  })
})

test('a part uploaded again takes the place of the first', async () => {
  const { UploadId, parts } = await upload()
  const { ETag } = await run(s3.UploadPartCommand, { UploadId, PartNumber: 1, Body: Buffer.alloc(MIN, 'z') })
  expect((await failure(complete({ UploadId, parts }))).name).toBe('InvalidPart')
  await complete({ UploadId, parts: [{ ...parts[0], ETag }, ...parts.slice(1)] })
  expect(await (await run(s3.GetObjectCommand, { Range: 'bytes=0-0' })).Body.transformToString()).toBe('z')
})

test.each(['0', '10001', 'x', ''])('part number %j is refused', async partNumber => {
  const { UploadId } = await run(s3.CreateMultipartUploadCommand)
  const request = { method: 'PUT', path: '/first/dir/key', query: { partNumber, uploadId: UploadId }, body: 'x' }
  expect(await call(using.store, request)).toMatchObject({ status: 400, code: 'InvalidArgument' })
})

test('an aborted upload is gone, and a part still on its way does not land', async () => {
  const { UploadId } = await upload()
  using.store.faults.add({ operation: 'UploadPart', partNumber: 4, bytesPerSecond: 1_000_000 })
  const begun = nextEvent(using.store, 'begin', event => event.partNumber === 4)
  const late = failure(run(s3.UploadPartCommand, { UploadId, PartNumber: 4, Body: Buffer.alloc(300_000) }))
  await begun
  await run(s3.AbortMultipartUploadCommand, { UploadId })
  expect((await late).name).toBe('NoSuchUpload')
  expect((await failure(run(s3.AbortMultipartUploadCommand, { UploadId }))).name).toBe('NoSuchUpload')
  expect((await failure(run(s3.UploadPartCommand, { UploadId, PartNumber: 1, Body: 'x' }))).name).toBe('NoSuchUpload')
})

test('an upload belongs to its key', async () => {
  const { UploadId } = await upload()
  expect((await failure(run(s3.ListPartsCommand, { UploadId, Key: 'other' }))).name).toBe('NoSuchUpload')
})

test('parts are listed in pages', async () => {
  const { UploadId } = await run(s3.CreateMultipartUploadCommand, {
    ChecksumAlgorithm: 'CRC32',
    ChecksumType: 'FULL_OBJECT',
  })
  for (const PartNumber of [9, 2, 10_000, 1, 30])
    await run(s3.UploadPartCommand, { UploadId, PartNumber, Body: 'x', ChecksumAlgorithm: 'CRC32' })
  const pages = []
  // By hand: the SDK's paginator starts over at the end, for S3 always tells a next marker.
  for (let marker = '0', more = true; more; marker = pages.at(-1).NextPartNumberMarker) {
    pages.push(await run(s3.ListPartsCommand, { UploadId, MaxParts: 2, PartNumberMarker: marker }))
    more = pages.at(-1).IsTruncated
  }
  expect(pages.map(({ Parts }) => Parts.map(({ PartNumber }) => PartNumber))).toEqual([[1, 2], [9, 30], [10_000]])
  expect(pages.map(({ IsTruncated }) => IsTruncated)).toEqual([true, true, false])
  expect(pages[0]).toMatchObject({ ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' })
  expect(pages[0].Parts[0]).toMatchObject({ ETag: `"${md5('x').toString('hex')}"`, Size: 1, ChecksumCRC32: crc32('x') })
  const capped = await run(s3.ListPartsCommand, { UploadId, MaxParts: 1000 })
  expect([capped.Parts.length, capped.MaxParts]).toEqual([3, 3])
})

test('uploads are listed in pages, by key and age', async () => {
  const ids = {}
  for (const Key of ['b', 'a/1', 'b', 'a/2', 'c']) {
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, { Key })
    ids[Key] = [...(ids[Key] ?? []), UploadId]
  }
  const page = input => using.client.send(new s3.ListMultipartUploadsCommand({ Bucket: 'first', ...input }))
  const seen = []
  let marker = {}
  for (let i = 0; i < 10; i++) {
    const { Uploads, IsTruncated, NextKeyMarker, NextUploadIdMarker } = await page({ MaxUploads: 2, ...marker })
    seen.push(Uploads.map(({ Key, UploadId }) => [Key, ids[Key].indexOf(UploadId)]))
    if (!IsTruncated) break
    marker = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker }
  }
  expect(seen.map(one => one.map(([key]) => key))).toEqual([['a/1', 'a/2'], ['b', 'b'], ['c']])
  expect(new Set(seen[1].map(([, index]) => index)).size).toBe(2)
  const rolled = await page({ Delimiter: '/' })
  expect([rolled.CommonPrefixes, rolled.Uploads.map(({ Key }) => Key)]).toEqual([[{ Prefix: 'a/' }], ['b', 'b']])
  const below = await page({ Prefix: 'a/' })
  expect(below.Uploads.map(({ Key }) => Key)).toEqual(['a/1', 'a/2'])
})
