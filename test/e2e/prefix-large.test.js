'use strict'

/** Large objects below a prefix: all that describes them, what becomes of them while they are copied, and what is told. */

const { randomBytes } = require('node:crypto')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { readCustomerKey } = require('../../lib/stores/s3/settings/customer-key')
const { cut, uploadParts } = require('../../sandbox/parts')
const { sizesOf, openTrees } = require('../support/prefixes')
const { bytesOf, get, openStore, put, uploadsOf } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(6 * MiB, 'large')
const OTHER = bytesOf(7 * MiB, 'other')
const EVERYTHING = {
  headers: { 'content-type': 'text/csv', 'cache-control': 'max-age=60' },
  user: { color: 'dark blue' },
  tags: [
    ['project', 'Apollo 11'],
    ['empty', ''],
  ],
  storageClass: 'STANDARD_IA',
}
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

const noticesOf = ({ events }) =>
  events.flatMap(event => (event.type === 'notice' ? [event.message] : (event.notices ?? [])))
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

describe('everything about a large object', () => {
  beforeEach(async () => {
    await put(trees.from, 'tree/a', LARGE, EVERYTHING)
    await put(trees.from, 'tree/b', OTHER, EVERYTHING)
  })

  test('arrives with it, and nothing has to be told', async () => {
    const run = await trees.run(['copy'])
    expect({ status: run.status, notices: noticesOf(run) }).toEqual({ status: 0, notices: [] })
    const { headers, user, storageClass } = EVERYTHING
    for (const key of ['tree/a', 'tree/b']) {
      expect(await trees.to.head(key)).toMatchObject({ metadata: { headers, user }, storageClass })
      expect(await trees.to.tags.read(key)).toEqual(EVERYTHING.tags)
    }
    expect(await isCopied('tree/a', LARGE)).toBe(true)
  })

  test('is overridden by options', async () => {
    const replaced = ['--metadata', 'replace', '--content-type', 'x/y', '--metadata-set', 'shape=round', '--mtime']
    const flags = [...replaced, '--tags', 'none', '--storage-class', 'ONEZONE_IA', '--sse', 'AES256']
    expect((await trees.run(['copy', ...flags])).status).toBe(0)
    const { lastModifiedMs } = await trees.from.head('tree/a')
    expect(await trees.to.head('tree/a')).toMatchObject({
      metadata: { headers: { 'content-type': 'x/y' }, user: { shape: 'round', mtime: String(lastModifiedMs / 1000) } },
      storageClass: 'ONEZONE_IA',
      encryption: { kind: 'AES256' },
    })
    expect(await trees.to.tags.read('tree/a')).toEqual([])
  })

  test('gives one notice for all if the destination does not take it', async () => {
    const writer = { XFER_DEST_ACCESS_KEY_ID: 'writer', XFER_DEST_SECRET_ACCESS_KEY: 'secret-of-writer' }
    const run = await trees.run(['copy'], { env: writer })
    expect(run.status).toBe(0)
    expect(noticesOf(run)).toEqual([
      expect.stringMatching(/^s3:\/\/target\/tree\/. is written without the 2 tags/),
      'In all 2 objects are written without their tags, for the reasons above.',
    ])
    expect(await trees.to.tags.read('tree/b')).toEqual([])
    expect(await isCopied('tree/b', OTHER)).toBe(true)
  })
})

test('a customer’s own keys are used at either side', async () => {
  const keys = { from: randomBytes(32), to: randomBytes(32) }
  const withKey = async (side, server, bucket, key) => {
    const customerKey = await readCustomerKey(side, { text: key.toString('base64') }, server.endpoint)
    return openStore(server, bucket, { customerKey })
  }
  const from = await withKey('source', source, 'origin', keys.from)
  await put(from, 'tree/a', LARGE)
  const env = {
    XFER_SOURCE_SSE_C_KEY: keys.from.toString('base64'),
    XFER_DEST_SSE_C_KEY: keys.to.toString('base64'),
  }
  const { status } = await trees.run(['copy'], { env })
  const to = await withKey('destination', destination, 'target', keys.to)
  expect({ status, same: (await get(to, 'tree/a')).equals(LARGE) }).toEqual({ status: 0, same: true })
  from.close()
  to.close()
})

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

  test('is no failure where it is gone', async () => {
    await trees.fill({ 'tree/a': LARGE, 'tree/b': 'small' })
    const removed = whenBegun(source, { operation: 'HeadObject', key: 'tree/a' }, () =>
      trees.from.removeAll(['tree/a']),
    )
    expect(await trees.run(['copy'])).toMatchObject({ status: 0, last: { objects: { chosen: 1, copied: 1, gone: 1 } } })
    await removed
    expect(await sizesOf(trees.to)).toEqual({ 'tree/b': 5 })
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

  test('is copied in parts where it has become large', async () => {
    await put(trees.from, 'tree/a', Buffer.from('small'))
    const changed = whenBegun(source, { operation: 'HeadObject', key: 'tree/a' }, () =>
      put(trees.from, 'tree/a', LARGE),
    )
    const before = destination.requests.UploadPart ?? 0
    const { status } = await trees.run(['copy'])
    await changed
    expect({ status, parts: destination.requests.UploadPart - before }).toEqual({ status: 0, parts: 2 })
    expect(await isCopied('tree/a', LARGE)).toBe(true)
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

test('an object with the very name of the prefix has none at a bucket', async () => {
  await put(trees.from, 'tree/', LARGE)
  const { status, events } = await trees.run(['copy'], { target: '' })
  expect(status).toBe(1)
  expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: '', code: 'NO_NAME' }])
  expect(await sizesOf(trees.to)).toEqual({})
  expect((await trees.run(['copy'], { target: 'below/' })).status).toBe(0)
  expect(await sizesOf(trees.to)).toEqual({ 'below/': LARGE.length })
})

describe('with --verify full', () => {
  test('large objects are read back', async () => {
    await put(trees.from, 'tree/a', LARGE)
    const before = destination.requests.GetObject ?? 0
    const { status, last, objects } = await trees.run(['copy', '--verify', 'full'])
    expect({ status, proof: last.proof }).toMatchObject({ status: 0, proof: { 'read-back': 1 } })
    expect(objects[0].proof).toContain('read-back')
    expect(destination.requests.GetObject - before).toBeGreaterThanOrEqual(2)
  })

  test('one that was stored wrong is removed, and the others are copied', async () => {
    await trees.fill({ 'tree/a': LARGE, 'tree/b': OTHER })
    destination.faults.add({
      operation: 'UploadPart',
      key: 'tree/a',
      partNumber: 2,
      on: 'stored',
      flipByteAt: 5,
    })
    const { status, events } = await trees.run(['copy', '--verify', 'full'])
    expect(status).toBe(1)
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'a', code: 'WRONG_COPY' }])
    expect(await sizesOf(trees.to)).toEqual({ 'tree/b': OTHER.length })
  })
})

test('parts of the source’s own size give its ETag with --chunk match', async () => {
  const body = bytesOf(11 * MiB, 'parts')
  const etag = await uploadParts(source, 'origin', 'tree/a', cut(body, 6 * MiB))
  const { status, objects } = await trees.run(['copy', '--chunk', 'match'])
  expect({ status, objects }).toMatchObject({
    status: 0,
    objects: [{ etag, proof: expect.arrayContaining(['source-etag']) }],
  })
})

test('retries are counted', async () => {
  await put(trees.from, 'tree/a', LARGE)
  destination.faults.add({ operation: 'UploadPart', first: 1, status: 500 })
  expect(await trees.run(['copy'])).toMatchObject({ status: 0, last: { retried: 1 } })
})

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
