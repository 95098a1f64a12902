'use strict'

/** Large objects below a prefix: all that describes them, what becomes of them while they are copied, and what is told. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')

const { sizesOf, openTrees } = require('../support/prefixes')
const { bytesOf, get, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(6 * MiB, 'large')
const OTHER = bytesOf(7 * MiB, 'other')
const account = (name, ...actions) => ({ accessKeyId: name, secretAccessKey: `secret-of-${name}`, actions })
const OWNER = { accessKeyId: 'owner', secretAccessKey: 'secret-of-owner' }
const WRITER = account(
  'writer',
  ...['s3:PutObject', 's3:GetObject', 's3:ListBucket', 's3:AbortMultipartUpload'],
  ...['s3:ListMultipartUploadParts', 's3:ListBucketMultipartUploads'],
)

let source
let destination
let trees
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore({ accounts: [OWNER, WRITER] })])
})
beforeEach(async () => {
  trees = await openTrees({ source, destination })
})
afterEach(async () => {
  source.faults.clear()
  destination.faults.clear()
  for (const store of [trees.from, trees.to]) {
    await store.removeAll(Object.keys(await sizesOf(store)))
    expect((await store.upload.pending({ prefix: '' })).uploads).toEqual([])
  }
  trees.close()
})
afterAll(() => Promise.all([source.close(), destination.close()]))

const isCopied = async (key, body) => (await get(trees.to, key)).equals(body)

/** Something is done once a request of this kind has begun, which waits for it. */
function whenBegun(server, { operation, key, nth = 1 }, action) {
  server.faults.add({ operation, key, nth, delayMs: 1_500 })
  let seen = 0
  return new Promise((resolve, reject) => {
    server.on('begin', event => {
      if (event.operation === operation && event.key === key && ++seen === nth) action().then(resolve, reject)
    })
  })
}

describe('an object that is another one by now', () => {
  test('is copied as it is, where it changes while its parts are copied', async () => {
    await put(trees.from, 'tree/a', LARGE)
    const changed = whenBegun(source, { operation: 'GetObject', key: 'tree/a' }, () => put(trees.from, 'tree/a', OTHER))
    const { status, last } = await trees.run(['copy', '--concurrency', '1'])
    await changed
    expect({ status, objects: last.objects }).toMatchObject({ status: 0, objects: { copied: 1 } })
    expect(await isCopied('tree/a', OTHER)).toBe(true)
  })

  test('fails where it never stays the same', async () => {
    await put(trees.from, 'tree/a', LARGE)
    source.faults.add({ operation: 'GetObject', status: 412 })
    const { status, events } = await trees.run(['copy'])
    expect(status).toBe(1)
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'a', code: 'SOURCE_CHANGED' }])
    expect(source.requests.HeadObject).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ['small', bytesOf(1000, 'small')],
    ['empty', Buffer.alloc(0)],
  ])('is copied right where it has become %s', async (_, now) => {
    await put(trees.from, 'tree/a', LARGE)
    const changed = whenBegun(source, { operation: 'HeadObject', key: 'tree/a' }, () =>
      put(trees.from, 'tree/a', now, { user: { color: 'red' } }),
    )
    const { CreateMultipartUpload: before } = destination.requests
    const { status, objects } = await trees.run(['copy'])
    await changed
    expect({ status, objects }).toMatchObject({ status: 0, objects: [{ name: 'a', bytes: now.length }] })
    expect(destination.requests.CreateMultipartUpload).toBe(before)
    expect(await isCopied('tree/a', now)).toBe(true)
    expect((await trees.to.head('tree/a')).metadata.user).toEqual({ color: 'red' })
  })
})

test.each(['--ignore-existing', '--no-clobber'])(
  'what somebody else writes meanwhile is left alone with %s',
  async option => {
    await put(trees.from, 'tree/a', LARGE)
    const written = whenBegun(destination, { operation: 'UploadPart', key: 'tree/a' }, () =>
      put(trees.to, 'tree/a', Buffer.from('theirs')),
    )
    const { status, last } = await trees.run(['copy', option])
    await written
    expect({ status, code: last.code }).toEqual({ status: 0, code: undefined })
    expect(await trees.text(trees.to, 'tree/a')).toBe('theirs')
  },
)

test.each([
  ['by the run that goes on', []],
  ['where the job begins anew', ['--restart']],
])('what an earlier run began of an object that is gone since is aborted %s', async (_, flags) => {
  const folder = mkdtempSync(join(tmpdir(), 'xfer-test-prefix-large-'))
  const env = { XDG_STATE_HOME: folder }
  await trees.fill({ 'tree/a': LARGE, 'tree/b': 'small' })
  destination.faults.add({ operation: 'UploadPart', stall: true })
  const { child, ended } = trees.start(['copy'], { env })
  await new Promise(resolve => {
    destination.on('begin', ({ operation }) => operation === 'UploadPart' && resolve(undefined))
  })
  child.kill('SIGKILL')
  await ended
  destination.faults.clear()
  expect(await uploadsOf(trees.to, 'tree/a')).toHaveLength(1)
  await trees.from.removeAll(['tree/a'])
  const { status } = await trees.run(['copy', ...flags], { env })
  expect({ status, uploads: await uploadsOf(trees.to, 'tree/a') }).toEqual({ status: 0, uploads: [] })
  rmSync(folder, { recursive: true })
})
