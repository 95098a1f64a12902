'use strict'

/** A gateway may compress what answers a control call. */

const { once } = require('node:events')
const http = require('node:http')
const { gzipSync } = require('node:zlib')
const { openStore } = require('../../../support/s3')

let server
let store
let answer
beforeAll(async () => {
  server = http.createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/xml', 'content-encoding': 'gzip' })
    response.end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${server.address().port}`
  store = openStore({ endpoint, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' }, 'bucket')
})
afterAll(() => {
  store.close()
  server.closeAllConnections()
  server.close()
})

const list = more => `<ListBucketResult><Name>bucket</Name><Prefix></Prefix><KeyCount>0</KeyCount>
<IsTruncated>false</IsTruncated>${more}</ListBucketResult>`

test('a list is read', async () => {
  answer = { status: 200, body: gzipSync(list('')) }
  expect(await store.list({ prefix: '' })).toMatchObject({ objects: [] })
})

test('so is a refusal', async () => {
  answer = { status: 404, body: gzipSync('<Error><Code>NoSuchBucket</Code></Error>') }
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({ code: 'NO_SUCH_BUCKET' })
})

test('what is not compressed, and says so, is read as it is', async () => {
  answer = { status: 200, body: list('') }
  expect(await store.list({ prefix: '' })).toMatchObject({ objects: [] })
})

test('what unpacks to more than a list may have is not unpacked', async () => {
  answer = { status: 200, body: gzipSync(list(' '.repeat(64 * 1024 ** 2))) }
  const failure = { code: 'BAD_ANSWER', message: expect.stringMatching(/more than \d+ KiB/) }
  await expect(store.list({ prefix: '' })).rejects.toMatchObject(failure)
})

test('half of it is no list', async () => {
  answer = { status: 200, body: gzipSync(list('')).subarray(0, 60) }
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({ code: 'NOT_A_STORE' })
})
