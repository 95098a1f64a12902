'use strict'

/** Objects below a prefix that are not as was supposed, change, go, or are stored wrong. */

const { openKeptTrees, sizesOf } = require('../support/prefixes')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(6 * MiB, 'large')

let source
let trees
beforeEach(async () => {
  ;({ source, trees } = await openKeptTrees())
})
afterEach(async () => {
  expect((await trees.to.upload.pending({ prefix: '' })).uploads).toEqual([])
})

describe('a source that changes after it was listed', () => {
  const keys = Array.from({ length: 40 }, (_, i) => `tree/n${String(i).padStart(3, '0')}`)

  /** Copies, and does something once the source has answered the list, before anything is read. */
  async function copyWhile(act) {
    await trees.fill(Object.fromEntries(keys.map(key => [key, `${key} first`])))
    source.faults.add({ operation: ['GetObject', 'HeadObject'], delayMs: 300 })
    const acted = new Promise((resolve, reject) => {
      source.on('request', function once({ operation }) {
        if (operation !== 'ListObjectsV2') return
        source.off('request', once)
        act().then(resolve, reject)
      })
    })
    const { status, last } = await trees.run(['copy'])
    await acted
    return { status, objects: last.objects }
  }

  test('has what is there now copied, small or large', async () => {
    const now = { 'tree/n001': Buffer.from('now'), 'tree/n030': LARGE, 'tree/n031': Buffer.alloc(0) }
    const run = await copyWhile(() => trees.fill(now))
    expect(run).toMatchObject({ status: 0, objects: { chosen: 40, copied: 40 } })
    for (const [key, bytes] of Object.entries(now)) expect((await get(trees.to, key)).equals(bytes)).toBe(true)
  })

  test('has what is gone left out, and nothing else harmed', async () => {
    const gone = ['tree/n000', 'tree/n001', 'tree/n035']
    const run = await copyWhile(() => trees.from.removeAll(gone))
    expect(run).toMatchObject({ status: 0, objects: { listed: 40, chosen: 37, copied: 37, skipped: 3, gone: 3 } })
    expect(Object.keys(await sizesOf(trees.to))).toEqual(keys.filter(key => !gone.includes(key)))
  })
})

describe('a large object that is another one by now', () => {
  beforeEach(() => put(trees.from, 'tree/a', LARGE))

  test('is copied as it is, where it changes while its parts are copied', async () => {
    const other = bytesOf(7 * MiB, 'other')
    source.faults.add({ operation: 'GetObject', key: 'tree/a', nth: 1, delayMs: 1_500 })
    const changed = new Promise((resolve, reject) => {
      source.on('begin', function once({ operation }) {
        if (operation !== 'GetObject') return
        source.off('begin', once)
        put(trees.from, 'tree/a', other).then(resolve, reject)
      })
    })
    const { status, last } = await trees.run(['copy', '--concurrency', '1'])
    await changed
    expect({ status, objects: last.objects }).toMatchObject({ status: 0, objects: { copied: 1 } })
    expect((await get(trees.to, 'tree/a')).equals(other)).toBe(true)
  })

  test('fails where it never stays the same', async () => {
    source.faults.add({ operation: 'GetObject', status: 412 })
    const { status, events } = await trees.run(['copy'])
    expect(status).toBe(1)
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'a', code: 'SOURCE_CHANGED' }])
    expect(source.requests.HeadObject).toBeGreaterThanOrEqual(3)
  })
})
