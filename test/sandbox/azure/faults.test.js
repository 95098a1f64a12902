'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { startAzureStore } = require('../../../sandbox/azure')
const { FIELDS } = require('../../../sandbox/azure/faults')
const { blockId, blockRequest, call, listRequest, putRequest, useStore } = require('./support')

const using = useStore({ containers: ['photos'] })
const add = rule => using.store.faults.add(rule)
const BODY = Buffer.alloc(1 << 20, 'abcdefghijklmnop')
let path
let tests = 0
beforeEach(() => {
  path = `/photos/${++tests}`
})

const put = () => call(using.store, putRequest(path, BODY))
const get = headers => call(using.store, { path, headers })
const block = (id = blockId(1), body = 'one') => call(using.store, blockRequest(path, id, body))
const commit = headers => call(using.store, listRequest(path, [blockId(1)], headers))
/** The status, or the code of a broken connection. */
const outcome = promise =>
  promise.then(
    ({ status }) => status,
    error => error.code,
  )

test('a rule with an unknown field is refused', () => {
  expect(() => add({ operation: 'PutBlock', partNumber: 1 })).toThrow('a fault rule has no "partNumber"')
  expect(Object.values(FIELDS)).toContain('what')
})

test('an error is answered in place of the work, or after it', async () => {
  add({ operation: 'PutBlockList', nth: 1, status: 503, retryAfter: 3 })
  await block()
  expect(await commit()).toMatchObject({ status: 503, code: 'ServerBusy', headers: { 'retry-after': '3' } })
  expect(await get()).toMatchObject({ status: 404 })
  add({ operation: 'PutBlockList', first: 1, status: 500, afterWork: true })
  expect(await commit()).toMatchObject({ status: 500, code: 'InternalError' })
  expect(await get()).toMatchObject({ status: 200 })
})

test('the answer to a commit can be lost, and the commit is done', async () => {
  await block()
  add({ operation: 'PutBlockList', loseAnswer: true, first: 1 })
  expect(await outcome(commit({ 'if-none-match': '*' }))).toBe('ECONNRESET')
  expect(await commit({ 'if-none-match': '*' })).toMatchObject({ status: 409, code: 'BlobAlreadyExists' })
})

test('a commit that arrives twice is answered for the second time', async () => {
  await block()
  add({ operation: 'PutBlockList', twice: true })
  expect(await commit({ 'if-none-match': '*' })).toMatchObject({ status: 409, code: 'BlobAlreadyExists' })
  expect((await get()).text).toBe('one')
})

test('the CRC-64 of the answer can be wrong, or missing', async () => {
  const right = (await block()).headers['x-ms-content-crc64']
  add({ operation: 'PutBlock', nth: 1, crc: 'wrong' })
  expect((await block()).headers['x-ms-content-crc64']).not.toBe(right)
  add({ operation: 'PutBlock', crc: 'none' })
  expect((await block()).headers).not.toHaveProperty('x-ms-content-crc64')
})

test('a byte can be another one on its way, and rot on the disk', async () => {
  const right = (await block(blockId(1), BODY)).headers['x-ms-content-crc64']
  const rule = add({ operation: 'PutBlock', flipByteAt: 1000 })
  expect((await block(blockId(1), BODY)).headers['x-ms-content-crc64']).not.toBe(right)
  rule.remove()
  add({ operation: 'PutBlock', flipByteAt: 1000, on: 'stored' })
  expect((await block(blockId(1), BODY)).headers['x-ms-content-crc64']).toBe(right)
  await commit()
  expect((await get()).bytes.equals(BODY)).toBe(false)
})

test('a body can be cut, each way', async () => {
  const rule = add({ operation: ['PutBlob'], cutAfterBytes: 1000 })
  expect(await outcome(put())).toBe('ECONNRESET')
  expect(await get()).toMatchObject({ status: 404 })
  rule.remove()
  await put()
  add({ operation: 'GetBlob', cutAfterBytes: 1000 })
  expect(await outcome(get())).toBe('ECONNRESET')
})

test('a read can lie about its range, its ETag and its conditions', async () => {
  await put()
  const range = { range: 'bytes=10-19' }
  const rules = [
    [{ ignoreRange: true }, { status: 200 }],
    [{ wrongContentRange: true }, { headers: { 'content-range': `bytes 11-20/${BODY.length}` } }],
    [{ etag: '"0xLIE"' }, { headers: { etag: '"0xLIE"' } }],
  ]
  for (const [rule, expected] of rules) {
    const { remove } = add({ operation: 'GetBlob', ...rule })
    expect(await get(range)).toMatchObject(expected)
    remove()
  }
  add({ operation: 'GetBlob', ignoreIfMatch: true })
  expect(await get({ 'if-match': '"0x8D0"' })).toMatchObject({ status: 200 })
})

describe('a store that was killed', () => {
  let dir
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'xfer-test-azure-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  test('has again what it had: blobs, and blocks', async () => {
    const key = Buffer.from('the same key').toString('base64')
    const main = join(__dirname, '../../../sandbox/azure/main.js')
    const child = spawn(process.execPath, [main, JSON.stringify({ dir, key, containers: ['photos'] })], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const first = JSON.parse(line)
    await call(first, blockRequest('/photos/a', blockId(1), 'one'))
    await call(first, listRequest('/photos/a', [blockId(1)], { 'x-ms-meta-A': '1' }))
    await call(first, blockRequest('/photos/a', blockId(2), 'two'))
    await call(first, putRequest('/photos/gone', 'x'))
    await call(first, { method: 'DELETE', path: '/photos/gone' })
    child.kill('SIGKILL')
    await once(child, 'exit')

    const store = await startAzureStore({ dir, key })
    try {
      expect(await store.look('photos')).toMatchObject({
        objects: [{ key: 'a', bytes: Buffer.from('one'), blocks: [blockId(1)], metadata: [['A', '1']] }],
        uploads: [{ key: 'a', blocks: [blockId(2)] }],
      })
      expect(await call(store, { path: '/photos/a' })).toMatchObject({ status: 200, text: 'one' })
      expect(await call(store, { path: '/photos/gone' })).toMatchObject({ status: 404 })
    } finally {
      await store.close()
    }
  })
})
