'use strict'

/** What the store refuses, so that what xfer sends is judged by somebody else than xfer. */

const crypto = require('node:crypto')
const zlib = require('node:zlib')
const s3 = require('@aws-sdk/client-s3')
const { call, clientOf, nextEvent, useStore } = require('./support')

const MIN = 1000
const using = useStore({ buckets: ['first', { name: 'kept', versions: true }], minPartBytes: MIN })
const where = { Bucket: 'first', Key: 'key' }
const path = '/first/key'
const text = 'abcdefghij'
const etag = '"a925576942e94b2ef57a066101b48876"'
const md5 = bytes => crypto.createHash('md5').update(bytes).digest()
const crc32 = bytes => {
  const value = Buffer.alloc(4)
  value.writeUInt32BE(zlib.crc32(bytes))
  return value.toString('base64')
}
const run = (Command, input, client = using.client) => client.send(new Command({ ...where, ...input }))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error.name,
  )

beforeEach(() => call(using.store, { method: 'PUT', path, body: text }))

const past = new Date(Date.now() - 3_600_000).toUTCString()
const future = new Date(Date.now() + 3_600_000).toUTCString()

describe('conditions', () => {
  test.each([
    [{ 'if-match': etag }, 200, 200],
    [{ 'if-match': '"x"' }, 412, 412],
    [{ 'if-none-match': etag }, 304, 412],
    [{ 'if-modified-since': future }, 304, 412],
    [{ 'if-unmodified-since': past }, 412, 412],
    [{ 'if-match': etag, 'if-unmodified-since': past }, 200, 200],
  ])('a read under %j answers %i, and a copy of it %i', async (headers, read, copied) => {
    expect((await call(using.store, { path, headers })).status).toBe(read)
    const named = Object.entries(headers).map(([name, value]) => [`x-amz-copy-source-${name}`, value])
    const copy = { 'x-amz-copy-source': 'first/key', 'content-length': '0', ...Object.fromEntries(named) }
    expect((await call(using.store, { method: 'PUT', path: '/first/copy', headers: copy })).status).toBe(copied)
  })

  test.each([
    ['PUT', path, { 'if-none-match': '*' }, 412, 'PreconditionFailed'],
    ['PUT', '/first/new', { 'if-none-match': '*' }, 200, undefined],
    ['PUT', path, { 'if-none-match': etag }, 501, 'NotImplemented'],
    ['PUT', path, { 'if-match': '"x"' }, 412, 'PreconditionFailed'],
    ['PUT', '/first/none', { 'if-match': etag }, 404, 'NoSuchKey'],
    ['DELETE', path, { 'if-match': '"x"' }, 412, 'PreconditionFailed'],
  ])('%s %s under %j answers %i', async (method, at, headers, status, code) => {
    const body = method === 'PUT' ? 'new' : undefined
    expect(await call(using.store, { method, path: at, headers, body })).toMatchObject({ status, code })
    const left = await call(using.store, { path })
    if (status === 412 || at !== path) expect(left.text).toBe(text)
  })

  test('of two conditional writes at once one wins, even where both passed the first look', async () => {
    using.store.faults.add({ operation: 'PutObject', key: 'race', bytesPerSecond: 2_000_000 })
    const write = letter =>
      call(using.store, {
        ...{ method: 'PUT', path: '/first/race', headers: { 'if-none-match': '*' } },
        body: Buffer.alloc(300_000, letter),
      })
    const answers = await Promise.all(['a', 'b'].map(write))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const { text: stored } = await call(using.store, { path: '/first/race' })
    expect(new Set(stored)).toEqual(new Set([answers[0].status === 200 ? 'a' : 'b']))
  })
})

