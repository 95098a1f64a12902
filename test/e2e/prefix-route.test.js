'use strict'

/** Prefixes within one store: it copies by itself, no byte is read, and what it refuses goes through the engine. */

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { startStore } = require('../../sandbox/store')
const { cut, uploadParts } = require('../../sandbox/parts')
const { sizesOf, openTrees } = require('../support/prefixes')
const { counted } = require('../support/requests')
const { eventsOf, startXfer } = require('../support/run-xfer')
const { SERVERS } = require('../support/servers')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const LARGE = bytesOf(11 * MiB, 'large')
const DESCRIBED = {
  headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' },
  user: { color: 'dark blue' },
  tags: [['project', 'Apollo 11']],
  storageClass: 'STANDARD_IA',
}

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

const noticesOf = ({ events }) => events.flatMap(event => (event.type === 'notice' ? [event.message] : []))
const isCopied = async (key, body) => (await get(trees.to, key)).equals(body)
/** @param {string} command @param {string[]} flags @param {object} [options] */
const run = (command, flags = [], options) => trees.run([command, '--route', 'auto', ...flags], options)

async function fill() {
  await trees.fill({ 'tree/a': 'one', 'tree/b/c': 'two', 'tree/empty': '' })
  await put(trees.from, 'tree/d', Buffer.from('described'), DESCRIBED)
  await put(trees.from, 'tree/large', LARGE, DESCRIBED)
}

test('small objects cost one request each, large ones their parts, and no byte is read', async () => {
  await fill()
  const { result, asked } = await counted(server, () => run('copy'))
  expect(result).toMatchObject({ status: 0, stderr: '' })
  expect(asked).toMatchObject({
    CopyObject: 4,
    CreateMultipartUpload: 1,
    UploadPartCopy: 3,
    CompleteMultipartUpload: 1,
  })
  expect(asked).not.toHaveProperty('GetObject')
  expect(asked).not.toHaveProperty('PutObject')
  expect(asked).not.toHaveProperty('UploadPart')
  // Of the large one, and of what has a storage class, whether that was kept.
  expect(asked.HeadObject).toBeLessThanOrEqual(3)
  expect(result.events[0]).toMatchObject({
    type: 'plan',
    engine: 'server',
    where: server.endpoint,
    why: 'source and destination are in one store, which copies by itself',
  })
  expect(result.last).toMatchObject({
    engine: 'server',
    byStore: 5,
    objects: { copied: 5 },
    proof: { 'source-etag': 4, store: 1 },
  })
  expect(await sizesOf(trees.to)).toEqual(await sizesOf(trees.from))
  expect(await isCopied('tree/large', LARGE)).toBe(true)
  const { headers, user, tags, storageClass } = DESCRIBED
  for (const key of ['tree/d', 'tree/large']) {
    expect(await trees.to.head(key)).toMatchObject({ metadata: { headers, user }, storageClass })
    expect(await trees.to.tags.read(key)).toEqual(tags)
  }
})

test('an object that fits into --chunk is copied in one request, however it was uploaded', async () => {
  await put(trees.from, 'tree/large', LARGE)
  await uploadParts(server, 'origin', 'tree/parts', cut(LARGE, 6 * MiB), { checksum: 'FULL_OBJECT' })
  const { result, asked } = await counted(server, () => run('copy', ['--chunk', '100']))
  expect([asked.CopyObject, asked.UploadPartCopy]).toEqual([2, undefined])
  // Of the one in parts the ETag is another, and the checksum is not.
  expect(result.last).toMatchObject({ proof: { 'source-etag': 1, 'stored-crc32': 1 } })
})

test('options override the attributes of the objects', async () => {
  await fill()
  const flags = ['--metadata-set', 'shape=round', '--storage-class', 'ONEZONE_IA', '--tags', 'none', '--mtime']
  const { result, asked } = await counted(server, () => run('copy', flags))
  expect([result.status, asked.GetObject]).toEqual([0, undefined])
  for (const key of ['tree/d', 'tree/large']) {
    const { lastModifiedMs } = await trees.from.head(key)
    expect(await trees.to.head(key)).toMatchObject({
      metadata: {
        headers: DESCRIBED.headers,
        user: { ...DESCRIBED.user, shape: 'round', mtime: String(lastModifiedMs / 1000) },
      },
      storageClass: 'ONEZONE_IA',
    })
    expect(await trees.to.tags.read(key)).toEqual([])
  }
})

