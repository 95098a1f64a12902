'use strict'

const { startStore } = require('../../../sandbox/store')
const { call: callS3, presigned } = require('../store/support')
const { blockId, call, listRequest, putRequest, sasUrl, useStore } = require('./support')

const using = useStore({ containers: ['photos'] })
const SOURCE = '/photos/a b/ü+.txt'
/** With a SAS that reads it. */
const sourceUrl = () => sasUrl(using.store, SOURCE, { sp: 'r' })
const read = async path => (await call(using.store, { path })).text

beforeAll(() =>
  call(
    using.store,
    putRequest(SOURCE, 'the source', { 'x-ms-meta-Kept': 'yes', 'x-ms-blob-content-type': 'text/plain' }),
  ),
)

describe('Put Block From URL', () => {
  const block = (headers, id = blockId(1)) =>
    call(using.store, { method: 'PUT', path: '/photos/copy', query: { comp: 'block', blockid: id }, headers })

  test('takes the range of a blob, and answers its CRC-64', async () => {
    const { status, headers } = await block({ 'x-ms-copy-source': sourceUrl(), 'x-ms-source-range': 'bytes=4-9' })
    expect({ status, crc: headers['x-ms-content-crc64'] }).toEqual({
      status: 201,
      crc: expect.stringMatching(/^.{11}=$/),
    })
    await call(using.store, listRequest('/photos/copy', [blockId(1)]))
    expect(await read('/photos/copy')).toBe('source')
  })

  test('reads nothing that the URL does not allow', async () => {
    const bare = sourceUrl().split('?')[0]
    expect(await block({ 'x-ms-copy-source': bare })).toMatchObject({ status: 404, code: 'CannotVerifyCopySource' })
  })

  test('keeps to conditions on the source', async () => {
    const headers = { 'x-ms-copy-source': sourceUrl(), 'x-ms-source-if-match': '"0x8D0"' }
    expect(await block(headers)).toMatchObject({ status: 412, code: 'SourceConditionNotMet' })
  })

  test('refuses bytes with another CRC-64 than the one that was sent', async () => {
    const headers = { 'x-ms-copy-source': sourceUrl(), 'x-ms-source-content-crc64': 'iJh5CoYUi64=' }
    expect(await block(headers)).toMatchObject({ status: 400, code: 'Crc64Mismatch' })
  })

  describe('of an S3 store', () => {
    let s3
    beforeAll(async () => {
      s3 = await startStore({ buckets: ['old'] })
      for (const path of ['/old/key', '/old/a+b']) await callS3(s3, { method: 'PUT', path, body: 'from S3' })
    })
    afterAll(() => s3?.close())
    const urlOf = async path => s3.endpoint + (await presigned(s3, { path })).path

    test('takes a presigned URL', async () => {
      expect(await block({ 'x-ms-copy-source': await urlOf('/old/key') })).toMatchObject({ status: 201 })
      await call(using.store, listRequest('/photos/copy', [blockId(1)]))
      expect(await read('/photos/copy')).toBe('from S3')
    })

    test('fails for a key with a plus', async () => {
      const answer = await block({ 'x-ms-copy-source': await urlOf('/old/a+b') })
      expect(answer).toMatchObject({ status: 403, code: 'CannotVerifyCopySource' })
    })
  })
})
