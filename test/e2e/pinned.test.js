'use strict'

/** The source is pinned: whatever becomes of it half-way, what is written is one object, or none. */

const { openRoute } = require('../support/copies')
const { startGate } = require('../support/gate')
const { startDeployed } = require('../support/platform')
const { SERVERS } = require('../support/servers')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
const BYTES = { put: 1000, multipart: 15 * MiB + 1 }
const CHANGED = { status: 6, code: 'SOURCE_CHANGED' }

/** @type {Array<[what: string, change: (store: any, key: string, bytes: number) => Promise<unknown>]>} */
const CHANGES = [
  ['replaced by one of the same size', (store, key, bytes) => put(store, key, bytesOf(bytes, 'after'))],
  ['replaced by a smaller one', (store, key, bytes) => put(store, key, bytesOf(bytes - 1, 'before'))],
  ['replaced by a larger one', (store, key, bytes) => put(store, key, bytesOf(bytes + 1, 'before'))],
  ['emptied', (store, key) => put(store, key, Buffer.alloc(0))],
  ['deleted', async (store, key) => store.remove({ key, etag: (await store.head(key)).etag })],
]

describe.each(SERVERS)('a source on $name', ({ name, start }) => {
  let server
  let gate
  let platform
  const routes = {}
  beforeAll(async () => {
    ;[server, platform] = await Promise.all([start(), startDeployed()])
    gate = await startGate(server)
    const source = { ...server, endpoint: gate.endpoint }
    routes.local = await openRoute({ source, destination: server, buckets: { from: 'from-local', to: 'to-local' } })
    const buckets = { from: 'from-ow', to: 'to-ow' }
    routes.openwhisk = await openRoute({ source, destination: server, platform, buckets })
  })
  afterAll(async () => {
    for (const route of Object.values(routes)) route.close()
    await Promise.all([gate?.close(), server?.close(), platform?.close()])
  })

  /** A read of the object's bytes that does not begin at its first one, or any where it is read whole. */
  const isLater = (key, whole) => request =>
    request.method === 'GET' &&
    decodeURIComponent(request.url).includes(`/${key}`) &&
    (whole || /^bytes=[1-9]/.test(request.headers.range ?? ''))

  /** Copies, and changes the source when a part of it is read and another is about to be. */
  async function copyWhile(engine, way, key, change) {
    const { from, start, check } = routes[engine]
    await put(from, key, bytesOf(BYTES[way], 'before'))
    const whole = way === 'put' && engine === 'local'
    const reached = gate.hold(isLater(key, whole))
    const { ended } = start(key, key, ['--concurrency', '1'])
    const goOn = await reached
    await change(from, key, BYTES[way])
    goOn()
    const { status, last, events } = await check(await ended, key)
    return { end: { status, code: last.code }, events, last }
  }

  const cases = [
    ['local', 'multipart'],
    ['openwhisk', 'multipart'],
    ['local', 'put'],
  ].flatMap(([engine, way]) => CHANGES.map(([what, change]) => [what, engine, way, change]))

  it.each(cases)(
    'that is %s ends a copy with 6, no object and nothing left (%s, %s)',
    async (what, engine, way, change) => {
      const key = `${what} ${way}`
      const { end, events } = await copyWhile(engine, way, key, change)
      expect(end).toEqual(CHANGED)
      // Half-way: what came before was copied.
      expect(events.filter(({ type }) => type === 'part')).toHaveLength(way === 'put' ? 0 : 1)
      expect(await keysOf(routes[engine].to, key)).toEqual([])
    },
  )

  // The others heed it.
  if (name === 'sandbox') {
    it.each(cases.filter(([what]) => what !== 'deleted'))(
      'that is %s ends it so where the store ignores If-Match, too (%s, %s)',
      async (what, engine, way, change) => {
        const key = `ignored, ${what} ${way}`
        const fault = server.faults.add({ operation: 'GetObject', ignoreIfMatch: true })
        const { end } = await copyWhile(engine, way, key, change)
        fault.remove()
        expect(end).toEqual(CHANGED)
        expect(await keysOf(routes[engine].to, key)).toEqual([])
      },
    )
  }

  it.each(['local', 'openwhisk'])('that is written again as it was is the same (%s)', async engine => {
    const again = (store, key, bytes) => put(store, key, bytesOf(bytes, 'before'))
    const { end } = await copyWhile(engine, 'multipart', 'again', again)
    expect(end).toEqual({ status: 0, code: undefined })
    expect((await get(routes[engine].to, 'again')).equals(bytesOf(BYTES.multipart, 'before'))).toBe(true)
  })
})
