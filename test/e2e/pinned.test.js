'use strict'

/** The source is pinned, by its ETag or by its time: whatever becomes of it half-way, what is written is one object, or none. */

const { keep, startDeployed, startGate, startStore } = require('../support/opened')
const { openRoute } = require('../support/copies')
const { openTrees } = require('../support/prefixes')
const { eventsOf, runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')
const { SERVERS } = require('../support/servers')

const SIZES = { put: 1000, multipart: 15 * 1024 ** 2 + 1 }
const CHANGED = { status: 6, code: 'SOURCE_CHANGED' }

/** Routes by both engines, whose source is behind a gate. @param {any} source a server */
async function openGated(source, destination = source) {
  const [gate, platform] = await Promise.all([startGate(source), startDeployed()])
  const through = { ...source, endpoint: gate.endpoint }
  const routes = {
    local: await openRoute({ source: through, destination, buckets: { from: 'from-local', to: 'to-local' } }),
    openwhisk: await openRoute({ source: through, destination, platform, buckets: { from: 'from-ow', to: 'to-ow' } }),
  }

  /** Copies, and changes the source when a part of it is read and another is about to be. */
  return async function copyWhile(engine, way, key, change) {
    const { from, to, start, check } = routes[engine]
    await put(from, key, bytesOf(SIZES[way], 'before'))
    const whole = way === 'put' && engine === 'local'
    // A read of the object's bytes that does not begin at its first one, or any where it is read whole.
    const isLater = ({ range = '' }) => whole || /^bytes=[1-9]/.test(range)
    const reached = gate.hold(
      ({ method, url, headers }) => method === 'GET' && decodeURIComponent(url).includes(`/${key}`) && isLater(headers),
    )
    const { ended } = start(key, key, ['--concurrency', '1'])
    const goOn = await reached
    await change(from, key, SIZES[way])
    goOn()
    const { status, last, events } = await check(await ended, key)
    const parts = events.filter(({ type }) => type === 'part').length
    return { end: { status, code: last.code }, parts, to, there: await keysOf(to, key) }
  }
}

/** @type {Array<[what: string, change: (store: any, key: string, bytes: number) => Promise<unknown>]>} */
const CHANGES = [
  ['replaced by one of the same size', (store, key, bytes) => put(store, key, bytesOf(bytes, 'after'))],
  ['emptied', (store, key) => put(store, key, Buffer.alloc(0))],
  ['deleted', async (store, key) => store.remove({ key, etag: (await store.head(key)).etag })],
]
const WAYS = ['local multipart', 'openwhisk multipart', 'local put']

describe.each(SERVERS)('by its ETag a source on $name', ({ start }) => {
  let copyWhile
  beforeAll(async () => {
    copyWhile = await openGated(await keep(start()))
  })

  it.each(WAYS.flatMap(way => CHANGES.map(([what, change]) => [what, ...way.split(' '), change])))(
    'that is %s ends a copy with 6, no object and nothing left (%s, %s)',
    async (what, engine, way, change) => {
      const { end, parts, there } = await copyWhile(engine, way, `${what} ${way}`, change)
      expect([end, there]).toEqual([CHANGED, []])
      // Half-way: what came before may be copied.
      expect(parts).toBeLessThanOrEqual(way === 'put' ? 0 : 1)
    },
  )

  it.each(['local', 'openwhisk'])('that is written again as it was is the same (%s)', async engine => {
    const again = (store, key, bytes) => put(store, key, bytesOf(bytes, 'before'))
    const { end, to } = await copyWhile(engine, 'multipart', 'again', again)
    expect(end).toEqual({ status: 0, code: undefined })
    expect((await get(to, 'again')).equals(bytesOf(SIZES.multipart, 'before'))).toBe(true)
  })
})

/** Sources without ETags, such as files that already lay in a folder that a gateway serves: their time and size pin them. */
describe('by its time', () => {
  let destination
  beforeAll(async () => {
    destination = await startStore()
  })

  test.each([
    ['local', 'the same size, a minute later', 0, 60_000],
    ['openwhisk', 'the same size, a minute later', 0, 60_000],
    ['local', 'another size, in the same second', 1, 0],
    ['openwhisk', 'another size, in the same second', 1, 0],
  ])('by %s one that one of %s replaces as half is read is not written', async (engine, _, more, laterMs) => {
    const source = await startStore({ etags: false, faults: [{ operation: 'GetObject', ignoreIfMatch: true }] })
    const copyWhile = await openGated(source, destination)
    const { end, there } = await copyWhile(engine, 'multipart', 'replaced', async (store, key, bytes) => {
      source.stepClock(laterMs)
      await put(store, key, bytesOf(bytes + more, 'after'))
    })
    expect([end, there]).toEqual([CHANGED, []])
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

  test('a store copies within itself by the same condition', async () => {
    const server = await startStore({ etags: false })
    const trees = await openTrees({ source: server })
    await trees.fill({ small: 'small', large: bytesOf(SIZES.multipart, 'large') })
    const NO_TIME = expect.not.stringMatching(/GMT/)
    for (const key of ['small', 'large']) {
      const args = `copy s3://origin/${key} s3://target/${key} --route server --chunk 5 --json`.split(' ')
      const run = await runXfer(args, { env: trees.env })
      expect([run.status, eventsOf(run).at(-1)]).toMatchObject([
        0,
        { engine: 'server', pinnedByTime: true, etag: NO_TIME },
      ])
    }
    expect((await get(trees.to, 'large')).equals(bytesOf(SIZES.multipart, 'large'))).toBe(true)
  })
})
