'use strict'

/** Objects that the sandbox's store has kept otherwise than they were sent: that is told, and nothing is written anew. */

const { startStore } = require('../../../../sandbox/store')
const { checkAttributes, createFirstLooks } = require('../../../../lib/object/attributes/check')
const { since } = require('../../../support/requests')
const { bytesOf, createBuckets, get, openStore, put } = require('../../../support/s3')

const BODY = bytesOf(1000)
const PLAIN = { headers: {}, user: {} }
const GZIP = { headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' }, user: { color: 'blue' } }
const TAGS = [
  ['a', '1'],
  ['owner', 'me'],
]
const place = () => ({ store, key: 'key', text: 's3://bucket/key' })

let server
let store
afterEach(async () => {
  store?.close()
  await server?.close()
})

/** @param {object} options of the store */
async function open(options) {
  server = await startStore({ serverName: '', ...options })
  await createBuckets(server, 'bucket')
  store = openStore(server, 'bucket')
}

/** @param {{ metadata: object, tags?: string[][] }} attributes */
async function write({ metadata: { headers, user }, tags }) {
  return await put(store, 'key', BODY, { headers, user, ...(tags && { tags }), checksum: true })
}

/** @param {{ metadata: object, tags?: string[][] }} attributes @param {object} [over] of what is known of the write */
async function writeAndCheck(attributes, over = {}) {
  const etag = await write(attributes)
  const before = { ...server.requests }
  const { notices, ...checked } = await checkAttributes(place(), attributes, { etag, ...over })
  const asked = since(server, before)
  expect((await get(store, 'key')).equals(BODY)).toBe(true)
  return { ...checked, said: notices.map(({ code }) => code), asked }
}

test('what is kept is not told of', async () => {
  await open({})
  const attributes = { metadata: GZIP, tags: TAGS }
  expect(await writeAndCheck(attributes)).toMatchObject({ attributes, said: [], asked: { HeadObject: 1 } })
})

test('the framing of the upload in the Content-Encoding is told', async () => {
  await open({ contentEncoding: 'kept-aws-chunked' })
  const { attributes, said } = await writeAndCheck({ metadata: GZIP })
  expect(said).toEqual(['CONTENT_ENCODING_CHANGED'])
  expect(attributes.metadata.headers['content-encoding']).toBe('gzip,aws-chunked')
})

test('headers that its store drops are told', async () => {
  await open({ droppedHeaders: ['cache-control'] })
  const headers = { 'content-type': 'text/csv', 'cache-control': 'no-store' }
  const { attributes, said } = await writeAndCheck({ metadata: { headers, user: {} } })
  expect(said).toEqual(['ATTRIBUTES_NOT_KEPT'])
  expect(attributes.metadata.headers).toEqual({ 'content-type': 'text/csv' })
})

test('tags that its store drops are told, and no request is sent that would replace the object', async () => {
  await open({ tagging: 'ignored' })
  const { attributes, said, asked } = await writeAndCheck({ metadata: PLAIN, tags: TAGS })
  expect({ said, attributes }).toEqual({ said: ['TAGS_NOT_WRITTEN'], attributes: { metadata: PLAIN } })
  expect(asked.PutObject ?? asked.PutObjectTagging).toBeUndefined()
})

test('of an object that somebody else has written since nothing is said', async () => {
  await open({ tagging: 'ignored' })
  expect(await writeAndCheck({ metadata: PLAIN, tags: TAGS }, { etag: '"other"' })).toMatchObject({
    looked: false,
    said: [],
  })
})

test('of many objects the first of each kind is looked at, by each way', async () => {
  await open({ droppedHeaders: ['cache-control'] })
  const told = []
  const look = createFirstLooks(({ code }) => told.push(code))
  const attributes = { metadata: { headers: { 'cache-control': 'no-store' }, user: {} } }
  const etag = await write(attributes)
  const before = { ...server.requests }
  // The first is not what was written: the next is looked at as well.
  for (const one of ['"other"', etag, etag]) await look(place(), attributes, { way: 'put', etag: one })
  await look(place(), attributes, { way: 'copy', etag })
  await look(place(), { metadata: PLAIN }, { way: 'put', etag })
  expect(told).toEqual(['ATTRIBUTES_NOT_KEPT', 'ATTRIBUTES_NOT_KEPT'])
  expect(since(server, before).HeadObject).toBe(3)
})
