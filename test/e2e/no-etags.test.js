'use strict'

/** Sources without ETags, such as files that already lay in a folder that a gateway serves: their time and size pin them. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startGate } = require('../support/gate')
const { startDeployed } = require('../support/platform')
const { openTrees } = require('../support/prefixes')
const { runXfer } = require('../support/run-xfer')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
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
afterAll(async () => {
  for (const route of Object.values(routes)) route.close()
  await Promise.all([gate?.close(), source?.close(), destination?.close(), platform?.close()])
})
afterEach(() => source.faults.clear())

describe.each(['local', 'openwhisk'])('one object (%s)', engine => {
  test.each(Object.entries(SIZES))('is copied (%s), and the summary says what pinned it', async (way, size) => {
    const { from, to, start, check } = routes[engine]
    await put(from, way, bytesOf(size, way))
    const { status, last, plan } = await check(await start(way, way, []).ended, way)
    expect(status).toBe(0)
    expect(last).toMatchObject({ pinnedByTime: true })
    expect(plan.noticeCodes).toContain('SOURCE_NOT_PINNED')
    expect((await get(to, way)).equals(bytesOf(size, way))).toBe(true)
  })

  describe.each([false, true])(
    'that is replaced when half is read, at a store that ignores conditions: %s',
    ignoring => {
      test.each([
        ['of the same size, a minute later', 0, 60_000],
        ['of another size, in the same second', 1, 0],
      ])('by one %s: nothing is written', async (what, more, laterMs) => {
        const { from, to, start, check } = routes[engine]
        const key = `${what} ${ignoring}`
        if (ignoring) source.faults.add({ operation: 'GetObject', ignoreIfMatch: true })
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
      })
    },
  )
})

describe('the commands', () => {
  let trees
  beforeAll(async () => {
    trees = await openTrees({ source, destination })
    await trees.fill({ 'tree/a': 'a', 'tree/b': 'b', 'tree/large': bytesOf(SIZES.multipart, 'large') })
  })
  afterAll(() => trees.close())
  const xfer = (...args) => runXfer([...args, '--engine', 'local'], { env: trees.env })

  test.each(['copy', 'sync'])('%s of a prefix counts the objects', async command => {
    const { status, last } = await trees.run([command], { target: `${command}/` })
    expect({ status, pinned: last.pinnedByTime, copied: last.objects.copied }).toEqual({
      status: 0,
      pinned: 3,
      copied: 3,
    })
    expect((await trees.run(['verify'], { target: `${command}/` })).status).toBe(0)
  })

  test('mv deletes it', async () => {
    await put(trees.from, 'moved', Buffer.from('moved'))
    expect(await xfer('mv', 's3://origin/moved', 's3://target/moved')).toMatchObject({ status: 0 })
    expect(await keysOf(trees.from, 'moved')).toEqual([])
    expect((await get(trees.to, 'moved')).toString()).toBe('moved')
  })
})

test('where not even a time is told, head shows the object, and copies refuse it by its name', async () => {
  const server = await startStore({ etags: false, times: false })
  const trees = await openTrees({ source: server, destination })
  try {
    await trees.fill({ 'tree/b': 'b' })
    const xfer = (...args) => runXfer([...args, '--json', '--engine', 'local'], { env: trees.env })
    const codeOf = ({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1)).code
    expect((await runXfer(['head', 's3://origin/tree/b'], { env: trees.env })).status).toBe(0)
    const one = await xfer('copy', 's3://origin/tree/b', 's3://target/b')
    expect([one.status, codeOf(one)]).toEqual([1, 'NO_ETAG'])
    const many = await trees.run(['copy'], { target: 'none/' })
    expect(many.events.filter(({ type }) => type === 'failure')).toMatchObject([{ name: 'b', code: 'NO_ETAG' }])
  } finally {
    trees.close()
    await server.close()
  }
})

test('a store copies within itself by the same condition', async () => {
  const server = await startStore({ etags: false })
  const trees = await openTrees({ source: server })
  try {
    await trees.fill({ small: 'small', large: bytesOf(SIZES.multipart, 'large') })
    const copy = key =>
      runXfer(['copy', `s3://origin/${key}`, `s3://target/${key}`, '--route', 'server', '--chunk', '5', '--json'], {
        env: trees.env,
      })
    for (const key of ['small', 'large']) {
      const { status, stdout } = await copy(key)
      const last = JSON.parse(stdout.trim().split('\n').at(-1))
      expect([status, last]).toMatchObject([0, { engine: 'server', pinnedByTime: true }])
    }
    expect((await get(trees.to, 'large')).equals(bytesOf(SIZES.multipart, 'large'))).toBe(true)
  } finally {
    trees.close()
    await server.close()
  }
})