test('a notice names an encryption key once', async () => {
  const encryption = { kind: 'aws:kms', keyId: 'arn:aws:kms:eu-west-1:1:key/mine' }
  for (const key of ['tree/a', 'tree/b']) await put(trees.from, key, Buffer.from(key), { encryption })
  const result = await run('copy')
  expect(result.status).toBe(0)
  expect(noticesOf(result)).toEqual([expect.stringMatching(/is encrypted with the KMS key/)])
})

test('sync does as copy does', async () => {
  await fill()
  await put(trees.to, 'tree/gone', Buffer.from('x'))
  const { result, asked } = await counted(server, () => run('sync', ['--delete']))
  expect(result).toMatchObject({ status: 0, last: { engine: 'server', objects: { copied: 5, deleted: 1 } } })
  expect(asked).not.toHaveProperty('GetObject')
  // By time one of the same second is copied again, where its ETag is another.
  expect((await run('sync', ['--size-only'])).last.objects).toMatchObject({ copied: 0, skipped: 5 })
})

test('a dry run says which way it would take', async () => {
  await fill()
  expect(await run('copy', ['--dry-run'])).toMatchObject({ status: 0, last: { dryRun: true, engine: 'server' } })
})

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

  test('is no failure where it is gone', async () => {
    await trees.fill({ 'tree/a': 'one', 'tree/b': 'two' })
    const gone = whenBegun('CopyObject', 'tree/a', () => trees.from.removeAll(['tree/a']))
    expect(await run('copy')).toMatchObject({ status: 0 })
    await gone
    expect(await sizesOf(trees.to)).toEqual({ 'tree/b': 3 })
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

describe('a store that does not copy', () => {
  const REFUSAL = /^The store does not copy this by itself \(.*\)\. What it does not copy goes through the engine\.$/

  test.each([
    { status: 403, code: 'AccessDenied' },
    { status: 501, code: 'NotImplemented' },
    { errorInBody: true, code: 'AccessDenied' },
  ])(
    '(%j) is asked a few times, that is told once, and the engine copies',
    async fault => {
      await fill()
      await trees.fill(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`tree/n${i}`, `number ${i}`])))
      server.faults.add({ operation: ['CopyObject', 'UploadPartCopy'], ...fault })
      const { result, asked } = await counted(server, () => run('copy'))
      expect(result).toMatchObject({ status: 0, last: { engine: 'local', byStore: 0, objects: { copied: 405 } } })
      expect(noticesOf(result)).toEqual([expect.stringMatching(REFUSAL)])
      // As many as were under way when the first was refused, and no more.
      expect(asked.CopyObject).toBeLessThan(300)
      expect(await isCopied('tree/large', LARGE)).toBe(true)
      expect(await isCopied('tree/n399', Buffer.from('number 399'))).toBe(true)
      expect(await trees.to.tags.read('tree/d')).toEqual(DESCRIBED.tags)
    },
    60_000,
  )

  test('is given up if it fails again and again', async () => {
    await fill()
    server.faults.add({ operation: ['CopyObject', 'UploadPartCopy'], status: 500 })
    const result = await run('copy', ['--retries', '1'])
    expect(result).toMatchObject({ status: 0, last: { engine: 'local', byStore: 0 } })
    expect(await isCopied('tree/large', LARGE)).toBe(true)
  }, 60_000)

  test('has what is larger than a chunk copied in parts, where one request was refused', async () => {
    const body = bytesOf(101 * MiB, 'larger')
    await put(trees.from, 'tree/larger', body)
    server.faults.add({ operation: 'CopyObject', status: 501, code: 'NotImplemented' })
    const { result, asked } = await counted(server, () => run('copy', ['--chunk', '100']))
    expect(result).toMatchObject({ status: 0, last: { engine: 'local', objects: { copied: 1 } } })
    expect([asked.UploadPart, asked.UploadPartCopy]).toEqual([2, undefined])
    expect(await isCopied('tree/larger', body)).toBe(true)
  }, 60_000)

  test('of some objects alone goes on with the others', async () => {
    await fill()
    server.faults.add({ operation: 'CopyObject', key: 'tree/d', status: 403, code: 'AccessDenied' })
    const result = await run('copy')
    expect(result).toMatchObject({ status: 0, last: { engine: 'server', byStore: 4, objects: { copied: 5 } } })
    expect(noticesOf(result)).toEqual([expect.stringMatching(REFUSAL)])
    expect((await trees.to.head('tree/d')).metadata.user).toEqual(DESCRIBED.user)
  })

  test('is not replaced by the engine with --route server', async () => {
    await trees.fill({ 'tree/a': 'one', 'tree/b': 'two' })
    server.faults.add({ operation: 'CopyObject', key: 'tree/a', status: 501, code: 'NotImplemented' })
    const { status, events } = await trees.run(['copy', '--route', 'server'])
    expect(status).toBe(1)
    expect(events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'a', code: 'COPY_REFUSED' }])
    expect(await sizesOf(trees.to)).toEqual({ 'tree/b': 3 })
  })
})

