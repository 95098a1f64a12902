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
