'use strict'

/** The source is pinned, by its ETag or by its time: whatever becomes of it half-way, what is written is one object, or none. */

const { keep, startDeployed, startGate, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { openTrees } = require('../support/prefixes')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const MiB = 1024 ** 2

/** The source is pinned: whatever becomes of it half-way, what is written is one object, or none. */
describe('by its ETag', () => {
  const BYTES = { put: 1000, multipart: 15 * MiB + 1 }
  const CHANGED = { status: 6, code: 'SOURCE_CHANGED' }

  /** @type {Array<[what: string, change: (store: any, key: string, bytes: number) => Promise<unknown>]>} */
  const CHANGES = [
    ['replaced by one of the same size', (store, key, bytes) => put(store, key, bytesOf(bytes, 'after'))],
    ['emptied', (store, key) => put(store, key, Buffer.alloc(0))],
    ['deleted', async (store, key) => store.remove({ key, etag: (await store.head(key)).etag })],
  ]

  describe.each(SERVERS)('a source on $name', ({ start }) => {
    let server
    let gate
    let platform
    const routes = {}
    beforeAll(async () => {
      ;[server, platform] = await Promise.all([keep(start()), startDeployed()])
      gate = await startGate(server)
      const source = { ...server, endpoint: gate.endpoint }
      routes.local = await openRoute({ source, destination: server, buckets: { from: 'from-local', to: 'to-local' } })
      const buckets = { from: 'from-ow', to: 'to-ow' }
      routes.openwhisk = await openRoute({ source, destination: server, platform, buckets })
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

    const WAYS = ['local multipart', 'openwhisk multipart', 'local put']
    it.each(WAYS.flatMap(way => CHANGES.map(([what, change]) => [what, ...way.split(' '), change])))(
      'that is %s ends a copy with 6, no object and nothing left (%s, %s)',
      async (what, engine, way, change) => {
        const key = `${what} ${way}`
        const { end, events } = await copyWhile(engine, way, key, change)
        expect(end).toEqual(CHANGED)
        // Half-way: what came before may be copied.
        expect(events.filter(({ type }) => type === 'part').length).toBeLessThanOrEqual(way === 'put' ? 0 : 1)
        expect(await keysOf(routes[engine].to, key)).toEqual([])
      },
    )

    it.each(['local', 'openwhisk'])('that is written again as it was is the same (%s)', async engine => {
      const again = (store, key, bytes) => put(store, key, bytesOf(bytes, 'before'))
      const { end } = await copyWhile(engine, 'multipart', 'again', again)
      expect(end).toEqual({ status: 0, code: undefined })
      expect((await get(routes[engine].to, 'again')).equals(bytesOf(BYTES.multipart, 'before'))).toBe(true)
    })
  })
})

/** Sources without ETags, such as files that already lay in a folder that a gateway serves: their time and size pin them. */
describe('by its time', () => {
  const SIZES = { put: 1000, multipart: 15 * MiB + 1 }

  let source
  let destination
  let gate
  let platform
  const routes = {}
  beforeAll(async () => {
    ;[source, destination, platform] = await Promise.all([startStore({ etags: false }), startStore(), startDeployed()])
    gate = await startGate(source)
    const through = { ...source, endpoint: gate.endpoint }
    routes.local = await openRoute({ source: through, destination })
    const buckets = { from: 'from-ow', to: 'to-ow' }
    routes.openwhisk = await openRoute({ source: through, destination, platform, buckets })
  })
  afterEach(() => source.faults.clear())

  describe.each(['local', 'openwhisk'])('one object (%s)', engine => {
    test.each([
      ['of the same size, a minute later', 0, 60_000],
      ['of another size, in the same second', 1, 0],
    ])(
      'that is replaced by one %s when half is read, at a store that ignores conditions: nothing is written',
      async (key, more, laterMs) => {
        const { from, to, start, check } = routes[engine]
        source.faults.add({ operation: 'GetObject', ignoreIfMatch: true })
        await put(from, key, bytesOf(SIZES.multipart, 'before'))
        const reached = gate.hold(({ headers }) => /^bytes=[1-9]/.test(headers.range ?? ''))
        const { ended } = start(key, key, ['--concurrency', '1'])
        const goOn = await reached
        source.stepClock(laterMs)
        await put(from, key, bytesOf(SIZES.multipart + more, 'after'))
        goOn()
        const { status, last } = await check(await ended, key)
        source.stepClock(-laterMs)
        expect({ status, code: last.code }).toEqual({ status: 6, code: 'SOURCE_CHANGED' })
        expect(await keysOf(to, key)).toEqual([])
      },
    )
  })

  test.each([
    ['makes ETags weak', etag => `W/${etag}`],
    ['appends a coding to ETags', etag => etag.replace(/"$/, '-gzip"')],
    ['has ETags of its own', etag => etag.replace(/"$/, ';own"')],
    ['has ETags of its own for reads', (etag, method) => (method === 'GET' ? etag.replace(/"$/, ';own"') : etag)],
  ])('behind a proxy that %s a prefix is moved', async (_, etagOf) => {
    const store = await startStore()
    const proxy = await startGate(store, (etag, method) => (method === 'PUT' ? etag : etagOf(etag, method)))
    const trees = await openTrees({ source: { ...store, endpoint: proxy.endpoint }, destination })
    await trees.fill({ 'tree/a': 'a', 'tree/large': bytesOf(SIZES.multipart, 'large') })
    const args = 'mv -r s3://origin/tree/ s3://target/tree/ --chunk 5 --engine local'.split(' ')
    expect(await runXfer(args, { env: trees.env })).toMatchObject({ status: 0 })
    expect((await get(trees.to, 'tree/large')).equals(bytesOf(SIZES.multipart, 'large'))).toBe(true)
    expect(await keysOf(trees.from)).toEqual([])
  })

  test('where not even a time is told, head shows the object, and copies refuse it by its name', async () => {
    const server = await startStore({ etags: false, times: false })
    const trees = await openTrees({ source: server, destination })
    await trees.fill({ 'tree/b': 'b' })
    const xfer = (...args) => runXfer(args, { env: trees.env })
    expect((await xfer('head', 's3://origin/tree/b')).status).toBe(0)
    const one = await xfer(...'copy s3://origin/tree/b s3://target/b --json --engine local'.split(' '))
    expect([one.status, eventsOf(one).at(-1).code]).toEqual([1, 'NO_ETAG'])
    const many = await trees.run(['copy'], { target: 'none/' })
    expect(many.events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'b', code: 'NO_ETAG' }])
  })

  test('a store copies within itself by the same condition', async () => {
    const server = await startStore({ etags: false })
    const trees = await openTrees({ source: server })
    await trees.fill({ small: 'small', large: bytesOf(SIZES.multipart, 'large') })
    for (const key of ['small', 'large']) {
      const args = `copy s3://origin/${key} s3://target/${key} --route server --chunk 5 --json`.split(' ')
      const run = await runXfer(args, { env: trees.env })
      expect([run.status, eventsOf(run).at(-1)]).toMatchObject([0, { engine: 'server', pinnedByTime: true }])
    }
    expect((await get(trees.to, 'large')).equals(bytesOf(SIZES.multipart, 'large'))).toBe(true)
  })
})
