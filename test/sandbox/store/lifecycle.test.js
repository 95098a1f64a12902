'use strict'

/** What a store keeps, what it leaves behind, and whom its fault rules mean. */

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const readline = require('node:readline')
const s3 = require('@aws-sdk/client-s3')
const { startStore } = require('../../../sandbox/store')
const { call, clientOf } = require('./support')

const MAIN = path.join(__dirname, '../../../sandbox/main.js')

/** @type {string[]} */
const folders = []
function newFolder() {
  folders.push(fs.mkdtempSync(path.join(os.tmpdir(), 'xfer-test-')))
  return folders.at(-1)
}
/** @type {Awaited<ReturnType<typeof startStore>>[]} */
const stores = []
async function open(options) {
  stores.push(await startStore({ buckets: ['first'], ...options }))
  return stores.at(-1)
}
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true })
})

test('a folder of one’s own is kept, and everything in it found again', async () => {
  const how = { dir: newFolder(), accounts: [{ accessKeyId: 'AKIAKEPT', secretAccessKey: 'kept' }] }
  const first = await startStore({ ...how, buckets: ['kept'] })
  const put = (name, body) =>
    call(first, { method: 'PUT', path: `/kept/${name}`, body, headers: { 'x-amz-meta-m': name } })
  for (const [name, body] of ['a', 'a', 'b', 'c'].map((name, i) => [name, `body ${i}`])) await put(name, body)
  await call(first, { method: 'DELETE', path: '/kept/b' })
  const client = clientOf(first)
  const where = { Bucket: 'kept', Key: 'up' }
  const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(where))
  const { ETag } = await client.send(new s3.UploadPartCommand({ ...where, UploadId, PartNumber: 3, Body: 'part' }))
  client.destroy()
  await first.close()

  fs.appendFileSync(path.join(how.dir, 'journal.ndjson'), '{"type":"object","buck')
  fs.writeFileSync(path.join(how.dir, 'blobs', 'stray'), 'x')
  const second = await open(how)
  const found = { status: 200, text: 'body 1', headers: { 'x-amz-meta-m': 'a' } }
  expect(await call(second, { path: '/kept/a' })).toMatchObject(found)
  expect((await call(second, { path: '/kept/b' })).status).toBe(404)
  const again = clientOf(second)
  const MultipartUpload = { Parts: [{ PartNumber: 3, ETag }] }
  await again.send(new s3.CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload }))
  again.destroy()
  expect((await call(second, { path: '/kept/up' })).text).toBe('part')
  // Three objects, a file each: what was overwritten, deleted or never finished is gone.
  expect(fs.readdirSync(path.join(how.dir, 'blobs'))).toHaveLength(3)
})

test.each([
  ['SIGTERM', child => child.kill('SIGTERM')],
  ['the end of its standard input', child => child.stdin.end()],
])('a process ends cleanly on %s', async (_, end) => {
  const TMPDIR = newFolder()
  const stdio = ['pipe', 'pipe', 'inherit']
  const child = spawn(process.execPath, [MAIN, 'store', '{"buckets":["first"]}'], {
    stdio,
    env: { ...process.env, TMPDIR },
  })
  const [line] = await once(readline.createInterface({ input: child.stdout }), 'line')
  const store = JSON.parse(line)
  const at = { ...store, port: Number(new URL(store.endpoint).port) }
  expect(await call(at, { method: 'PUT', path: '/first/key', body: 'x' })).toMatchObject({ status: 200 })
  expect(fs.readdirSync(TMPDIR)).toHaveLength(1)
  const exit = once(child, 'exit')
  end(child)
  expect(await exit).toEqual([0, null])
  expect(fs.readdirSync(TMPDIR)).toEqual([])
})

describe('a fault rule', () => {
  const path = '/first/key'
  const statuses = async (store, requests) => {
    const found = []
    for (const request of requests) found.push((await call(store, request)).status)
    return found
  }

  test('means an operation, a key, a pattern, a part, the n-th or the first', async () => {
    const store = await open()
    await call(store, { method: 'PUT', path, body: 'x' })
    store.faults.add({ operation: 'HeadObject', nth: 2, status: 503 })
    store.faults.add({ operation: ['GetObject', 'DeleteObject'], key: 'a', first: 1, status: 500 })
    store.faults.add({ keyPattern: '^b\\d', status: 429 })
    store.faults.add({ operation: 'GetObject', partNumber: 2, status: 409 })
    const head = { method: 'HEAD', path }
    const of = key => ({ path: `/first/${key}` })
    const part = partNumber => ({ path, query: { partNumber } })
    const requests = [head, head, head, of('a'), of('a'), of('b1'), of('b'), part('2'), part('1')]
    expect(await statuses(store, requests)).toEqual([200, 503, 200, 500, 404, 429, 404, 409, 206])
  })

  test.each([
    [{ status: 403, code: 'AccessDenied' }, 403],
    [{ errorInBody: true }, 200],
    [{ status: 500 }, 500],
  ])('%j refuses before the work, or after it', async (rule, status) => {
    const store = await open()
    store.faults.add({ operation: 'PutObject', ...rule, nth: 1 })
    store.faults.add({ operation: 'PutObject', ...rule, nth: 2, afterWork: true })
    for (const left of [404, 200]) {
      const answer = await call(store, { method: 'PUT', path, body: 'x' })
      expect(answer.status).toBe(status)
      expect(answer.code).toMatch(/AccessDenied|InternalError/)
      expect(await call(store, { path })).toMatchObject({ status: left })
    }
  })

  test('flips a byte on its way, or only on the disk, which no ETag tells', async () => {
    const store = await open()
    const body = Buffer.alloc(100_000, 'ab')
    const put = async () => (await call(store, { method: 'PUT', path, body })).headers.etag
    const different = async () => {
      const { bytes } = await call(store, { path })
      return [...bytes.keys()].filter(index => bytes[index] !== body[index])
    }
    const right = await put()
    const rule = store.faults.add({ operation: 'PutObject', flipByteAt: 70_000 })
    expect([(await put()) === right, await different()]).toEqual([false, [70_000]])
    rule.remove()
    store.faults.add({ operation: 'PutObject', flipByteAt: 70_000, on: 'stored' })
    expect([(await put()) === right, await different()]).toEqual([true, [70_000]])
  })
})
