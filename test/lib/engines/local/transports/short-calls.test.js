'use strict'

const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { bodyOf } = require('../../../../../lib/engines/local/transports/file/body')
const { openHandle } = require('../../../../../lib/engines/local/transports/file/handle')
const { createWriter } = require('../../../../../lib/engines/local/transports/file/writer')
const { someBytes } = require('../../../../action/stores')

const folder = fs.mkdtempSync(join(tmpdir(), 'xfer-short-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const BYTES = someBytes(5000)

/** The file behind a file system that moves at most 7 bytes a call. @param {string} flags */
async function shortHandle(path, flags) {
  const handle = await openHandle(path, flags)
  return {
    ...handle,
    read: (memory, offset, bytes, at, done) => handle.read(memory, offset, Math.min(7, bytes), at, done),
    write: ([first], at, done) => handle.write([first.subarray(0, 7)], at, done),
  }
}

test('a file system that reads less than it was asked for is asked again', async () => {
  const path = join(folder, 'read')
  fs.writeFileSync(path, BYTES)
  const handle = await shortHandle(path, 'r')
  const found = await new Promise((resolve, reject) => {
    const pieces = []
    const on = { check: async () => {}, shrunk: () => new Error('shrunk'), lost: reject }
    const { body } = bodyOf(handle, { start: 10, end: 5000 }, on)
    body.start({ data: piece => pieces.push(Buffer.from(piece)), end: () => resolve(Buffer.concat(pieces)) })
  })
  expect(found.equals(BYTES.subarray(10))).toBe(true)
})

test('a file system that writes less than it was given is given the rest', async () => {
  const path = join(folder, 'write')
  const handle = await shortHandle(path, 'w')
  await new Promise((resolve, reject) => {
    const writer = createWriter(handle, 0, { drain() {}, failed: reject })
    for (let at = 0; at < 5000; at += 10) writer.write(BYTES.subarray(at, at + 10))
    writer.end(resolve)
  })
  handle.close()
  expect(fs.readFileSync(path).equals(BYTES)).toBe(true)
})

test('a write of nothing is an error, not a loop', async () => {
  const handle = await openHandle(join(folder, 'nothing'), 'w')
  const stuck = { ...handle, write: (_pieces, at, done) => handle.write([], at, done) }
  const error = await new Promise(resolve => {
    createWriter(stuck, 0, { drain() {}, failed: resolve }).write(BYTES)
  })
  handle.close()
  expect(error).toMatchObject({ code: 'EIO' })
})

const onLinux = process.platform === 'linux' ? test : test.skip
onLinux('a file is closed only after the call that hangs in it', async () => {
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const handle = await openHandle(path, 'r+')
  const open = () => fs.readdirSync('/proc/self/fd').some(fd => isPipe(`/proc/self/fd/${fd}`))
  const isPipe = link => fs.existsSync(link) && fs.readlinkSync(link) === fs.realpathSync(path)
  const memory = Buffer.alloc(5)
  const read = new Promise((resolve, reject) => {
    // A pipe has no places to read at.
    handle.read(memory, 0, 5, null, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
  handle.close()
  handle.close()
  expect(open()).toBe(true)
  fs.writeFileSync(path, 'late')
  expect(await read).toBe(4)
  while (open()) await new Promise(setImmediate)
})
