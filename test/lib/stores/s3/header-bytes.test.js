'use strict'

const { once } = require('node:events')
const http = require('node:http')
const { main, VERSION } = require('../../../../actions/copy-range')
const { createS3Store } = require('../../../../lib/stores/s3/store')
const { startStore } = require('../../../../sandbox/store')

// Headers as Node reads them hold a character a byte: UTF-8 that a store sends raw, and bytes that are no UTF-8.
const RAW = { utf8: Buffer.from('é 日 😀').toString('latin1'), latin1: 'd\xe9j\xe0' }
const metadata = { headers: { 'content-type': 'text/plain', 'content-disposition': RAW.utf8 }, user: RAW }

let sandbox
let store

beforeAll(async () => {
  sandbox = await startStore({ buckets: ['bucket'] })
  const { accessKeyId, secretAccessKey, region, endpoint } = sandbox
  const credentials = { accessKeyId, secretAccessKey }
  const settings = { side: 'destination', endpoint, region, addressing: 'auto', requestPayer: false }
  store = createS3Store({ bucket: 'bucket', settings: { ...settings, credentials: async () => credentials } })
  for (const bytes of [0, 3]) {
    const write = {
      key: `from-${bytes}`,
      bytes,
      attributes: { metadata: { headers: {}, user: {} } },
      checksum: false,
    }
    await send((await store.put(write)).request, Buffer.alloc(bytes))
  }
})

afterAll(async () => {
  store.close()
  await sandbox.close()
})

async function send({ url, method, headers }, body) {
  const request = http.request(url, { method, headers })
  request.flushHeaders()
  request.end(body)
  const [response] = await once(request, 'response')
  response.resume()
  expect(response.statusCode).toBe(200)
  return response.headers.etag
}

describe('headers that are not ASCII arrive byte for byte, and are signed so', () => {
  test.each([
    ['3 bytes with a trailer', 3, true],
    ['3 bytes without', 3, false],
    ['no bytes with a trailer', 0, true],
    ['no bytes without', 0, false],
  ])('through a function: %s', async (_, bytes, checksum) => {
    const { etag } = await store.head(`from-${bytes}`)
    const range = bytes === 0 ? undefined : { start: 0, end: bytes - 1 }
    const { request: read } = await store.read({ key: `from-${bytes}`, etag, range })
    const { request: write } = await store.put({ key: 'to', bytes, attributes: { metadata }, checksum })
    const [reads, writes] = [
      { ...read, accepts: 'read' },
      { ...write, accepts: 'write' },
    ]
    const accepts = { read: read.accepts, write: write.accepts }
    const task = { partNumber: 1, bytes, read: reads, write: writes, sums: [], expect: { etag, totalBytes: bytes } }
    const { outcomes } = await main({ version: VERSION, accepts, tasks: [task] })
    expect(outcomes).toEqual([expect.objectContaining({ bytes })])
    expect((await store.head('to')).metadata).toEqual(metadata)
  })

  test('through the creation of an upload', async () => {
    const key = 'parts'
    const { id: uploadId } = await store.upload.create({ key, attributes: { metadata }, checksum: false })
    const part = { partNumber: 1, bytes: 3 }
    const { request } = await store.upload.part({ key, uploadId, ...part, checksum: false })
    const parts = [{ ...part, etag: await send(request, Buffer.alloc(3)) }]
    await store.upload.complete({ key, uploadId, parts, bytes: 3 })
    expect((await store.head(key)).metadata).toEqual(metadata)
  })
})
