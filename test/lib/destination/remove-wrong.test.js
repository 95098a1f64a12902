'use strict'

/** Finding 18: what is removed of a wrong copy, and what is said to be there afterwards. */

const { removeWrong } = require('../../../lib/destination')
const { startStore } = require('../../../sandbox/store')
const { bytesOf, get, openStore, put } = require('../../support/s3')

const WRONG = bytesOf(10, 'wrong')
const GOOD = bytesOf(20, 'good')
const THEIRS = bytesOf(30, 'theirs')

let server
let heedless
let store
let versioned
let careless
beforeAll(async () => {
  const buckets = ['bucket', { name: 'versioned', versions: true }]
  ;[server, heedless] = await Promise.all([startStore({ buckets }), startStore({ buckets, conditions: false })])
  store = openStore(server, 'bucket')
  versioned = openStore(server, 'versioned')
  careless = openStore(heedless, 'bucket')
})
afterEach(() => server.faults.clear())
afterAll(async () => {
  for (const each of [store, versioned, careless]) each?.close()
  await Promise.all([server?.close(), heedless?.close()])
})

const bodyOf = async (place, key) => await get(place, key).catch(({ code }) => code)

test('without versions nothing is there afterwards, nor what it replaced', async () => {
  for (const place of [store, careless]) {
    const etag = await put(place, 'plain', WRONG)
    expect(await removeWrong({ store: place, key: 'plain' }, { etag })).toMatch(/^it was removed, so that nothing is/)
    expect(await bodyOf(place, 'plain')).toBe('NO_SUCH_KEY')
  }
})

test('with versions that one goes, and the one before is there again', async () => {
  await put(versioned, 'again', GOOD)
  const etag = await put(versioned, 'again', WRONG)
  const { versionId } = await versioned.head('again')
  for (const written of [{ etag, versionId }, { etag }]) {
    if (written.versionId === undefined) written.etag = await put(versioned, 'again', bytesOf(11, 'wrong too'))
    expect(await removeWrong({ store: versioned, key: 'again' }, written)).toMatch(/the version before it/)
    expect((await get(versioned, 'again')).equals(GOOD)).toBe(true)
  }
})

test('with versions it goes from below what somebody else has written since', async () => {
  const etag = await put(versioned, 'below', WRONG)
  const { versionId } = await versioned.head('below')
  await put(versioned, 'below', THEIRS)
  expect(await removeWrong({ store: versioned, key: 'below' }, { etag, versionId })).toMatch(/a newer one of somebody/)
  expect((await get(versioned, 'below')).equals(THEIRS)).toBe(true)
  await expect(versioned.head('below', { versionId })).rejects.toMatchObject({ code: 'NO_SUCH_KEY' })
})

test('what somebody else has written since is left alone', async () => {
  for (const place of [store, careless]) {
    const etag = await put(place, 'theirs', WRONG)
    await put(place, 'theirs', THEIRS)
    expect(await removeWrong({ store: place, key: 'theirs' }, { etag })).toMatch(/^somebody else has replaced it/)
    expect((await get(place, 'theirs')).equals(THEIRS)).toBe(true)
  }
})

test('if deletions take no condition, it is deleted after a check', async () => {
  const etag = await put(store, 'refusing', WRONG)
  server.faults.add({ operation: 'DeleteObject', first: 1, status: 501, code: 'NotImplemented' })
  expect(await removeWrong({ store, key: 'refusing' }, { etag })).toMatch(/^it was removed, so that nothing is/)
  expect(await bodyOf(store, 'refusing')).toBe('NO_SUCH_KEY')
})

test.each([
  ['a store', () => store, {}, /^the wrong object is still there, .*AccessDenied/],
  ['a bucket with versions', () => versioned, {}, /still there, .*; deleting its version \S+ brings back/],
])('where %s does not let it be removed it is said to be there', async (_, place, more, says) => {
  const etag = await put(place(), 'kept', WRONG)
  server.faults.add({ operation: 'DeleteObject', status: 403, code: 'AccessDenied' })
  expect(await removeWrong({ store: place(), key: 'kept' }, { etag, ...more })).toMatch(says)
  server.faults.clear()
  expect((await get(place(), 'kept')).equals(WRONG)).toBe(true)
})

test('an object that cannot be read is left alone', async () => {
  const etag = await put(store, 'unseen', WRONG)
  server.faults.add({ operation: ['HeadObject', 'GetObject'], status: 403, code: 'AccessDenied' })
  expect(await removeWrong({ store, key: 'unseen' }, { etag })).toMatch(/^it was left there/)
  server.faults.clear()
  expect((await get(store, 'unseen')).equals(WRONG)).toBe(true)
})
