'use strict'

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const readline = require('node:readline')
const zlib = require('node:zlib')
const s3 = require('@aws-sdk/client-s3')
const { startStore } = require('../../../sandbox/store')
const { call, clientOf } = require('./support')

const MAIN = path.join(__dirname, '../../../sandbox/store/main.js')
const base64 = crc => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc)
  return bytes.toString('base64')
}

/** Starts a store as a process; what it prints, with the port. */
async function startProcess(args, options = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['pipe', 'pipe', 'inherit'], ...options })
  const [line] = await once(readline.createInterface({ input: child.stdout }), 'line')
  const store = JSON.parse(line)
  return { child, store: { ...store, port: Number(new URL(store.endpoint).port) } }
}

test('a folder of one’s own is kept, and everything in it found again', async () => {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'xfer-test-'))
  try {
    const accounts = [{ accessKeyId: 'AKIAKEPT', secretAccessKey: 'kept' }]
    const first = await startStore({
      dir,
      accounts,
      buckets: [{ name: 'kept', region: 'eu-west-1' }],
      region: 'eu-west-1',
    })
    for (const [name, body] of [
      ['a', 'old'],
      ['a', 'new'],
      ['b', 'gone'],
      ['c', 'c'],
    ]) {
      await call(first, { method: 'PUT', path: `/kept/${name}`, body, headers: { 'x-amz-meta-m': name } })
    }
    await call(first, { method: 'DELETE', path: '/kept/b' })
    const client = clientOf(first)
    const where = { Bucket: 'kept', Key: 'up' }
    const { UploadId } = await client.send(new s3.CreateMultipartUploadCommand(where))
    const { ETag } = await client.send(new s3.UploadPartCommand({ ...where, UploadId, PartNumber: 3, Body: 'part' }))
    client.destroy()
    await first.close()

    fs.appendFileSync(path.join(dir, 'journal.ndjson'), '{"type":"object","buck')
    fs.writeFileSync(path.join(dir, 'blobs', 'stray'), 'x')
    const second = await startStore({ dir, accounts, region: 'eu-west-1' })
    expect(await call(second, { path: '/kept/a' })).toMatchObject({
      status: 200,
      text: 'new',
      headers: { 'x-amz-meta-m': 'a' },
    })
    expect((await call(second, { path: '/kept/b' })).status).toBe(404)
    const again = clientOf(second)
    const MultipartUpload = { Parts: [{ PartNumber: 3, ETag }] }
    await again.send(new s3.CompleteMultipartUploadCommand({ ...where, UploadId, MultipartUpload }))
    again.destroy()
    expect((await call(second, { path: '/kept/up' })).text).toBe('part')
    // Three objects, a file each: what was overwritten, deleted or never finished is gone.
    expect(fs.readdirSync(path.join(dir, 'blobs'))).toHaveLength(3)
    await second.close()
    expect(fs.existsSync(dir)).toBe(true)
  } finally {
    fs.rmSync(dir, { recursive: true })
  }
})

test('closing ends open connections and removes the temporary folder', async () => {
  const store = await startStore({ buckets: ['first'] })
  await call(store, { method: 'PUT', path: '/first/key', body: 'x' })
  expect(fs.existsSync(store.dir)).toBe(true)
  const agent = new http.Agent({ keepAlive: true })
  const req = http.get({ port: store.port, host: '127.0.0.1', path: '/', agent })
  const [res] = await once(req, 'response')
  res.resume()
  await once(res, 'end')
  const closed = once(req.socket, 'close')
  await store.close()
  await closed
  agent.destroy()
  expect(fs.existsSync(store.dir)).toBe(false)
  await store.close()
})

test.each([
  ['an impossible bucket', { buckets: ['Wrong'] }, 'not valid'],
  ['a misspelled option', { bukets: [] }, 'bukets'],
  ['a misspelled fault', { faults: [{ operatoin: 'GetObject' }] }, 'operatoin'],
])('a store that cannot start for %s says so and leaves nothing behind', async (_, options, message) => {
  await expect(startStore(options)).rejects.toThrow(message)
  const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'xfer-test-'))
  const child = spawn(process.execPath, [MAIN, JSON.stringify(options)], { env: { ...process.env, TMPDIR: tmp } })
  child.stderr.setEncoding('utf8')
  const [[text], [status]] = await Promise.all([once(child.stderr, 'data'), once(child, 'close')])
  expect(text).toContain(message)
  expect(status).toBe(1)
  expect(fs.readdirSync(tmp)).toEqual([])
  fs.rmdirSync(tmp)
})

describe('a store as a process', () => {
  test.each([
    ['SIGTERM', child => child.kill('SIGTERM')],
    ['SIGINT', child => child.kill('SIGINT')],
    ['the end of its standard input', child => child.stdin.end()],
  ])('ends cleanly on %s', async (_, end) => {
    const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'xfer-test-'))
    const options = { buckets: ['first'], faults: [{ operation: 'GetObject', status: 503 }] }
    const { child, store } = await startProcess([JSON.stringify(options)], { env: { ...process.env, TMPDIR: tmp } })
    expect(await call(store, { method: 'PUT', path: '/first/key', body: 'x' })).toMatchObject({ status: 200 })
    expect(await call(store, { path: '/first/key' })).toMatchObject({ status: 503 })
    expect(fs.readdirSync(tmp)).toHaveLength(1)
    const exit = once(child, 'exit')
    end(child)
    expect(await exit).toEqual([0, null])
    expect(fs.readdirSync(tmp)).toEqual([])
    fs.rmdirSync(tmp)
  })

  test('says what is wrong and exits 1', async () => {
    const child = spawn(process.execPath, [MAIN, '{"nonsense":1}'], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stderr.setEncoding('utf8')
    const [[text], [status]] = await Promise.all([once(child.stderr, 'data'), once(child, 'exit')])
    expect(text).toContain('nonsense')
    expect(status).toBe(1)
  })
})

describe('made-up bytes', () => {
  const GIB = 2 ** 30

  test('agree with each other, and with their checksum, and take no disk', async () => {
    const store = await startStore({ synthetic: { 'src/big': 100 * GIB, 'src/small': 5_000_000, 'src/empty': 0 } })
    try {
      const head = await call(store, {
        method: 'HEAD',
        path: '/src/big',
        headers: { 'x-amz-checksum-mode': 'ENABLED' },
      })
      expect(head.headers).toMatchObject({ 'content-length': String(100 * GIB), 'x-amz-checksum-type': 'FULL_OBJECT' })
      const small = await call(store, { path: '/src/small', headers: { 'x-amz-checksum-mode': 'ENABLED' } })
      expect(small.headers['x-amz-checksum-crc32']).toBe(base64(zlib.crc32(small.bytes)))
      const range = await call(store, { path: '/src/small', headers: { range: 'bytes=4000000-4999999' } })
      expect(range.bytes.equals(small.bytes.subarray(4_000_000))).toBe(true)
      const far = async start =>
        (await call(store, { path: '/src/big', headers: { range: `bytes=${start}-${start + 999}` } })).bytes
      expect((await far(99 * GIB)).equals(await far(98 * GIB))).toBe(false)
      expect((await far(99 * GIB)).subarray(500).equals((await far(99 * GIB + 500)).subarray(0, 500))).toBe(true)
      expect(await call(store, { path: '/src/empty' })).toMatchObject({ status: 200, text: '' })
      expect(fs.readdirSync(path.join(store.dir, 'blobs'))).toEqual([])
    } finally {
      await store.close()
    }
  })
})
