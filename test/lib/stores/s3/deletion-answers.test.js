'use strict'

/** Deleted is what a store says that it has deleted, key by key. */

const { once } = require('node:events')
const http = require('node:http')
const { startStore } = require('../../../../sandbox/store')
const { since } = require('../../../support/requests')
const { keysOf, openStore, put } = require('../../../support/s3')

const KEYS = ['a', 'b & c', 'ä/😀', 'd']

/** @type {Array<() => any>} */
const closings = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function filled(options) {
  const server = await startStore({ buckets: ['bucket'], ...options })
  const store = openStore(server, 'bucket')
  closings.push(server.close, store.close)
  for (const key of [...KEYS, 'kept']) await put(store, key, Buffer.from(key))
  return { server, store }
}

test('all that is answered for is deleted with one request', async () => {
  const { server, store } = await filled({})
  const before = { ...server.requests }
  expect(await store.removeAll(KEYS)).toEqual([])
  expect(since(server, before)).toEqual({ DeleteObjects: 1 })
  expect(await keysOf(store)).toEqual(['kept'])
})

test('an HTML page instead of the answer: no key counts as deleted', async () => {
  const { store } = await filled({ deletions: 'page' })
  const failure = { code: 'BAD_ANSWER', message: expect.stringContaining('answers a deletion with a web page') }
  await expect(store.removeAll(KEYS)).rejects.toMatchObject(failure)
  expect(await keysOf(store)).toHaveLength(KEYS.length + 1)
})

test.each(['204', 'nothing', 'quiet'])(
  'where a store says nothing of a key (%s) the key is deleted by itself',
  async deletions => {
    const { server, store } = await filled({ deletions })
    const before = { ...server.requests }
    expect(await store.removeAll(KEYS)).toEqual([])
    expect(since(server, before)).toEqual({ DeleteObjects: 1, DeleteObject: KEYS.length })
    expect(await keysOf(store)).toEqual(['kept'])
  },
)

test('what is refused then is told as refused', async () => {
  const { server, store } = await filled({ deletions: 'nothing' })
  server.faults.add({ operation: 'DeleteObject', key: 'a', status: 403, code: 'AccessDenied' })
  expect(await store.removeAll(KEYS)).toMatchObject([{ key: 'a', code: 'ACCESS_DENIED' }])
  expect(await keysOf(store)).toEqual(['a', 'kept'])
})

/** A store that answers DeleteObjects with a document, and DeleteObject with a status and a body. */
async function saying(document, [status, body] = [204, '']) {
  const single = []
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'POST') return response.writeHead(200, { 'content-type': 'application/xml' }).end(document)
      single.push(decodeURIComponent(request.url.slice('/bucket/'.length).replace(/\?.*/, '')))
      response.writeHead(status, { 'content-type': 'text/html' }).end(body)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${server.address().port}`
  const store = openStore({ endpoint, accessKeyId: 'key', secretAccessKey: 'secret', region: 'us-east-1' }, 'bucket')
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  }, store.close)
  return { store, single }
}
const deleted = (...keys) => keys.map(key => `<Deleted><Key>${key}</Key></Deleted>`).join('')
const failed = key => `<Error><Key>${key}</Key><Code>AccessDenied</Code><Message>No.</Message></Error>`

test.each([
  ['is not mentioned', deleted('a'), ['b']],
  ['is mentioned in a comment', `${deleted('a')}<!--${deleted('b')}-->`, ['b']],
  ['is mentioned beside others that nobody asked for', deleted('x', 'b', 'y'), ['a']],
  ['is mentioned by another name', deleted('A', 'b'), ['a']],
])('a key that %s is asked for by itself', async (_, inner, asked) => {
  const { store, single } = await saying(`<DeleteResult>${inner}</DeleteResult>`)
  expect(await store.removeAll(['a', 'b'])).toEqual([])
  expect(single).toEqual(asked)
})

test('a key that is both deleted and refused is refused', async () => {
  const { store, single } = await saying(`<DeleteResult>${deleted('a', 'b')}${failed('a')}</DeleteResult>`)
  expect(await store.removeAll(['a', 'b'])).toEqual([{ key: 'a', code: 'ACCESS_DENIED', message: 'No.' }])
  expect(single).toEqual([])
})

test.each([
  ['half of an answer', '<DeleteResult><Deleted><Key>a</Key></Deleted>', 'breaks off'],
  ['another document', '<ListBucketResult/>', 'something else'],
])('%s is none', async (_, document, reason) => {
  const { store } = await saying(document)
  const failure = { code: 'BAD_ANSWER', message: expect.stringContaining(reason) }
  await expect(store.removeAll(['a', 'b'])).rejects.toMatchObject(failure)
})

test('an HTML page instead of the answer for one key: it does not count as deleted', async () => {
  const { store } = await saying('', [200, '<html><body>Welcome</body></html>'])
  expect(await store.removeAll(['a'])).toMatchObject([{ key: 'a', code: 'NOT_A_STORE' }])
})
