'use strict'

/** Objects that the sandbox's store has kept otherwise than they were sent, and what a second request makes of them. */

const { startStore } = require('../../../../sandbox/store')
const { createAttributeCheck } = require('../../../../lib/object')
const { since } = require('../../../support/requests')
const { bytesOf, createBuckets, get, openStore, put } = require('../../../support/s3')

const BODY = bytesOf(1000)
const GZIP = { headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' }, user: { color: 'blue' } }
const TAGS = [
  ['a', '1'],
  ['owner', 'me'],
  ['größe', 'groß'],
]
const FRAMED = { contentEncoding: 'kept-aws-chunked' }

let server
let store
afterEach(async () => {
  store?.close()
  await server?.close()
})

/** @param {object} options of the store @param {object} [bucket] */
async function open(options, bucket) {
  server = await startStore({ serverName: '', ...options })
  if (bucket) server.createBucket('bucket', bucket)
  else await createBuckets(server, 'bucket')
  store = openStore(server, 'bucket')
}

/** Writes with a checksum behind the bytes, and checks. @param {object} attributes @param {object} [over] of what is known of the write */
async function writeAndCheck({ metadata, tags, granted = tags }, over = {}) {
  const { headers, user } = metadata
  const etag = await put(store, 'key', BODY, { headers, user, ...(granted && { tags: granted }), checksum: true })
  const before = { ...server.requests }
  const sent = {
    attributes: { metadata, ...(tags && { tags }) },
    granted: { metadata, ...(granted && { tags: granted }) },
  }
  const place = { store, key: 'key', text: 's3://bucket/key' }
  const checked = await createAttributeCheck().check(place, sent, { etag, md5: true, ...over })
  const asked = since(server, before)
  const { metadata: found, framed } = await store.head('key')
  expect((await get(store, 'key')).equals(BODY)).toBe(true)
  return { ...checked, found, framed, there: await store.tags.read('key'), asked }
}

describe('the framing of an upload in the Content-Encoding', () => {
  test('is taken out, and the rest stays as it was', async () => {
    await open(FRAMED)
    const { attributes, notices, lost, repaired, found, framed, there, asked } = await writeAndCheck({
      metadata: GZIP,
      tags: TAGS,
    })
    expect({ found, framed, there }).toEqual({ found: GZIP, framed: undefined, there: expect.arrayContaining(TAGS) })
    expect({ attributes, notices, lost, repaired }).toEqual({
      attributes: { metadata: GZIP, tags: TAGS },
      notices: [],
      lost: [],
      repaired: ['framing'],
    })
    expect(asked.CopyObject).toBe(1)
  })

  test.each([
    ['where the ETag is not known to be the MD5 of the bytes', {}, undefined, { md5: false }],
    ['under a condition', {}, undefined, { conditional: true }],
    ['where another version would come to be', {}, { versions: true }, {}],
    ['where ETags are no MD5s', { md5Etags: false }, undefined, {}],
  ])('is left, and told, %s', async (_, options, bucket, over) => {
    await open({ ...FRAMED, ...options }, bucket)
    const { attributes, notices, lost, asked } = await writeAndCheck({ metadata: GZIP }, over)
    expect(asked.CopyObject).toBeUndefined()
    expect(notices).toMatchObject([
      { message: expect.stringContaining('has the content-encoding gzip,aws-chunked instead of gzip') },
    ])
    expect({ lost, told: attributes.metadata.headers['content-encoding'] }).toEqual({
      lost: ['framing'],
      told: 'gzip,aws-chunked',
    })
  })

  test.each([
    ['refuses', { status: 501, code: 'NotImplemented' }],
    ['fails', { status: 500 }],
  ])('is left, and told, where the store %s a copy onto itself', async (_, fault) => {
    await open(FRAMED)
    server.faults.add({ operation: 'CopyObject', ...fault })
    const { lost, notices } = await writeAndCheck({ metadata: GZIP })
    expect({ lost, notices: notices.length }).toEqual({ lost: ['framing'], notices: 1 })
  })

  test('is taken out though the answer to that was lost', async () => {
    await open(FRAMED)
    server.faults.add({ operation: 'CopyObject', loseAnswer: true })
    expect(await writeAndCheck({ metadata: GZIP })).toMatchObject({ lost: [], repaired: ['framing'], notices: [] })
  })

  test('ends the copy where other bytes came of taking it out', async () => {
    await open(FRAMED)
    server.faults.add({ operation: 'CopyObject', etag: `"${'0'.repeat(32)}"` })
    await expect(writeAndCheck({ metadata: GZIP })).rejects.toMatchObject({ code: 'INTEGRITY', exitCode: 8 })
  })
})

describe('headers', () => {
  test('that the store drops of every write are told, after one try', async () => {
    await open({ droppedHeaders: ['content-encoding'] })
    const { lost, notices, asked, attributes } = await writeAndCheck({ metadata: GZIP })
    expect(notices).toMatchObject([
      { message: 's3://bucket/key is without content-encoding, because its store did not keep that.' },
    ])
    expect({ lost, copies: asked.CopyObject }).toEqual({ lost: ['content-encoding'], copies: 1 })
    expect(attributes.metadata.headers).toEqual({ 'content-type': 'text/csv' })
  })

  test('of a store that is known to keep them cost no request', async () => {
    await open({ serverName: 'xfer-sandbox' })
    await store.head('nothing').catch(() => {})
    expect((await writeAndCheck({ metadata: GZIP })).asked).toEqual({})
  })
})

describe('tags', () => {
  const metadata = { headers: {}, user: {} }
  const rest = TAGS.filter(([key]) => key !== 'owner')

  test('that a write was refused with are written by a request of their own', async () => {
    await open({})
    const { there, notices, repaired } = await writeAndCheck({ metadata, tags: TAGS, granted: [] })
    expect({ there, notices, repaired }).toEqual({ there: TAGS, notices: [], repaired: ['tags'] })
  })

  test('but for one that is refused, which is told by its name', async () => {
    await open({ refusedTagKey: 'owner' })
    const { there, attributes, notices, lost } = await writeAndCheck({ metadata, tags: TAGS, granted: [] })
    expect({ there, told: attributes.tags, lost }).toEqual({ there: rest, told: rest, lost: ['tags'] })
    expect(notices).toMatchObject([
      { message: expect.stringContaining('without the tag owner of its source, because its store does not take') },
    ])
  })

  test('are given to no object that somebody else has written since', async () => {
    await open({})
    const { there, notices, asked } = await writeAndCheck({ metadata, tags: TAGS, granted: [] }, { etag: '"ours"' })
    expect({ there, asked: asked.PutObjectTagging }).toEqual({ there: [], asked: undefined })
    expect(notices).toMatchObject([
      { message: expect.stringContaining('without the 3 tags of its source, because its store refused a write') },
    ])
  })
})

describe('a store that takes a request for tags as one for the object', () => {
  const metadata = { headers: { 'content-type': 'text/csv' }, user: {} }

  test.each([
    ['took the write with them', TAGS],
    ['refused the write with them', []],
  ])('and %s has the object left as it is, and the tags are told', async (_, granted) => {
    await open({ tagging: 'ignored' })
    const etag = await put(store, 'key', BODY, { headers: metadata.headers, user: {}, tags: granted })
    const before = { ...server.requests }
    const attributes = { metadata, tags: TAGS }
    const place = { store, key: 'key', text: 's3://bucket/key' }
    const sent = { attributes, granted: { metadata, ...(granted.length > 0 && { tags: granted }) } }
    const { check, repairs } = createAttributeCheck()
    const checked = await check(place, sent, { etag, md5: true })
    expect(checked).toMatchObject({ lost: ['tags'], repaired: [], attributes: { metadata } })
    expect(checked.notices).toMatchObject([
      {
        message: expect.stringMatching(
          /is written without the 3 tags of its source, because its store knows of no tags/,
        ),
      },
    ])
    expect({ repairs: repairs('tags'), writes: since(server, before).PutObject }).toEqual({ repairs: false })
    expect((await get(store, 'key')).equals(BODY)).toBe(true)
  })
})
