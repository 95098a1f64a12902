'use strict'

const { startStore } = require('../../../sandbox/store')
const { call: callS3, presigned } = require('../store/support')
const { blockId, call, listRequest, putRequest, sasUrl, signed, useStore } = require('./support')

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

describe('a batch', () => {
  /** Without the version, which is said once, of the whole. @param {{ method: string, path: string }[]} requests */
  function batch(requests, options = {}) {
    const parts = requests.map((request, i) => {
      const { method, path, headers } = signed(using.store, request, { version: '', ...options })
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      return `--b\r\nContent-Type: application/http\r\nContent-ID: ${i}\r\n\r\n${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
    })
    const headers = { 'content-type': 'multipart/mixed; boundary=b' }
    const body = `${parts.join('')}--b--\r\n`
    return call(using.store, { method: 'POST', path: '/', query: { comp: 'batch' }, headers, body })
  }
  const statuses = ({ text }) => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  const deletion = path => ({ method: 'DELETE', path })

  test('answers for each of its requests', async () => {
    for (const path of ['/photos/x', '/photos/ü y']) await call(using.store, putRequest(path, 'x'))
    const answer = await batch([deletion('/photos/x'), deletion('/photos/none'), deletion('/photos/ü y')])
    expect(answer.status).toBe(202)
    expect(statuses(answer)).toEqual([202, 404, 202])
    expect(await call(using.store, { path: '/photos/x' })).toMatchObject({ code: 'BlobNotFound' })
  })

  test('verifies the signature of each', async () => {
    await call(using.store, putRequest('/photos/x', 'x'))
    const answer = await batch([deletion('/photos/x')], { key: 'AAAA' })
    expect(statuses(answer)).toEqual([403])
    expect(await call(using.store, { path: '/photos/x' })).toMatchObject({ status: 200 })
  })

  test('takes nothing but deletions', async () => {
    expect(statuses(await batch([{ path: '/photos/x' }]))).toEqual([400])
  })

  test('of more than 256 is refused', async () => {
    const answer = await batch(Array.from({ length: 257 }, (_, i) => deletion(`/photos/${i}`)))
    expect(answer).toMatchObject({ status: 400, code: 'ExceedsMaximumBatchRequestCount' })
  })
})
