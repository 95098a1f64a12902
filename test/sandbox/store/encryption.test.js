'use strict'

const crypto = require('node:crypto')
const s3 = require('@aws-sdk/client-s3')
const { call, useStore } = require('./support')

const using = useStore({ buckets: ['first'], minPartBytes: 1 })
const text = 'abcdefghij'
const plain = `"${crypto.createHash('md5').update(text).digest('hex')}"`
const where = { Bucket: 'first', Key: 'key' }
const run = (Command, input) => using.client.send(new Command({ ...where, ...input }))
const failure = promise =>
  promise.then(
    () => undefined,
    error => error,
  )
const keyOf = seed => {
  const key = crypto.createHash('sha256').update(seed).digest()
  return {
    SSECustomerAlgorithm: 'AES256',
    SSECustomerKey: key.toString('base64'),
    SSECustomerKeyMD5: crypto.createHash('md5').update(key).digest('base64'),
  }
}
const sourceKey = key =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name.replace('SSE', 'CopySourceSSE'), value]))
const [mine, other] = [keyOf('mine'), keyOf('other')]
const put = (input = {}) => run(s3.PutObjectCommand, { Body: text, ...input })
const read = async (input = {}) => (await run(s3.GetObjectCommand, input)).Body.transformToString()

async function upload(create, part) {
  const { UploadId } = await run(s3.CreateMultipartUploadCommand, create)
  const { ETag } = await run(s3.UploadPartCommand, { UploadId, PartNumber: 1, Body: text, ...part })
  return run(s3.CompleteMultipartUploadCommand, { UploadId, MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } })
}

describe('encryption by the store', () => {
  test.each([
    ['AES256', undefined, true],
    ['aws:kms', 'arn:aws:kms:us-east-1:1:key/mine', false],
    ['aws:kms:dsse', 'arn:aws:kms:us-east-1:1:key/mine', false],
  ])('%s is told again; whether the ETag is an MD5: %s', async (ServerSideEncryption, SSEKMSKeyId, isMd5) => {
    const how = { ServerSideEncryption, ...(SSEKMSKeyId && { SSEKMSKeyId }) }
    const answers = [await put(how), await put(how)]
    for (const answer of answers) expect(answer).toMatchObject(how)
    expect(answers.map(({ ETag }) => ETag === plain)).toEqual([isMd5, isMd5])
    for (const { ETag } of answers) expect(ETag).toMatch(/^"[0-9a-f]{32}"$/)
    expect(await run(s3.HeadObjectCommand)).toMatchObject({ ...how, ETag: answers[1].ETag })
    expect(await upload(how)).toMatchObject(how)
    expect(await run(s3.HeadObjectCommand)).toMatchObject(how)
  })

  test('makes no ETag of parts that could be computed', async () => {
    const digest = crypto
      .createHash('md5')
      .update(Buffer.from(plain.slice(1, -1), 'hex'))
      .digest('hex')
    expect((await upload()).ETag).toBe(`"${digest}-1"`)
    const { UploadId } = await run(s3.CreateMultipartUploadCommand, { ServerSideEncryption: 'aws:kms' })
    const { ETag } = await run(s3.UploadPartCommand, { UploadId, PartNumber: 1, Body: text })
    expect(ETag).not.toBe(plain)
    const parts = { Parts: [{ PartNumber: 1, ETag }] }
    const done = await run(s3.CompleteMultipartUploadCommand, { UploadId, MultipartUpload: parts })
    const ofParts = crypto
      .createHash('md5')
      .update(Buffer.from(ETag.slice(1, -1), 'hex'))
      .digest('hex')
    expect(done.ETag).toMatch(/^"[0-9a-f]{32}-1"$/)
    expect(done.ETag).not.toBe(`"${ofParts}-1"`)
  })

  test.each([
    [{ ServerSideEncryption: 'rot13' }, 'InvalidEncryptionAlgorithmError'],
    [{ ServerSideEncryption: 'AES256', SSEKMSKeyId: 'k' }, 'InvalidArgument'],
    [{ SSEKMSKeyId: 'k' }, 'InvalidArgument'],
    [{ ServerSideEncryption: 'AES256', ...mine }, 'InvalidArgument'],
  ])('%j is refused with %s', async (input, code) => {
    expect((await failure(put(input))).name).toBe(code)
  })
})

describe("a customer's own key", () => {
  test('is needed to read what was written with it', async () => {
    const answer = await put(mine)
    expect(answer).toMatchObject({ SSECustomerAlgorithm: 'AES256', SSECustomerKeyMD5: mine.SSECustomerKeyMD5 })
    expect(answer.ETag).not.toBe(plain)
    expect(await read(mine)).toBe(text)
    expect(await run(s3.HeadObjectCommand, mine)).toMatchObject({ SSECustomerAlgorithm: 'AES256', ContentLength: 10 })
    expect((await failure(read())).name).toBe('InvalidRequest')
    expect(await failure(read(other))).toMatchObject({ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } })
    const heads = [await failure(run(s3.HeadObjectCommand)), await failure(run(s3.HeadObjectCommand, other))]
    expect(heads.map(error => error.$metadata.httpStatusCode)).toEqual([400, 403])
  })

  test.each([
    [{ SSECustomerKey: undefined, SSECustomerKeyMD5: undefined }, 'InvalidArgument'],
    [{ SSECustomerAlgorithm: undefined }, 'InvalidArgument'],
    [{ SSECustomerAlgorithm: 'ROT13' }, 'InvalidEncryptionAlgorithmError'],
    [{ SSECustomerKeyMD5: other.SSECustomerKeyMD5 }, 'InvalidArgument'],
    [{ SSECustomerKey: Buffer.from('short').toString('base64') }, 'InvalidArgument'],
  ])('must be whole: %j is refused with %s', async (change, code) => {
    const fields = { ...mine, ...change }
    const named = [
      ['algorithm', fields.SSECustomerAlgorithm],
      ['key', fields.SSECustomerKey],
      ['key-md5', fields.SSECustomerKeyMD5],
    ].filter(([, value]) => value !== undefined)
    const headers = Object.fromEntries(
      named.map(([name, value]) => [`x-amz-server-side-encryption-customer-${name}`, value]),
    )
    const answer = await call(using.store, { method: 'PUT', path: '/first/key', headers, body: text })
    expect(answer).toMatchObject({ status: 400, code })
  })

  test('of the source is needed to copy, and the copy may have another or none', async () => {
    await put(mine)
    const copy = input => run(s3.CopyObjectCommand, { Key: 'copy', CopySource: 'first/key', ...input })
    expect((await failure(copy())).name).toBe('InvalidRequest')
    expect((await failure(copy(sourceKey(other)))).name).toBe('AccessDenied')
    const { CopyObjectResult } = await copy(sourceKey(mine))
    expect(CopyObjectResult.ETag).toBe(plain)
    expect(await read({ Key: 'copy' })).toBe(text)
    await copy({ ...sourceKey(mine), ...other })
    expect(await read({ Key: 'copy', ...other })).toBe(text)
    expect((await failure(read({ Key: 'copy' }))).name).toBe('InvalidRequest')
    expect((await failure(copy({ Key: 'key' }))).name).toBe('InvalidRequest')
  })
})
