'use strict'

/** Prefixes within one store: it copies by itself, no byte is read, and what it refuses goes through the engine. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { sizesOf, openTrees } = require('../support/prefixes')
const { counted } = require('../support/requests')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(11 * MiB, 'large')

let server
let trees
beforeAll(async () => {
  server = await startStore()
})
beforeEach(async () => {
  trees = await openTrees({ source: server })
})
afterEach(async () => {
  server.faults.clear()
  for (const store of [trees.from, trees.to]) {
    await store.removeAll(Object.keys(await sizesOf(store)))
    expect((await store.upload.pending({ prefix: '' })).uploads).toEqual([])
  }
  trees.close()
})
afterAll(() => server.close())

const isCopied = async (key, body) => (await get(trees.to, key)).equals(body)
/** @param {string} command @param {string[]} flags @param {object} [options] */
const run = (command, flags = [], options) => trees.run([command, '--route', 'auto', ...flags], options)

describe('an object that is another one by now', () => {
  /** @param {string} operation @param {string} key @param {() => Promise<unknown>} action */
  function whenBegun(operation, key, action) {
    server.faults.add({ operation, key, first: 1, delayMs: 1_500 })
    let seen = false
    return new Promise((resolve, reject) => {
      server.on('begin', event => {
        if (seen || event.operation !== operation || event.key !== key) return
        seen = true
        action().then(resolve, reject)
      })
    })
  }

  test.each([
    ['CopyObject', 'one', 'another'],
    ['UploadPartCopy', LARGE, bytesOf(12 * MiB, 'other')],
    ['UploadPartCopy', LARGE, 'small'],
    ['CopyObject', 'one', bytesOf(12 * MiB, 'other')],
  ])('is copied as it is (%s, %#)', async (operation, before, after) => {
    await trees.fill({ 'tree/a': before })
    const changed = whenBegun(operation, 'tree/a', () => put(trees.from, 'tree/a', Buffer.from(after)))
    const { status, last } = await run('copy')
    await changed
    expect({ status, byStore: last.byStore }).toEqual({ status: 0, byStore: 1 })
    expect(await isCopied('tree/a', Buffer.from(after))).toBe(true)
  })
})

describe('--ignore-existing', () => {
  test('copies under a condition, and leaves alone what somebody else writes meanwhile', async () => {
    await trees.fill({ 'tree/a': 'one', 'tree/b': 'two', 'tree/empty': '', 'tree/large': LARGE })
    await put(trees.to, 'tree/b', Buffer.from('theirs'))
    server.faults.add({ operation: 'CompleteMultipartUpload', key: 'tree/a', first: 1, delayMs: 1_500 })
    const written = new Promise((resolve, reject) => {
      server.on('begin', ({ operation, key }) => {
        if (operation !== 'CompleteMultipartUpload' || key !== 'tree/a') return
        put(trees.to, 'tree/a', Buffer.from('quicker')).then(resolve, reject)
      })
    })
    const { result, asked } = await counted(server, () => run('copy', ['--ignore-existing']))
    await written
    expect(result).toMatchObject({ status: 0, last: { engine: 'server', objects: { skipped: 2 } } })
    expect(asked).not.toHaveProperty('UploadPart')
    expect(await trees.text(trees.to, 'tree/a')).toBe('quicker')
    expect(await trees.text(trees.to, 'tree/b')).toBe('theirs')
    expect(await sizesOf(trees.to)).toMatchObject({ 'tree/empty': 0, 'tree/large': LARGE.length })
  })
})

test('a job that is killed goes on where it was, and leaves no upload', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-test-prefix-route-'))
  const env = { XDG_STATE_HOME: folder }
  const names = Array.from({ length: 300 }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)
  await trees.fill({ ...Object.fromEntries(names.map(key => [key, key])), 'tree/z': LARGE })
  server.faults.add({ operation: ['CopyObject', 'UploadPartCopy'], delayMs: 30 })
  const { child, ended } = trees.start(['copy', '--route', 'auto', '--concurrency', '2'], { env })
  let asked = 0
  await new Promise(resolve => {
    server.on('request', ({ operation }) => {
      if (/^(CopyObject|UploadPartCopy)$/.test(operation) && ++asked === 100) resolve(undefined)
    })
  })
  child.kill('SIGKILL')
  await ended
  server.faults.clear()
  const resumed = await startXfer(['resume', '--json'], { env: { ...trees.env, ...env } }).ended
  const last = eventsOf(resumed).at(-1)
  expect({ status: resumed.status, engine: last.engine }).toEqual({ status: 0, engine: 'server' })
  expect(last.objects.copied).toBeLessThan(301 - 50)
  expect(Object.keys(await sizesOf(trees.to))).toHaveLength(301)
  expect(await isCopied('tree/z', LARGE)).toBe(true)
  rmSync(folder, { recursive: true })
})
