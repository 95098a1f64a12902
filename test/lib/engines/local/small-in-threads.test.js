'use strict'

/** Small objects on a thread: this one makes their writes, from what the thread has read. */

const { readdirSync } = require('node:fs')
const http = require('node:http')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')
const { crc32 } = require('node:zlib')
const { createSums } = require('../../../../actions/copy-range/copy')
const { createSmallInThreads } = require('../../../../lib/engines/local/small-in-threads')
const { noteProxy } = require('../../../../lib/http')
const { newFolder } = require('../../../support/folder')
const { closing, listen } = require('../../../support/listen')
const { put } = require('./transports/tasks')

const accepts = { statuses: [200], describes: ['content-type'] }
const KEYS = Array.from({ length: 40 }, (_, i) => `/${i}`)
const bodyOf = key => (key.startsWith('/large') ? 'x'.repeat(200_000) : `bytes of ${key}`)

let store
beforeEach(async () => {
  const written = new Map()
  const server = http.createServer(async (request, response) => {
    const { method, url, headers } = request
    response.setHeader('etag', '"x"')
    if (method === 'GET') return response.setHeader('content-type', `text/of${url.slice(1)}`).end(bodyOf(url))
    const pieces = await request.toArray()
    written.set(url, { body: String(Buffer.concat(pieces)), type: headers['content-type'], sum: headers.sum })
    response.end()
  })
  store = { ...(await listen(server)), written }
})

/** @param {string} key @param {string[]} kinds of checksums that its write needs */
function taskOf(key, kinds = ['crc32']) {
  const bytes = Buffer.byteLength(bodyOf(key))
  const url = store.url + key
  return {
    ...{ partNumber: 1, bytes, sums: [], expect: { etag: '"x"', totalBytes: bytes } },
    read: { method: 'GET', url, headers: {}, accepts },
    async late({ headers, digest }) {
      const sums = await digest(kinds)
      const sent = { 'content-type': headers['content-type'], 'content-length': String(bytes), sum: sums.crc32 }
      return { sums, write: { method: 'PUT', url, headers: sent, accepts } }
    },
  }
}
const GiB = 1024 ** 3
function open(how) {
  const opened = createSmallInThreads({}, { threads: 1, memoryBytes: GiB, ...how })
  closing(opened.close)
  return opened
}
const run = (tasks, how) => open().run(tasks, { signal: new AbortController().signal, parallel: 8, ...how })
const crcOf = key => crc32(bodyOf(key)).toString(16).padStart(8, '0')

test('each object is written with what its read has told', async () => {
  const outcomes = await run(KEYS.map(key => taskOf(key)))
  expect(outcomes.map(({ sums }) => sums.crc32)).toEqual(KEYS.map(crcOf))
  const expected = KEYS.map(key => [key, { body: bodyOf(key), type: `text/of${key.slice(1)}`, sum: crcOf(key) }])
  expect(Object.fromEntries(store.written)).toEqual(Object.fromEntries(expected))
})

test('checksums that no object before has needed are computed too', async () => {
  const copy = open()
  const { signal } = new AbortController()
  for (const kinds of [['crc32'], ['crc32', 'md5'], ['crc64nvme']]) {
    const [{ sums }] = await copy.run([taskOf('/0', kinds)], { signal })
    const expected = createSums(kinds)
    expected.update(Buffer.from(bodyOf('/0')))
    expect(sums).toEqual(expected.digest())
  }
})

test('a write that cannot be made fails its object alone, with the cause itself', async () => {
  const cause = new Error('no keys')
  const [first, second] = await run([{ ...taskOf('/refused'), late: () => Promise.reject(cause) }, taskOf('/1')])
  expect(first.error.known).toBe(cause)
  expect(second.sums.crc32).toBe(crcOf('/1'))
  expect([...store.written.keys()]).toEqual(['/1'])
})

test('an abort ends what is under way, and nothing is written any more', async () => {
  const controller = new AbortController()
  const late = async told => {
    controller.abort()
    return await taskOf('/0').late(told)
  }
  const outcomes = await run([{ ...taskOf('/0'), late }, taskOf('/1')], { signal: controller.signal, parallel: 1 })
  expect(outcomes.map(({ error }) => error?.code)).toEqual(['CANCELLED', 'CANCELLED'])
  expect(store.written.size).toBe(0)
})

test('files that an abort leaves half written are gone when the threads are', async () => {
  const folder = newFolder()
  const controller = new AbortController()
  const half = () => readdirSync(folder).filter(name => name.endsWith('.partial'))
  let over = false
  const abortOnceBegun = () => {
    if (half().length > 3) controller.abort()
    else if (!over) setImmediate(abortOnceBegun)
  }
  abortOnceBegun()
  const tasks = KEYS.map(name => {
    const key = `/large${name.slice(1)}`
    const task = taskOf(key)
    const write = put(pathToFileURL(join(folder, key.slice(1))).href, task.bytes)
    return { ...task, late: async ({ digest }) => ({ sums: await digest(['crc32']), write }) }
  })
  const copy = createSmallInThreads({}, { threads: 1, memoryBytes: GiB })
  await copy.run(tasks, { signal: controller.signal, parallel: 40 })
  over = true
  await copy.close()
  expect(half()).toEqual([])
})

test('both requests take the proxy that the job has for them', async () => {
  const proxied = jest.fn((_, response) => response.writeHead(502).end())
  const proxy = await listen(http.createServer(proxied))
  const task = taskOf('/0')
  noteProxy(task.read, () => proxy.url)
  const [{ error }] = await run([task])
  expect([proxied.mock.calls.length, error.code]).toEqual([1, 'HTTP_STATUS'])
})

test.each([
  ['busy for long', 2_000, 0.9, {}, true],
  ['busy for a moment', 1_999, 1, {}, false],
  ['mostly waiting', 60_000, 0.89, {}, false],
  ['on the only core', 2_000, 1, { cores: 1 }, false],
  ['in a memory in which no thread fits', 2_000, 1, { memoryBytes: GiB / 16 }, false],
])('whether threads help if this one was %s', (_, ms, utilization, how, expected) => {
  let nowMs = 0
  const own = { now: () => nowMs, eventLoopUtilization: () => ({ idle: 0, active: 0, utilization }) }
  const { helps } = open({ cores: 2, own, ...how })
  expect(helps()).toBe(false)
  nowMs = ms
  expect(helps()).toBe(expected)
})
