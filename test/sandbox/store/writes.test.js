'use strict'

/** What the store refuses, so that what xfer sends is judged by somebody else than xfer. */

const crypto = require('node:crypto')
const zlib = require('node:zlib')
const s3 = require('@aws-sdk/client-s3')
const { call, nextEvent, useStore } = require('./support')

const MIN = 1000
const using = useStore({ buckets: ['first'], minPartBytes: MIN })
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
const run = (Command, input) => using.client.send(new Command({ ...where, ...input }))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error.name,
  )

beforeEach(() => call(using.store, { method: 'PUT', path, body: text }))

const past = new Date(Date.now() - 3_600_000).toUTCString()

describe('conditions', () => {
  test.each([
    [{ 'if-match': etag }, 200, 200],
    [{ 'if-match': '"x"' }, 412, 412],
    [{ 'if-unmodified-since': past }, 412, 412],
  ])('a read under %j answers %i, and a copy of it %i', async (headers, read, copied) => {
    expect((await call(using.store, { path, headers })).status).toBe(read)
    const named = Object.entries(headers).map(([name, value]) => [`x-amz-copy-source-${name}`, value])
    const copy = { 'x-amz-copy-source': 'first/key', 'content-length': '0', ...Object.fromEntries(named) }
    expect((await call(using.store, { method: 'PUT', path: '/first/copy', headers: copy })).status).toBe(copied)
  })

  test.each([
    ['PUT', path, { 'if-none-match': '*' }, 412, 'PreconditionFailed'],
    ['PUT', '/first/new', { 'if-none-match': '*' }, 200, undefined],
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

  async function upload() {
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, FULL)
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
    ['with a wrong checksum', parts => parts, { ChecksumCRC32: crc32(bodies[0]) }, 'BadDigest'],
    ['where the object must not be', parts => parts, { IfNoneMatch: '*' }, 'PreconditionFailed'],
  ])('is not completed %s', async (_, change, more, code) => {
    const ready = await upload()
    expect(await failure(complete({ ...ready, parts: change(ready.parts) }, more))).toBe(code)
    expect((await call(using.store, { path })).text).toBe(text)
    await complete(ready)
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