test('tags that may not be read with the destination’s credentials are sent', async () => {
  await put(trees.from, 'tree/a', Buffer.from('one'), DESCRIBED)
  await put(trees.from, 'tree/b', Buffer.from('two'), DESCRIBED)
  // Of the first one alone: what it showed holds for the second.
  server.faults.add({ operation: 'CopyObject', key: 'tree/a', first: 1, status: 403, code: 'AccessDenied' })
  const result = await run('copy', ['--concurrency', '1'])
  expect(result).toMatchObject({ status: 0, last: { byStore: 2 } })
  for (const key of ['tree/a', 'tree/b']) expect(await trees.to.tags.read(key)).toEqual(DESCRIBED.tags)
})

test('a storage class that is not there is told of, once, and left out', async () => {
  for (const key of ['tree/a', 'tree/b']) await put(trees.from, key, Buffer.from(key), { storageClass: 'STANDARD_IA' })
  // What it said of the first one holds for the second.
  server.faults.add({ operation: 'CopyObject', first: 1, status: 400, code: 'InvalidStorageClass' })
  const result = await run('copy')
  expect(result).toMatchObject({ status: 0, last: { byStore: 2 } })
  expect(noticesOf(result)).toEqual([
    expect.stringMatching(/in its store's default storage class/),
    expect.stringMatching(/^In all 2 objects are/),
  ])
  expect(await trees.to.head('tree/b')).not.toHaveProperty('storageClass')
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

test.each([
  ['--route engine', ['--route', 'engine']],
  ['--bandwidth', ['--route', 'auto', '--bandwidth', '100M']],
  ['--verify full', ['--route', 'auto', '--verify', 'full']],
])('%s has the engine copy', async (_, flags) => {
  await trees.fill({ 'tree/a': 'one' })
  const { result, asked } = await counted(server, () => trees.run(['copy', ...flags]))
  expect(result).toMatchObject({ status: 0, last: { engine: 'local' } })
  expect(result.last).not.toHaveProperty('byStore')
  expect(asked.CopyObject).toBeUndefined()
})

test('--route server is refused where it cannot be', async () => {
  const { status, last } = await trees.run(['copy', '--route', 'server', '--verify', 'full'])
  expect({ status, message: last.message }).toEqual({
    status: 2,
    message: '--route server leaves the copy to the store, and --verify full reads all that lies below a prefix.',
  })
})

describe.each(SERVERS)('on $name', ({ start }) => {
  let other
  let own
  beforeAll(async () => {
    other = await start()
    own = await openTrees({ source: other })
    for (const key of ['tree/a', 'tree/b/c', 'tree/empty']) {
      await put(own.from, key, Buffer.from(key === 'tree/empty' ? '' : key), { user: { color: 'blue' } })
    }
    await put(own.from, 'tree/large', LARGE, { user: { color: 'blue' } })
    await uploadParts(other, 'origin', 'tree/parts', cut(LARGE, 5 * MiB))
  }, 60_000)
  afterAll(async () => {
    own?.close()
    await other?.close()
  })

  test.each([
    ['copy', []],
    ['copy', ['--ignore-existing']],
    ['copy', ['--metadata-set', 'shape=round']],
    ['sync', ['--chunk', '100']],
  ])(
    '%s %j copies by the store alone',
    async (command, flags) => {
      const target = `${command}${flags.join('').replaceAll('-', '')}/`
      const { status, last, events } = await own.run([command, '--route', 'server', ...flags], { target })
      expect(events.filter(({ type }) => type === 'failure')).toEqual([])
      expect({ status, last }).toMatchObject({ status: 0, last: { engine: 'server', byStore: 5 } })
      const user = { color: 'blue', ...(flags.includes('shape=round') && { shape: 'round' }) }
      for (const key of ['a', 'b/c', 'empty', 'large']) {
        expect((await own.to.head(target + key)).metadata.user).toEqual(user)
        expect((await get(own.to, target + key)).equals(await get(own.from, `tree/${key}`))).toBe(true)
      }
      expect((await get(own.to, `${target}parts`)).equals(LARGE)).toBe(true)
      expect((await own.to.upload.pending({ prefix: target })).uploads).toEqual([])
    },
    60_000,
  )
})
