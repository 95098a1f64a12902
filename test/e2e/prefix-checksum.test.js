'use strict'

/** `xfer sync --checksum`: where the lists do not tell, both stores are asked what they keep of the bytes. */

const { startStore } = require('../../sandbox/store')
const { cut, uploadParts } = require('../../sandbox/parts')
const { eventOf } = require('../support/events')
const { sizesOf, openTrees } = require('../support/prefixes')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2
const BODY = bytesOf(6 * MiB, 'body')
const OTHER = bytesOf(6 * MiB, 'other')

let source
let destination
let trees
beforeAll(async () => {
  ;[source, destination] = await Promise.all([startStore(), startStore()])
})
beforeEach(async () => {
  trees = await openTrees({ source, destination })
})
afterEach(async () => {
  source.faults.clear()
  destination.faults.clear()
  for (const store of [trees.from, trees.to]) await store.removeAll(Object.keys(await sizesOf(store)))
  trees.close()
})
afterAll(() => Promise.all([source.close(), destination.close()]))

/** In parts of other sizes at either side, with the CRC-32 that both keep: the ETags differ. */
async function inParts(server, bucket, key, body, ...sizes) {
  await uploadParts(server, bucket, key, cut(body, ...sizes), { checksum: 'FULL_OBJECT' })
}
/** @param {string[]} flags */
const sync = (...flags) => trees.run(['sync', '--checksum', ...flags])
const counts = ({ status, last, objects }) => ({
  status,
  copied: last.objects?.copied,
  skipped: last.objects?.skipped,
  names: objects.map(({ name }) => name).sort(),
})

test('what has the same bytes is left alone, whatever its ETag and its time', async () => {
  await inParts(destination, 'target', 'tree/a', BODY, 5 * MiB)
  await put(trees.to, 'tree/small', Buffer.from('same'))
  // Later than what is there: by time it would be copied.
  await inParts(source, 'origin', 'tree/a', BODY)
  await put(trees.from, 'tree/small', Buffer.from('same'))
  expect((await trees.from.head('tree/a')).etag).not.toBe((await trees.to.head('tree/a')).etag)
  const run = await sync()
  expect(counts(run)).toEqual({ status: 0, copied: 0, skipped: 2, names: [] })
  expect(run.last.objects.chosen).toBe(0)
})

test('what has other bytes of the same size is copied, and what cannot be compared', async () => {
  await inParts(source, 'origin', 'tree/a', BODY)
  await inParts(destination, 'target', 'tree/a', OTHER, 5 * MiB)
  // Without a checksum two ETags tell nothing.
  await uploadParts(source, 'origin', 'tree/b', cut(BODY))
  await uploadParts(destination, 'target', 'tree/b', cut(BODY, 5 * MiB))
  await trees.fill({ 'tree/c': 'new!' })
  await put(trees.to, 'tree/c', Buffer.from('old!'))
  const dry = await sync('--dry-run')
  expect(counts(dry)).toEqual({ status: 0, copied: 0, skipped: 0, names: ['a', 'b', 'c'] })
  expect(dry.objects.map(({ name, why }) => [name, why])).toEqual([
    ['a', 'content'],
    ['b', 'etag'],
    ['c', 'content'],
  ])
  expect(counts(await sync())).toEqual({ status: 0, copied: 3, skipped: 0, names: ['a', 'b', 'c'] })
  expect((await get(trees.to, 'tree/a')).equals(BODY)).toBe(true)
  expect(await trees.text(trees.to, 'tree/c')).toBe('new!')
})

test('a dry run asks as well, and counts what is alike as skipped', async () => {
  await inParts(source, 'origin', 'tree/a', BODY)
  await inParts(destination, 'target', 'tree/a', BODY, 5 * MiB)
  const before = destination.requests.HeadObject ?? 0
  const run = await sync('--dry-run')
  expect(counts(run)).toEqual({ status: 0, copied: 0, skipped: 1, names: ['a'] })
  expect(run.objects[0]).toMatchObject({ action: 'skip', why: 'same-content' })
  expect(destination.requests.HeadObject).toBe(before + 1)
})

test('many are compared, and none is asked for twice', async () => {
  const names = Array.from({ length: 300 }, (_, i) => `tree/n${i}`)
  for (const key of names) {
    await put(trees.from, key, Buffer.from(`new ${key}`))
    await put(trees.to, key, Buffer.from(key.endsWith('7') ? `new ${key}` : `old ${key}`))
  }
  const before = destination.requests.HeadObject ?? 0
  const differing = names.filter(key => !key.endsWith('7')).length
  expect(counts(await sync())).toMatchObject({ status: 0, copied: differing, skipped: names.length - differing })
  expect(destination.requests.HeadObject - before).toBe(differing)
}, 60_000)

test('a missing permission to read is reported, and the other objects are copied', async () => {
  await trees.fill({ 'tree/a': 'new', 'tree/b': 'new' })
  for (const key of ['tree/a', 'tree/b']) await put(trees.to, key, Buffer.from('old'))
  source.faults.add({ operation: ['HeadObject', 'GetObject'], key: 'tree/a', status: 403 })
  const run = await sync()
  expect(run.status).toBe(1)
  expect(run.events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'a', code: 'ACCESS_DENIED' }])
  expect(run.last.message).toBe('1 of 2 objects could not be copied.')
  expect(await trees.text(trees.to, 'tree/b')).toBe('new')
})

test('what is gone since it was listed is no failure', async () => {
  await trees.fill({ 'tree/a': 'new' })
  await put(trees.to, 'tree/a', Buffer.from('old'))
  source.faults.add({ operation: 'HeadObject', key: 'tree/a', nth: 1, delayMs: 3_000 })
  const asked = eventOf(source, 'begin', ({ operation }) => operation === 'HeadObject')
  const ended = sync()
  await asked
  await trees.from.removeAll(['tree/a'])
  const { status, last } = await ended
  expect({ status, objects: last.objects }).toMatchObject({ status: 0, objects: { copied: 0, skipped: 1, gone: 1 } })
})
