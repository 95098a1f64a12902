'use strict'

/** What a store keeps, and what it leaves behind. */

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
