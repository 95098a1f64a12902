'use strict'

/** Answers to control calls have bounds: in bytes, in time, and in how slowly they may come. */

const { once } = require('node:events')
const http = require('node:http')
const { startStore } = require('../../../../sandbox/store')
const { openStore, put } = require('../../../support/s3')

/** Longer than a busy machine takes for what does come. */
const ANSWER_MS = 3_000

let server
beforeAll(async () => {
  server = await startStore({ buckets: ['bucket'] })
})
afterEach(() => server.faults.clear())
afterAll(() => server.close())

/** @type {Array<() => void>} */
const closings = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})
const open = (settings = {}, access = server) => {
  const store = openStore(access, 'bucket', settings)
  closings.push(store.close)
  return store
}
const upload = { key: 'key', attributes: { metadata: { headers: {}, user: {} } }, checksum: false }
const part = { key: 'key', uploadId: 'id', bytes: 1, parts: [{ partNumber: 1, etag: '"e"' }] }

/** Each control call that is answered with a document, by S3's name. */
const CALLS = {
  ListObjectsV2: store => store.list({ prefix: '' }),
  ListMultipartUploads: store => store.upload.pending({ prefix: '' }),
  CreateMultipartUpload: store => store.upload.create(upload),
  DeleteObjects: store => store.removeAll(['a', 'b']),
}

test.each(Object.entries(CALLS))('%s that is answered without end fills no memory', async (operation, call) => {
  server.faults.add({ operation, endless: true })
  const before = process.memoryUsage().rss
  const failure = { code: 'BAD_ANSWER', message: expect.stringMatching(/with more than \d+ KiB/) }
  await expect(call(open())).rejects.toMatchObject(failure)
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2)
})

const QUICK = Object.entries(CALLS).filter(([operation]) => operation !== 'DeleteObjects')
test.each(QUICK)('%s that is answered a byte a second is given up', async (operation, call) => {
  server.faults.add({ operation, bytesPerSecond: 5 })
  // A byte now and then is no silence, and so nothing else would end it.
  const failure = { code: 'STORE_UNREACHABLE', retryable: true, facts: { reason: 'ETIMEDOUT' } }
  const startedMs = Date.now()
  await expect(call(open({ answerMs: ANSWER_MS }))).rejects.toMatchObject(failure)
  expect(Date.now() - startedMs).toBeLessThan(30_000)
})

test('an endless error document still counts as the error', async () => {
  const endless = http.createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' }).write('<Error><Code>AccessDenied</Code>')
    const more = () => !response.destroyed && response.write(' '.repeat(65_536), () => setImmediate(more))
    more()
  })
  await once(endless.listen(0, '127.0.0.1'), 'listening')
  closings.push(() => {
    endless.closeAllConnections()
    endless.close()
  })
  const endpoint = `http://127.0.0.1:${endless.address().port}`
  const store = open({}, { endpoint, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' })
  await expect(store.list({ prefix: '' })).rejects.toMatchObject({ code: 'NOT_A_STORE', facts: { status: 403 } })
})

/** Answers each request so. @param {(response: http.ServerResponse) => void} answer */
async function answering(answer, settings) {
  const odd = http.createServer((request, response) => request.resume().on('end', () => answer(response)))
  await once(odd.listen(0, '127.0.0.1'), 'listening')
  closings.push(() => {
    odd.closeAllConnections()
    odd.close()
  })
  const endpoint = `http://127.0.0.1:${odd.address().port}`
  return open(settings, { endpoint, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' })
}

/** @param {http.ServerResponse} response @param {number} everyMs @param {number} times @param {string} end */
function blanks(response, everyMs, times, end) {
  response.writeHead(200, { 'content-type': 'application/xml' }).write('<?xml version="1.0" encoding="UTF-8"?>')
  let left = times
  const timer = setInterval(() => {
    if (left-- > 0) return response.write(' ')
    clearInterval(timer)
    response.end(end)
  }, everyMs)
  response.on('close', () => clearInterval(timer))
}

test('a completion may say nothing but blanks for longer than a list may take', async () => {
  const made = '<CompleteMultipartUploadResult><ETag>"made"</ETag></CompleteMultipartUploadResult>'
  const store = await answering(response => blanks(response, ANSWER_MS / 10, 14, made), { answerMs: ANSWER_MS })
  expect(await store.upload.complete(part)).toMatchObject({ etag: '"made"' })
})

test('a completion that says nothing but blanks for ever is given up', async () => {
  const store = await answering(response => blanks(response, 100, 1e9, ''), { answerMs: ANSWER_MS / 3 })
  await expect(store.upload.complete(part)).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retryable: true })
})

test('a thousand of the longest keys, each character written as long as can be, are one list', async () => {
  const key = n => `${'&#x1F;'.repeat(1_018)}${String(n).padStart(6, '0')}`
  const entry = n =>
    `<Contents><Key>${key(n)}</Key><LastModified>2026-01-02T03:04:05.000Z</LastModified><ETag>"${'0'.repeat(32)}-10000"</ETag>` +
    `<Size>5497558138880</Size><Owner><ID>${'0'.repeat(64)}</ID><DisplayName>somebody</DisplayName></Owner><StorageClass>STANDARD</StorageClass></Contents>`
  const body = `<ListBucketResult><Name>bucket</Name><KeyCount>1000</KeyCount><IsTruncated>false</IsTruncated>${Array.from({ length: 1_000 }, (_, n) => entry(n)).join('')}</ListBucketResult>`
  const store = await answering(response => response.end(body))
  const { objects } = await store.list({ prefix: '' })
  expect(objects).toHaveLength(1_000)
  expect(objects[999].key).toBe(`${'\u001f'.repeat(1_018)}000999`)
})

test('a list that comes slowly, and comes, is one', async () => {
  const store = open({ answerMs: ANSWER_MS })
  for (let n = 0; n < 20; n++) await put(store, `key-${n}`, Buffer.from('x'))
  server.faults.add({ operation: 'ListObjectsV2', bytesPerSecond: 6_000 })
  expect((await store.list({ prefix: '' })).objects).toHaveLength(20)
})
