'use strict'

/**
 * Stores that answer a write well and show something else: nothing ends with 0 that the destination does not show, and no
 * source of a move is deleted for it.
 */

const { Readable } = require('node:stream')
const xfer = require('../../lib')
const { startStore } = require('../support/opened')
const { openTrees, sizesOf } = require('../support/prefixes')
const { openRoute } = require('../support/copies')
const { bareEnv, runXfer } = require('../support/run-xfer')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
jest.setTimeout(120_000)

let source
let destination
beforeEach(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore()])
})

const openPair = (ends = { source, destination }) => openRoute(ends)
const openTree = (ends = { source, destination }) => openTrees(ends)

describe('one object', () => {
  test.each(['nothing', 'other'])(
    'that a store moves by itself, and of which it keeps %s, keeps its source',
    async keeps => {
      const route = await openPair({ source: destination, destination })
      await put(route.from, 'one', bytesOf(1000))
      destination.faults.add({ operation: ['CopyObject', 'PutObject'], keeps })
      const { status } = await runXfer(['mv', 's3://source/one', 's3://target/one'], { env: route.env })
      expect(status).not.toBe(0)
      expect((await get(route.from, 'one')).equals(bytesOf(1000))).toBe(true)
    },
  )
})

describe('below a prefix', () => {
  const TREE = { 'tree/a': 'the first', 'tree/b': 'x'.repeat(3000), 'tree/c': '' }

  test.each([
    ['under a condition', {}, ['--no-clobber'], 'x'.repeat(100)],
    ['in parts', { md5Etags: false }, [], bytesOf(6 * MiB)],
  ])('a move by the store %s keeps the source of which it keeps something else', async (_, options, flags, body) => {
    destination = await startStore(options)
    const trees = await openTree({ source: destination, destination })
    await trees.fill({ 'tree/a': 'a', 'tree/b': body, 'tree/c': 'c' })
    const operation = ['CopyObject', 'PutObject', 'CompleteMultipartUpload']
    destination.faults.add({ operation, key: 'tree/b', bucket: 'target', keeps: 'other' })
    const { status } = await trees.start(['mv', '-r', '--route', 'auto', ...flags]).ended
    expect(status).toBe(1)
    expect(Object.keys(await sizesOf(trees.from))).toEqual(['tree/b'])
  })

  test('a move deletes no source whose copy does not show', async () => {
    const trees = await openTree()
    await trees.fill(TREE)
    destination.faults.add({ operation: 'PutObject', key: 'tree/b', keeps: 'nothing' })
    const { status } = await trees.start(['mv', '--retries', '0', '-r']).ended
    expect(status).toBe(1)
    expect(Object.keys(await sizesOf(trees.from))).toEqual(['tree/b'])
  })
})

describe('a store that hides what is below an object', () => {
  test.each([
    ['MinIO', 0],
    // Nothing is known of it before the list shows it.
    ['Oddity/1.0', 1],
  ])('a move to %s fails such a key by name, and its source stays', async (serverName, written) => {
    destination = await startStore({ hidesBelow: true, serverName })
    const trees = await openTree()
    await trees.fill({ 'tree/a': '1', 'tree/a/b': '2', 'tree/a-b': '3', 'tree/c': '4' })
    let writes = 0
    destination.on('begin', ({ operation, key }) => {
      if (operation === 'PutObject' && key === 'tree/a/b') writes++
    })
    const { status, events } = await trees.run(['mv', '-r'])
    const failed = events.filter(({ type }) => type === 'failure').map(({ name, code }) => ({ name, code }))
    expect({ status, failed, writes }).toEqual({
      status: 1,
      failed: [{ name: 'a/b', code: 'KEY_INVALID' }],
      writes: written,
    })
    expect(Object.keys(await sizesOf(trees.from))).toContain('tree/a/b')
  })
})

describe('the upload of a service', () => {
  test.each([
    ['that is known to check, and to show at once, is one request', {}, 1],
    ['of which nothing is known gets a HEAD each', { serverName: 'Oddity/1.0' }, 4],
  ])('to a store %s', async (_, options, heads) => {
    destination = await startStore(options)
    const route = await openPair()
    const env = { ...bareEnv, ...route.env }
    for (const key of ['1', '2', '3']) {
      await xfer.upload(Readable.from([Buffer.from(key)]), `s3://target/${key}`, { env })
    }
    const { PutObject, HeadObject } = destination.requests
    expect({ PutObject, HeadObject }).toEqual({ PutObject: 3, HeadObject: heads })
  })
})
