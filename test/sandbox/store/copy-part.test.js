'use strict'

const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const zlib = require('node:zlib')
const s3 = require('@aws-sdk/client-s3')
const { useStore } = require('./support')

const MIN = 1000
const using = useStore({ buckets: ['first'], minPartBytes: MIN, synthetic: { 'made/object': 9_000_000 } })
const body = crypto
  .createHash('shake256', { outputLength: 5 * MIN })
  .update('parts')
  .digest()
const md5 = bytes => crypto.createHash('md5').update(bytes).digest()
const crc32 = bytes => {
  const value = Buffer.alloc(4)
  value.writeUInt32BE(zlib.crc32(bytes))
  return value.toString('base64')
}
const to = { Bucket: 'first', Key: 'copy' }
const run = (Command, input, client = using.client) => client.send(new Command({ ...to, ...input }))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error,
  )
const begin = async (input = {}) => (await run(s3.CreateMultipartUploadCommand, input)).UploadId
const copyPart = (UploadId, PartNumber, CopySourceRange, input = {}) =>
  run(s3.UploadPartCopyCommand, { UploadId, PartNumber, CopySource: 'first/source', CopySourceRange, ...input })
const complete = (UploadId, answers) => {
  const Parts = answers.map(({ CopyPartResult: { ETag } }, index) => ({ PartNumber: index + 1, ETag }))
  return run(s3.CompleteMultipartUploadCommand, { UploadId, MultipartUpload: { Parts } })
}
const read = async (input = {}) => {
  const { Body } = await run(s3.GetObjectCommand, input)
  return Buffer.from(await Body.transformToByteArray())
}

beforeEach(() => run(s3.PutObjectCommand, { Key: 'source', Body: body }))

test('ranges become parts, and parts an object, of which no byte is written to disk', async () => {
  const files = () => fs.readdirSync(path.join(using.store.dir, 'blobs')).length
  const before = files()
  const id = await begin()
  const ranges = [
    [0, MIN - 1],
    [MIN, 3 * MIN + 6],
    [3 * MIN + 7, 5 * MIN - 1],
  ]
  const answers = []
  for (const [index, [first, last]] of ranges.entries()) {
    answers.push(await copyPart(id, index + 1, `bytes=${first}-${last}`))
    const part = body.subarray(first, last + 1)
    expect(answers[index].CopyPartResult.ETag).toBe(`"${md5(part).toString('hex')}"`)
  }
  const { ETag } = await complete(id, answers)
  const digests = ranges.map(([first, last]) => md5(body.subarray(first, last + 1)))
  expect(ETag).toBe(`"${md5(Buffer.concat(digests)).toString('hex')}-3"`)
  expect((await read()).equals(body)).toBe(true)
  expect(files()).toBe(before)
  await run(s3.DeleteObjectCommand, { Key: 'source' })
  const across = await read({ Range: `bytes=${MIN - 5}-${MIN + 4}` })
  expect(across.equals(body.subarray(MIN - 5, MIN + 5))).toBe(true)
})

test('the store sums parts of an upload with a checksum, and the object', async () => {
  const id = await begin({ ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' })
  const answers = [
    await copyPart(id, 1, `bytes=0-${2 * MIN - 1}`),
    await copyPart(id, 2, `bytes=${2 * MIN}-${5 * MIN - 1}`),
  ]
  expect(answers.map(({ CopyPartResult }) => CopyPartResult.ChecksumCRC32)).toEqual([
    crc32(body.subarray(0, 2 * MIN)),
    crc32(body.subarray(2 * MIN)),
  ])
  expect(await complete(id, answers)).toMatchObject({ ChecksumCRC32: crc32(body), ChecksumType: 'FULL_OBJECT' })
})

test('the source is pinned by its ETag', async () => {
  const id = await begin()
  const ETag = `"${md5(body).toString('hex')}"`
  const range = `bytes=0-${MIN - 1}`
  await copyPart(id, 1, range, { CopySourceIfMatch: ETag })
  await run(s3.PutObjectCommand, { Key: 'source', Body: Buffer.alloc(5 * MIN) })
  expect((await failure(copyPart(id, 2, range, { CopySourceIfMatch: ETag }))).name).toBe('PreconditionFailed')
})

test.each([
  ['bytes=0-', 'InvalidArgument'],
  ['bytes=-5', 'InvalidArgument'],
  ['bytes=5-4', 'InvalidArgument'],
  [`bytes=0-${5 * MIN}`, 'InvalidArgument'],
  ['0-5', 'InvalidArgument'],
])('the range %s is refused with %s', async (range, code) => {
  expect((await failure(copyPart(await begin(), 1, range))).name).toBe(code)
})
