'use strict'

/** `--no-clobber` and `--if-match`: nothing is replaced that was not meant, and the summary says how that is known. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { since } = require('../support/requests')
const { bytesOf, get, put } = require('../support/s3')

const MiB = 1024 ** 2

/** How a copy ended, in brief. */
const endOf = ({ status, last }) => ({ status, code: last.code })

test.each([
  ['put', 'PutObject', 1000, { GetObject: 3 }],
  ['multipart', 'CompleteMultipartUpload', 5 * MiB + 1, { GetObject: 6, CreateMultipartUpload: 3 }],
])('a conflict begins everything again, by the route %s', async (_, operation, bytes, requests) => {
  const server = await startStore()
  const route = await openRoute({ source: server })
  try {
    await put(route.from, 'key', bytesOf(bytes))
    const conflict = server.faults.add({ operation, first: 2, status: 409 })
    const before = { ...server.requests }
    const run = await route.copy('key', 'key', ['--no-clobber'])
    expect(endOf(run)).toEqual({ status: 0, code: undefined })
    expect(run.last.condition).toBe('atomic')
    expect(conflict.hits).toBe(2)
    const made = since(server, before)
    expect(made.GetObject).toBeGreaterThanOrEqual(requests.GetObject)
    expect(made.CreateMultipartUpload).toBe(requests.CreateMultipartUpload)
    expect((await get(route.to, 'key')).equals(bytesOf(bytes))).toBe(true)
  } finally {
    route.close()
    await server.close()
  }
})

test('an object that appears while one request is written is left as it is', async () => {
  const server = await startStore({ faults: [{ operation: 'PutObject', key: 'appears', nth: 1, delayMs: 500 }] })
  const route = await openRoute({ source: server })
  try {
    await put(route.from, 'one', bytesOf(1000))
    const begun = eventOf(server, 'begin', ({ operation, key }) => operation === 'PutObject' && key === 'appears')
    const copying = route.copy('one', 'appears', ['--no-clobber'])
    await begun
    await put(route.to, 'appears', Buffer.from('theirs'))
    expect(endOf(await copying)).toEqual({ status: 7, code: 'DESTINATION_EXISTS' })
    expect((await get(route.to, 'appears')).toString()).toBe('theirs')
  } finally {
    route.close()
    await server.close()
  }
})

test('a store that compares the quotes of an ETag, too, is looked at before the write that --if-match allows', async () => {
  const [source, destination] = await Promise.all([
    startStore(),
    startStore({ ifMatch: 'quotes', serverName: 'Ceph Object Gateway (squid)' }),
  ])
  const route = await openRoute({ source, destination })
  try {
    await put(route.from, 'key', Buffer.from('new'))
    const etag = await put(route.to, 'key', Buffer.from('old'))
    const { status, last, events } = await route.copy('key', 'key', ['--if-match', etag])
    expect({ status, condition: last.condition }).toEqual({ status: 0, condition: 'checked' })
    expect(events.map(({ code }) => code)).toContain('CONDITIONS_NOT_SUPPORTED')
    expect((await get(route.to, 'key')).toString()).toBe('new')
    expect(endOf(await route.copy('key', 'key', ['--if-match', etag]))).toEqual({
      status: 7,
      code: 'DESTINATION_CHANGED',
    })
  } finally {
    route.close()
    await Promise.all([source.close(), destination.close()])
  }
})
