'use strict'

/** The last look below a prefix: what it asks, and what it makes of a list. */

const { eachAtOnce } = require('../../../lib/async')
const { createLooks } = require('../../../lib/many/looks')
const { startStore } = require('../../../sandbox/store')
const { openStore, put } = require('../../support/s3')
const { createRiggedStore } = require('../../support/rigged-store')
const { since } = require('../../support/requests')

let server
let store
/** A store that answers like this, with so many objects; how they are looked at, and what was asked since. */
async function open(options = {}, many = 0, how = {}) {
  server = await startStore({ buckets: ['bucket'], ...options })
  store = openStore(server, 'bucket')
  const written = await fill(many)
  const before = { ...server.requests }
  return { written, looks: createLooks({ store, key: 'tree/' }, how), asked: () => since(server, before) }
}
afterEach(async () => {
  store?.close()
  await server?.close()
  server = undefined
  store = undefined
})

const keyOf = i => `tree/n${String(i).padStart(4, '0')}`

/** @param {number} many @returns {Promise<Array<{ key: string, bytes: number, etag: string }>>} as they were written */
async function fill(many) {
  const written = Array.from({ length: many }, (_, i) => ({ key: keyOf(i), bytes: 1, etag: '' }))
  await eachAtOnce(written, 32, async one => {
    one.etag = await put(store, one.key, Buffer.from('x'))
  })
  return written
}

const look = (looks, written) => Promise.all(written.map(({ key, ...one }) => looks.of(key, one)))

test('a thousand objects cost one list, whatever their order, and those that are few at its end wait for the next', async () => {
  const texts = Object.fromEntries(Array.from({ length: 2_100 }, (_, i) => [keyOf(i), 'x']))
  let lists = 0
  let more = () => {}
  const twoLists = new Promise(resolve => (more = () => ++lists === 2 && resolve(undefined)))
  const listing = act => {
    more()
    return act()
  }
  const rigged = createRiggedStore({ texts, trouble: { list: Array(9).fill(listing) } })
  const looks = createLooks({ store: rigged.open(), key: 'tree/' }, {})
  const written = [...rigged.objects].map(([key, { etag }]) => ({ key, bytes: 1, etag }))
  // As they are written, those of a batch are not all neighbours.
  const shuffled = written.map((one, i) => ({ one, at: i + (i % 50 === 0 ? 120 : 0) })).sort((a, b) => a.at - b.at)
  const inOrder = shuffled.map(({ one }) => one)
  const asked = look(looks, inOrder)
  // Two thousand are there; the others wait for more.
  await twoLists
  looks.hurry()
  expect(new Set(await asked)).toEqual(new Set(['shown']))
  expect(lists).toBe(3)
})

test('what is far away is jumped to', async () => {
  const { written, looks, asked } = await open({ pageSize: 20 }, 60)
  const found = look(looks, [written[3], written[50]])
  looks.hurry()
  expect([await found, asked()]).toEqual([['shown', 'shown'], { ListObjectsV2: 2 }])
})

test('a list that begins elsewhere is not asked again and again', async () => {
  const { written, looks, asked } = await open({ pageSize: 20, lists: 'no-start' }, 60)
  const found = look(looks, written.slice(30))
  looks.hurry()
  expect([new Set(await found), asked()]).toEqual([new Set(['other']), { ListObjectsV2: 1 }])
})

test('another size or ETag is told, and what is not there', async () => {
  const { written, looks } = await open({}, 1)
  const [one] = written
  const others = [{ bytes: 2 }, { etag: '"other"' }, { key: 'tree/none' }].map(other => ({ ...one, ...other }))
  const asked = look(looks, others)
  looks.hurry()
  expect(await asked).toEqual(['other', 'other', 'unlisted'])
})

test('where neither a list nor a HEAD is allowed, nothing more is asked', async () => {
  const { written, looks, asked } = await open({}, 1)
  server.faults.add({ operation: 'ListObjectsV2', status: 403 })
  const first = look(looks, written)
  looks.hurry()
  expect(await first).toEqual(['other'])
  looks.denied()
  const before = asked()
  expect(await look(looks, [...written, ...written])).toEqual(['denied', 'denied'])
  expect(asked()).toEqual(before)
})

test('once the job is cancelled nothing waits for others', async () => {
  const cancel = new AbortController()
  const { written, looks } = await open({}, 1, { cancel: cancel.signal })
  const found = look(looks, written)
  cancel.abort()
  expect([await found, await look(looks, written)]).toEqual([['shown'], ['shown']])
})

test('an object that a HEAD shows and no list fails by its name where a folder of its path is an object', async () => {
  const { looks } = await open({ hidesBelow: true })
  for (const key of ['tree/a', 'tree/a/b']) await put(store, key, Buffer.from('x'))
  await expect(looks.mustList('tree/a/b')).rejects.toMatchObject({ code: 'KEY_INVALID' })
  await expect(looks.mustList('tree/a')).resolves.toBeUndefined()
})

test.each([
  ['colon', 'tree/10:30', { deletes: true }, 'KEY_INVALID'],
  ['colon', 'tree/10:30', {}, undefined],
  ['backslash', 'tree/a\\b', {}, 'KEY_INVALID'],
])('at a store that takes names for others by their %s, %s (%j) ends with %s', async (foldNames, key, how, code) => {
  await open({ foldNames })
  await put(store, key, Buffer.from('x'))
  const ended = createLooks({ store, key: 'tree/' }, {}, how).mustList(key)
  if (code) await expect(ended).rejects.toMatchObject({ code })
  else await ended
})
