'use strict'

/** `xfer sync --checksum`: where the lists do not tell, both stores are asked what they keep of the bytes. */

const { startStore } = require('../../sandbox/store')
const { cut, uploadParts } = require('../../sandbox/parts')
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
