'use strict'

/** What the Azure service refuses, and what its blocks and faults do. */

const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const { once } = require('node:events')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { createInterface } = require('node:readline')
const { startAzureStore } = require('../../../sandbox/azure')
const { startStore } = require('../../../sandbox/store')
const { call: callS3, presigned } = require('../store/support')
const { blockId, blockRequest, call, listRequest, putRequest, sasUrl, useStore } = require('./support')

const using = useStore({ containers: ['photos'] })
/** Each test has its own: nothing deletes uncommitted blocks. */
let path
let tests = 0
beforeEach(() => {
  path = `/photos/${++tests}`
})

const put = (body = 'hello', headers) => call(using.store, putRequest(path, body, headers))
const get = headers => call(using.store, { path, headers })
const block = (id, body, headers) => call(using.store, blockRequest(path, id, body, headers))
const commit = (ids, headers) => call(using.store, listRequest(path, ids, headers))
const add = rule => using.store.faults.add(rule)
/** The status, or the code of a broken connection. */
const outcome = promise =>
  promise.then(
    ({ status }) => status,
    error => error.code,
  )

describe('a read', () => {
  test.each([
    [{ range: 'bytes=2-4' }, 206, '234', 'bytes 2-4/10'],
    [{ range: 'bytes=7-99' }, 206, '789', 'bytes 7-9/10'],
    [{ 'x-ms-range': 'bytes=0-0', range: 'bytes=5-6' }, 206, '0', 'bytes 0-0/10'],
    [{ range: 'bytes=-3' }, 200, '0123456789', undefined],
  ])('with %j', async (headers, status, text, range) => {
    await put('0123456789')
    const answer = await get(headers)
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([status, text, range])
  })

  test('keeps to its conditions', async () => {
    const { etag, 'last-modified': modified } = (await put()).headers
    expect(await get({ 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await get({ 'if-match': '"0x8D0"' })).toMatchObject({ status: 412, code: 'ConditionNotMet' })
    expect(await get({ 'if-none-match': etag })).toMatchObject({ status: 304 })
    expect(await get({ 'if-unmodified-since': new Date(0).toUTCString() })).toMatchObject({ status: 412 })
    expect(await get({ 'if-modified-since': modified })).toMatchObject({ status: 304 })
  })
})

describe('a write', () => {
  const md5 = createHash('md5').update('other').digest('base64')
  /** CRC-64/NVME of 123456789: 0xAE8B14860A799888, lowest byte first. */
  const crc64 = 'iJh5CoYUi64='
  test.each([
    ['x', { 'x-ms-meta-a-b': '1' }, 'InvalidMetadata'],
    ['x', { 'x-ms-meta-a': 'x'.repeat(8192) }, 'MetadataTooLarge'],
    ['x', { 'x-ms-tags': Array.from({ length: 11 }, (_, i) => `k${i}=1`).join('&') }, 'InvalidTag'],
    ['x', { 'x-ms-access-tier': 'Lukewarm' }, 'InvalidHeaderValue'],
  ])('of %s with %j is refused', async (body, headers, code) => {
    expect(await put(body, headers)).toMatchObject({ status: 400, code })
  })

  test.each([
    [blockId(1), { 'content-md5': md5 }, 'Md5Mismatch'],
    [blockId(1), { 'x-ms-content-crc64': crc64 }, 'Crc64Mismatch'],
    [blockId(1), { 'content-md5': 'AAAA' }, 'InvalidMd5'],
    ['not base64!', {}, 'InvalidQueryParameterValue'],
  ])('of the block %s with %j is refused, and not kept', async (id, headers, code) => {
    expect(await block(id, 'one', headers)).toMatchObject({ status: 400, code })
    expect(await commit([blockId(1)])).toMatchObject({ code: 'InvalidBlockList' })
  })

  test('of a block is answered with the CRC-64 of what was stored', async () => {
    expect((await block(blockId(1), '123456789')).headers['x-ms-content-crc64']).toBe(crc64)
  })

  test('of a blob that is there keeps to its conditions', async () => {
    const { etag } = (await put()).headers
    await block(blockId(1), 'x')
    for (const write of [headers => put('x', headers), headers => commit([blockId(1)], headers)]) {
      const exists = { status: 409, code: 'BlobAlreadyExists' }
      expect(await write({ 'if-none-match': '*' })).toMatchObject(exists)
      expect(await write({ 'if-match': '"0x8D0"' })).toMatchObject({ status: 412, code: 'ConditionNotMet' })
    }
    expect(await put('x', { 'if-match': etag })).toMatchObject({ status: 201 })
  })

  test('of an archived blob is refused, and so is reading it', async () => {
    await put('x', { 'x-ms-access-tier': 'Archive' })
    for (const refused of [get(), put(), block(blockId(1), 'x')]) {
      expect(await refused).toMatchObject({ status: 409, code: 'BlobArchived' })
    }
  })
})

describe('a commit', () => {
  test('drops all blocks that it does not name, those of others too, as a Put Blob does', async () => {
    await block(blockId(1, 'writer-a'), 'one')
    await block(blockId(1, 'writer-b'), 'two')
    await commit([blockId(1, 'writer-a')])
    expect(await commit([blockId(1, 'writer-b')])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
    await block(blockId(1), 'three')
    await put('whole')
    expect(await commit([blockId(1)])).toMatchObject({ status: 400, code: 'InvalidBlockList' })
    expect((await get()).text).toBe('whole')
  })
})

describe('Put Block From URL', () => {
  const take = headers =>
    call(using.store, { method: 'PUT', path: `${path}-copy`, query: { comp: 'block', blockid: blockId(1) }, headers })

  test.each([
    [{}, { status: 201 }],
    [{ 'x-ms-source-if-match': '"0x8D0"' }, { status: 412, code: 'SourceConditionNotMet' }],
    [{ 'x-ms-source-content-crc64': 'iJh5CoYUi64=' }, { status: 400, code: 'Crc64Mismatch' }],
  ])('with %j', async (headers, expected) => {
    await put('the source')
    const source = sasUrl(using.store, path, { sp: 'r' })
    expect(await take({ 'x-ms-copy-source': source, ...headers })).toMatchObject(expected)
    const bare = { 'x-ms-copy-source': source.split('?')[0] }
    expect(await take(bare)).toMatchObject({ status: 404, code: 'CannotVerifyCopySource' })
  })

  test('takes a presigned URL of S3, unless its key has a plus', async () => {
    const s3 = await startStore({ buckets: ['old'] })
    for (const [key, status] of [
      ['/old/key', 201],
      ['/old/a+b', 403],
    ]) {
      await callS3(s3, { method: 'PUT', path: key, body: 'from S3' })
      const source = s3.endpoint + (await presigned(s3, { path: key })).path
      expect(await take({ 'x-ms-copy-source': source })).toMatchObject({ status })
    }
    await s3.close()
  })
})

test('a hierarchical namespace has directories, and no blob in their place or below a blob', async () => {
  const store = await startAzureStore({ containers: ['photos'], hierarchical: true })
  await call(store, putRequest('/photos/2026/a.jpg', 'x'))
  const query = { restype: 'container', comp: 'list', include: 'metadata' }
  const { text } = await call(store, { path: '/photos', query })
  expect([...text.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name]) => name)).toEqual(['2026', '2026/a.jpg'])
  expect(text).toContain('<hdi_isfolder>true</hdi_isfolder>')
  for (const at of ['/photos/2026', '/photos/2026/a.jpg/b']) {
    expect(await call(store, putRequest(at, 'x'))).toMatchObject({ status: 409, code: 'ResourceTypeMismatch' })
  }
  const tagged = await call(store, putRequest('/photos/tagged', 'x', { 'x-ms-tags': 'a=b' }))
  expect(tagged.code).toBe('FeatureNotYetSupportedForHierarchicalNamespaceAccounts')
  await store.close()
})

describe('faults', () => {
  test('that are misspelled are refused', () => {
    expect(() => add({ operation: 'PutBlock', partNumber: 1 })).toThrow('a fault has no "partNumber"')
  })

  test.each([
    [{ nth: 1, status: 503 }, 503, 404],
    [{ status: 500, afterWork: true }, 500, 200],
    [{ loseAnswer: true }, 'ECONNRESET', 200],
    [{ twice: true }, 409, 200],
  ])('%j of a commit', async (rule, status, left) => {
    await block(blockId(1), 'one')
    add({ operation: 'PutBlockList', ...rule })
    expect(await outcome(commit([blockId(1)], { 'if-none-match': '*' }))).toBe(status)
    expect(await get()).toMatchObject({ status: left })
  })

  test('of a block: its CRC-64 is wrong or missing, a byte is flipped on its way or on the disk', async () => {
    const body = Buffer.alloc(10_000, 'ab')
    const sum = async (rule = {}) => {
      const { remove } = add({ operation: 'PutBlock', ...rule })
      const { headers } = await block(blockId(1), body)
      remove()
      return headers['x-ms-content-crc64']
    }
    const right = await sum()
    expect(await sum({ crc: 'none' })).toBeUndefined()
    for (const rule of [{ crc: 'wrong' }, { flipByteAt: 1000 }]) expect(await sum(rule)).not.toBe(right)
    expect(await sum({ flipByteAt: 1000, on: 'stored' })).toBe(right)
    await commit([blockId(1)])
    expect((await get()).bytes.equals(body)).toBe(false)
  })
})

test('a store that was killed has again what it had: blobs, and blocks', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'xfer-test-azure-'))
  const key = Buffer.from('the same key').toString('base64')
  const main = join(__dirname, '../../../sandbox/main.js')
  const options = JSON.stringify({ dir, key, containers: ['photos'] })
  const child = spawn(process.execPath, [main, 'azure', options], { stdio: ['pipe', 'pipe', 'inherit'] })
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
  expect(await store.look('photos')).toMatchObject({
    objects: [{ key: 'a', bytes: Buffer.from('one'), blocks: [blockId(1)], metadata: [['A', '1']] }],
    uploads: [{ key: 'a', blocks: [blockId(2)] }],
  })
  expect(await call(store, { path: '/photos/gone' })).toMatchObject({ status: 404 })
  await store.close()
  rmSync(dir, { recursive: true })
})
