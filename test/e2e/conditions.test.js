'use strict'

/** `--no-clobber` and `--if-match`: nothing is replaced that was not meant, and the summary says how that is known. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { eventOf } = require('../support/events')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const BYTES = { put: 1000, multipart: 5 * MiB + 1 }
const WAYS = Object.entries(BYTES)
const WRITES = { put: 'PutObject', multipart: 'CompleteMultipartUpload' }
const NO_ETAG = `"${'0'.repeat(32)}"`
const EXISTS = { status: 7, code: 'DESTINATION_EXISTS' }
const CHANGED = { status: 7, code: 'DESTINATION_CHANGED' }

/** How a copy ended, in brief. */
const endOf = ({ status, last }) => ({ status, code: last.code })

describe('at the moment of the write', () => {
  let server
  let route
  beforeAll(async () => {
    server = await startStore()
    route = await openRoute({ source: server })
    for (const [way, bytes] of WAYS) await put(route.from, way, bytesOf(bytes))
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  /** Copies, and does something when the write begins, before the store looks at its condition. */
  async function copyWhile(way, target, flags, action) {
    const writing = event => event.operation === WRITES[way] && event.key === target
    const held = server.faults.add({ operation: WRITES[way], key: target, nth: 1, delayMs: 500 })
    const begun = eventOf(server, 'begin', writing)
    const { ended } = route.start(way, target, flags)
    await begun
    await action()
    const run = await route.check(await ended, target)
    expect(held.hits).toBe(1)
    return run
  }

  it.each(Object.keys(BYTES))('an object that appears is left as it is, by the route %s', async way => {
    const target = `appears ${way}`
    const run = await copyWhile(way, target, ['--no-clobber'], () => put(route.to, target, Buffer.from('theirs')))
    expect(endOf(run)).toEqual(EXISTS)
    expect((await get(route.to, target)).toString()).toBe('theirs')
  })

  it.each(Object.keys(BYTES))('an object that goes is not made anew, by the route %s', async way => {
    const target = `goes ${way}`
    const etag = await put(route.to, target, Buffer.from('old'))
    const run = await copyWhile(way, target, ['--if-match', etag], () => route.to.remove({ key: target, etag }))
    expect(endOf(run)).toEqual(CHANGED)
    expect(await keysOf(route.to, target)).toEqual([])
  })

  it.each(Object.keys(BYTES))('a conflict begins everything again, by the route %s', async way => {
    const target = `conflict ${way}`
    const conflict = server.faults.add({ operation: WRITES[way], key: target, first: 2, status: 409 })
    const before = { ...server.requests }
    const run = await route.copy(way, target, ['--no-clobber'])
    expect(endOf(run)).toEqual({ status: 0, code: undefined })
    expect(run.last.condition).toBe('atomic')
    expect(conflict.hits).toBe(2)
    const since = name => server.requests[name] - (before[name] ?? 0)
    expect(since('GetObject')).toBeGreaterThanOrEqual(way === 'put' ? 3 : 6)
    if (way === 'multipart') expect(since('CreateMultipartUpload')).toBe(3)
    expect((await get(route.to, target)).equals(bytesOf(BYTES[way]))).toBe(true)
  })
})

describe('a store that ignores conditions', () => {
  let server
  let route
  beforeAll(async () => {
    server = await startStore({ conditions: false, serverName: '' })
    route = await openRoute({ source: server })
    for (const [way, bytes] of WAYS) await put(route.from, way, bytesOf(bytes))
  })
  afterEach(() => server.faults.clear())
  afterAll(async () => {
    route?.close()
    await server?.close()
  })

  it.each(Object.keys(BYTES))('is looked at, and the summary says no more than that: %s', async way => {
    const { to, copy } = route
    expect(await copy(way, way, ['--no-clobber'])).toMatchObject({ status: 0, last: { condition: 'checked' } })
    expect(endOf(await copy(way, way, ['--no-clobber']))).toEqual(EXISTS)
    expect(endOf(await copy(way, way, ['--if-match', NO_ETAG]))).toEqual(CHANGED)
    const { etag } = await to.head(way)
    expect(await copy(way, way, ['--if-match', etag])).toMatchObject({ status: 0, last: { condition: 'checked' } })
  })
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
    expect(endOf(await route.copy('key', 'key', ['--if-match', etag]))).toEqual(CHANGED)
  } finally {
    route.close()
    await Promise.all([source.close(), destination.close()])
  }
})