describe('an upload', () => {
  const bodies = [Buffer.alloc(MIN, 'a'), Buffer.alloc(MIN + 7, 'b'), Buffer.from('c')]
  const whole = Buffer.concat(bodies)
  const FULL = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' }

  async function upload(create = FULL) {
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, create)
    const parts = []
    for (const [index, Body] of bodies.entries()) {
      const part = { PartNumber: index + 1, ChecksumCRC32: crc32(Body) }
      const { ETag } = await run(s3.UploadPartCommand, { UploadId, ...part, Body })
      parts.push({ ...part, ETag })
    }
    return { UploadId, parts }
  }
  const complete = ({ UploadId, parts }, more = {}) =>
    run(s3.CompleteMultipartUploadCommand, { UploadId, MultipartUpload: { Parts: parts }, ...more })

  test('becomes an object, with the ETag of its parts and the checksum of all', async () => {
    const sums = { ChecksumCRC32: crc32(whole), ChecksumType: 'FULL_OBJECT' }
    const ETag = `"${md5(Buffer.concat(bodies.map(md5))).toString('hex')}-3"`
    expect(await complete(await upload(), sums)).toMatchObject({ ETag, ...sums })
    const got = await run(s3.GetObjectCommand)
    expect(Buffer.from(await got.Body.transformToByteArray()).equals(whole)).toBe(true)
    expect(await run(s3.HeadObjectCommand, { ChecksumMode: 'ENABLED', PartNumber: 2 })).toMatchObject({
      ...{ ChecksumCRC32: crc32(bodies[1]), PartsCount: 3, ContentLength: MIN + 7 },
    })
  })

  test.each([
    ['in the wrong order', parts => [parts[1], parts[0]], {}, 'InvalidPartOrder'],
    ['with a wrong ETag', parts => [{ ...parts[0], ETag: parts[1].ETag }], {}, 'InvalidPart'],
    ['with a part that is not there', parts => [...parts, { ...parts[2], PartNumber: 4 }], {}, 'InvalidPart'],
    ['with the sum of another part', ([a, b]) => [{ ...a, ChecksumCRC32: b.ChecksumCRC32 }], {}, 'InvalidPart'],
    ['with a wrong size', parts => parts, { MpuObjectSize: whole.length + 1 }, 'InvalidRequest'],
    ['with a wrong checksum', parts => parts, { ChecksumCRC32: crc32(bodies[0]) }, 'BadDigest'],
    ['with another kind of checksum', parts => parts, { ChecksumType: 'COMPOSITE' }, 'InvalidRequest'],
    ['where the object must not be', parts => parts, { IfNoneMatch: '*' }, 'PreconditionFailed'],
  ])('is not completed %s', async (_, change, more, code) => {
    const ready = await upload()
    expect(await failure(complete({ ...ready, parts: change(ready.parts) }, more))).toBe(code)
    expect((await call(using.store, { path })).text).toBe(text)
    await complete(ready, { MpuObjectSize: whole.length })
  })

  test('with composite checksums wants that of each part', async () => {
    const ready = await upload({ ChecksumAlgorithm: 'CRC32' })
    const without = ready.parts.map(({ ChecksumCRC32, ...part }) => part)
    expect(await failure(complete({ ...ready, parts: without }))).toBe('InvalidRequest')
    const composite = crc32(Buffer.concat(bodies.map(body => Buffer.from(crc32(body), 'base64'))))
    expect((await complete(ready)).ChecksumCRC32).toBe(`${composite}-3`)
  })

  test('takes ranges of an object as parts, pinned by its ETag', async () => {
    await run(s3.PutObjectCommand, { Key: 'source', Body: whole })
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, FULL)
    const CopySourceIfMatch = `"${md5(whole).toString('hex')}"`
    const copyPart = (PartNumber, CopySourceRange) =>
      run(s3.UploadPartCopyCommand, {
        ...{ UploadId, PartNumber, CopySource: 'first/source', CopySourceRange, CopySourceIfMatch },
      })
    const parts = []
    for (const range of [`bytes=0-${MIN - 1}`, `bytes=${MIN}-${whole.length - 1}`]) {
      const { CopyPartResult } = await copyPart(parts.length + 1, range)
      parts.push({ PartNumber: parts.length + 1, ETag: CopyPartResult.ETag })
    }
    for (const range of ['bytes=0-', 'bytes=5-4', `bytes=0-${whole.length}`]) {
      expect(await failure(copyPart(3, range))).toBe('InvalidArgument')
    }
    await run(s3.PutObjectCommand, { Key: 'source', Body: 'other' })
    expect(await failure(copyPart(3, 'bytes=0-1'))).toBe('PreconditionFailed')
    expect(await complete({ UploadId, parts })).toMatchObject({ ChecksumCRC32: crc32(whole) })
  })

  test('that is aborted is gone, and a part still on its way does not land', async () => {
    const { UploadId } = await upload()
    using.store.faults.add({ operation: 'UploadPart', partNumber: 4, bytesPerSecond: 1_000_000 })
    const begun = nextEvent(using.store, 'begin', event => event.partNumber === 4)
    const late = failure(run(s3.UploadPartCommand, { UploadId, PartNumber: 4, Body: Buffer.alloc(300_000) }))
    await begun
    await run(s3.AbortMultipartUploadCommand, { UploadId })
    expect(await late).toBe('NoSuchUpload')
    expect(await failure(run(s3.AbortMultipartUploadCommand, { UploadId }))).toBe('NoSuchUpload')
  })
})

test("a customer's own key is needed to read and to copy what was written with it", async () => {
  const keyOf = (seed, prefix = '') => {
    const key = crypto.createHash('sha256').update(seed).digest()
    return {
      [`${prefix}SSECustomerAlgorithm`]: 'AES256',
      [`${prefix}SSECustomerKey`]: key.toString('base64'),
      [`${prefix}SSECustomerKeyMD5`]: md5(key).toString('base64'),
    }
  }
  const answer = await run(s3.PutObjectCommand, { Body: text, ...keyOf('mine') })
  expect(answer.ETag).not.toBe(etag)
  expect(await (await run(s3.GetObjectCommand, keyOf('mine'))).Body.transformToString()).toBe(text)
  expect(await failure(run(s3.GetObjectCommand))).toBe('InvalidRequest')
  expect(await failure(run(s3.GetObjectCommand, keyOf('other')))).toBe('AccessDenied')
  const copy = input => run(s3.CopyObjectCommand, { Key: 'copy', CopySource: 'first/key', ...input })
  expect(await failure(copy())).toBe('InvalidRequest')
  expect(await failure(copy(keyOf('other', 'CopySource')))).toBe('AccessDenied')
  expect((await copy(keyOf('mine', 'CopySource'))).CopyObjectResult.ETag).toBe(etag)
})

test('a deleted object keeps its versions, and what may read objects may not read those', async () => {
  const at = { Bucket: 'kept', Key: 'key' }
  const { VersionId } = await run(s3.PutObjectCommand, { ...at, Body: 'one' })
  expect(await run(s3.DeleteObjectCommand, at)).toMatchObject({ DeleteMarker: true })
  expect(await failure(run(s3.GetObjectCommand, at))).toBe('NoSuchKey')
  expect(await (await run(s3.GetObjectCommand, { ...at, VersionId })).Body.transformToString()).toBe('one')
  const credentials = { accessKeyId: 'AKIANOW', secretAccessKey: 'now' }
  using.store.addAccount({ ...credentials, actions: ['s3:GetObject', 's3:ListBucket'] })
  const client = clientOf(using.store, { credentials })
  expect(await failure(run(s3.GetObjectCommand, { ...at, VersionId }, client))).toBe('AccessDenied')
  client.destroy()
})
