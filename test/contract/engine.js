'use strict'

/**
 * The one suite that every engine must pass; lib/engines/contract.d.ts is the contract. A new engine calls it with its factory
 * and what makes one, and adds what is its own beside.
 */

const { createHash } = require('node:crypto')
const { EXIT, XferError } = require('../../lib/errors')
const { eventOf } = require('../support/events')
const { keep, keeping, openStore, startStore } = require('../support/opened')
const { MiB, bytesOf, get, put, sumsOf } = require('../support/s3')

const md5 = bytes => createHash('md5').update(bytes).digest('hex')
const REFUSED = { code: 'HTTP_STATUS' }
const NO_METADATA = { headers: {}, user: {} }

/**
 * What a suite works with.
 *
 * @typedef {object} World
 * @property {import('../../lib/engines/contract').EngineFactory} factory
 * @property {NodeJS.ProcessEnv} env in which the engine is configured
 * @property {() => import('../../lib/types').Engine} create an engine
 * @property {() => void} crash ends what runs the tasks, the hard way, while it is at work
 * @property {() => Promise<void>} quiet resolves once nothing of closed engines is left: no thread, no connection
 */

/** @param {string} name @param {() => Promise<World>} setUp */
function engineContract(name, setUp) {
  describe(`the engine ${name}`, () => {
    /** @type {World} */
    let world
    let server
    let store
    let etag
    const body = bytesOf(5 * MiB)

    beforeAll(async () => {
      server = await startStore({ buckets: ['bucket'] })
      store = openStore(server, 'bucket')
      etag = await put(store, 'source', body)
      world = await setUp()
    })
    afterEach(() => server.faults.clear())

    const create = keeping(() => world.create())

    /** Copies some bytes of the source to a key of their own. */
    async function task(partNumber, { key = `copy-${partNumber}`, start = 0, bytes = 1000, from = 'source' } = {}) {
      const range = { start, end: start + bytes - 1 }
      const { request: read } = await store.read({ key: from, etag, range })
      const { request: write } = await store.put({ key, bytes, attributes: { metadata: NO_METADATA }, checksum: true })
      return { partNumber, bytes, read, write, sums: ['crc32'], expect: { etag, totalBytes: body.length } }
    }

    /** A run whose read stops in its middle, once it has begun. */
    async function stalledRun(engine, task, how) {
      server.faults.add({ operation: 'GetObject', stall: 100 })
      const begun = eventOf(server, 'begin', ({ operation }) => operation === 'GetObject')
      const running = engine.run([task], how)
      running.catch(() => {})
      await begun
      return { running }
    }

    it('is open where it is configured, and says so where it is not', async () => {
      const { factory, env } = world
      factory.checkOptions?.({})
      const settings = await factory.configured({}, env)
      const reach = expect.stringMatching(/^(network|local|process)$/)
      expect(settings).toMatchObject({ where: expect.any(String), reach, from: expect.any(String) })
      const engine = keep(factory.open(settings, { silenceMs: 30_000, concurrency: 4 }))
      expect(engine.name).toBe(name)
      if (factory.embedded) return
      expect(engine).toMatchObject({ where: settings.where, reach: settings.reach })
      expect(await factory.configured({}, { HOME: __dirname })).toBeUndefined()
      const missing = factory.missing()
      expect(missing).toBeInstanceOf(XferError)
      expect(missing.exitCode).toBe(EXIT.ENGINE)
    })

    it('says what it allows', async () => {
      const { can, startWith, limits } = create()
      const { skewMs, ramp: _, provider: __, ...most } = await limits()
      expect(Math.abs(skewMs)).toBeLessThan(60_000)
      for (const limit of Object.values(most)) expect(limit).toBeGreaterThan(0)
      expect(startWith ?? 1).toBeLessThanOrEqual(most.concurrent)
      expect(startWith === undefined || can.progress).toBe(true)
    })

    it('copies, and tells the ETag and the checksum of what it wrote', async () => {
      const [outcome] = await create().run([await task(7, { start: 100, bytes: 2 * MiB })])
      const copied = body.subarray(100, 100 + 2 * MiB)
      expect(outcome).toMatchObject({ partNumber: 7, bytes: 2 * MiB, sums: sumsOf(copied) })
      expect(outcome.etag).toBe((await store.head('copy-7')).etag)
      expect(outcome.timing.totalMs).toBeGreaterThanOrEqual(outcome.timing.firstByteMs)
      expect((await get(store, 'copy-7')).equals(copied)).toBe(true)
    })

    it('reads and counts where there is nothing to write, and writes nothing', async () => {
      const { write, ...reading } = await task(5, { start: 100, bytes: 2 * MiB })
      const [both, one] = [reading, await task(6)]
      const before = { ...server.requests }
      const outcomes = await create().run([{ ...both, sums: ['crc32', 'md5'] }, one])
      const read = body.subarray(100, 100 + 2 * MiB)
      expect(outcomes).toMatchObject([
        { partNumber: 5, bytes: 2 * MiB, etag, sums: { ...sumsOf(read), md5: md5(read) } },
        { partNumber: 6, bytes: 1000 },
      ])
      expect(server.requests.PutObject - (before.PutObject ?? 0)).toBe(1)
      const changed = { ...reading, expect: { ...reading.expect, etag: '"another"' } }
      expect(await create().run([changed])).toMatchObject([{ partNumber: 5, error: { code: 'SOURCE_CHANGED' } }])
    })

    it('answers in the order of the tasks, whichever is done first', async () => {
      server.faults.add({ operation: 'PutObject', key: 'copy-3', delayMs: 200 })
      const tasks = [await task(3), await task(9), await task(1)]
      const outcomes = await create().run(tasks)
      expect(outcomes.map(({ partNumber }) => partNumber)).toEqual([3, 9, 1])
      expect(outcomes.some(outcome => 'error' in outcome)).toBe(false)
    })

    it('makes of a task that fails an outcome, and the others go on', async () => {
      const { write: denied } = await task(3)
      denied.headers.authorization = denied.headers.authorization.replace(/.$/, digit => (digit === '0' ? '1' : '0'))
      const changed = await task(4)
      const tasks = [
        await task(1),
        await task(2, { from: 'nowhere' }),
        { ...(await task(3)), write: denied },
        { ...changed, expect: { ...changed.expect, etag: '"another"' } },
        { ...(await task(5)), sums: ['sha1'] },
        await task(6),
      ]
      const outcomes = await create().run(tasks)
      expect(outcomes).toMatchObject([
        { partNumber: 1, bytes: 1000 },
        { partNumber: 2, error: { ...REFUSED, side: 'read', status: 404, storeCode: 'NoSuchKey' } },
        { partNumber: 3, error: { ...REFUSED, side: 'write', status: 403, storeCode: 'SignatureDoesNotMatch' } },
        { partNumber: 4, error: { code: 'SOURCE_CHANGED' } },
        { partNumber: 5, error: { code: 'BAD_TASK' } },
        { partNumber: 6, bytes: 1000 },
      ])
      // What was signed is not what may be told.
      expect(JSON.stringify(outcomes)).not.toMatch(/Signature=|AWS4|http:/)
    })

    it('runs several invocations at once', async () => {
      const engine = create()
      const tasks = await Promise.all(Array.from({ length: 6 }, (_, i) => task(i + 1, { start: i * 1000 })))
      const results = await Promise.all(tasks.map(each => engine.run([each])))
      const read = tasks.map((_, i) => ({ partNumber: i + 1, sums: sumsOf(body.subarray(i * 1000, (i + 1) * 1000)) }))
      expect(results.flat()).toMatchObject(read)
    })

    it('settles promptly when it is cancelled, and is good for more', async () => {
      const engine = create()
      const controller = new AbortController()
      const { running } = await stalledRun(engine, await task(1), { signal: controller.signal })
      const cancelledMs = performance.now()
      controller.abort()
      await expect(running).rejects.toMatchObject({ code: 'INTERRUPTED', exitCode: 130, retryable: false })
      expect(performance.now() - cancelledMs).toBeLessThan(10_000)
      server.faults.clear()
      expect(await engine.run([await task(2)])).toMatchObject([{ partNumber: 2, bytes: 1000 }])
    })

    it('starts nothing when it was cancelled before, and gives the reason', async () => {
      const reason = new XferError('SOURCE_CHANGED')
      const signal = AbortSignal.abort(reason)
      const before = server.requests.GetObject
      await expect(create().run([await task(1)], { signal })).rejects.toBe(reason)
      expect(server.requests.GetObject).toBe(before)
    })

    it('leaves no listener on the signal of a run that is over', async () => {
      const { getEventListeners } = require('node:events')
      const { signal } = new AbortController()
      const engine = create()
      await engine.run([await task(1)], { signal })
      await engine.run([await task(2)], { signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
    })

    it('rejects what ran where it was killed, so that it can be tried again, and is good for more', async () => {
      const engine = create()
      // A smaller one the local engine copies in the thread of the program.
      const { running } = await stalledRun(engine, await task(1, { bytes: body.length }))
      world.crash()
      await expect(running).rejects.toMatchObject({ exitCode: 5, retryable: true, throttled: false })
      server.faults.clear()
      expect(await engine.run([await task(2)])).toMatchObject([{ partNumber: 2, bytes: 1000 }])
    })

    it('leaves no thread and no connection once it is closed, at work or not', async () => {
      const engine = world.create()
      await engine.run([await task(1)])
      const { running } = await stalledRun(engine, await task(2))
      await engine.close()
      await expect(running).rejects.toMatchObject({ exitCode: 5 })
      await world.quiet()
    })
  })
}

/** Of a world whose engine reaches its functions through relays. @param {...{ opened(): number, idle(): Promise<void> }} relays */
const quietOf =
  (...relays) =>
  async () => {
    expect(relays.some(({ opened }) => opened() > 0)).toBe(true)
    await Promise.all(relays.map(relay => relay.idle()))
  }

/** What a function does that fails, the code for it, and whether it may be tried again. */
const FAILURES = /** @type {const} */ ([
  ['exits', 'ACTIVATION_EXITED', true],
  ['has no time', 'ACTIVATION_TIMED_OUT', true],
  ['answers too much', 'PAYLOAD_TOO_LARGE', true],
  ['cannot be loaded', 'ACTION_BROKEN', false],
  ['understands nothing', 'ACTION_VERSION', false],
])

/**
 * @param {string} name of an engine with functions
 * @param {(failure: string) => Promise<import('../../lib/types').Engine>} open with a function that fails so; the engine is closed here
 * @param {{ hint: string, facts?: object }} told
 */
function failureContract(name, open, { hint, facts = {} }) {
  it.each(FAILURES)(`the engine ${name}, by way of a function that %s`, async (failure, code, retryable) => {
    const engine = await keep(open(failure))
    const request = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
    const error = await engine.run([{ partNumber: 1, bytes: 1, sums: [], read: request }]).catch(thrown => thrown)
    expect(error).toMatchObject({ code, retryable, uncertain: retryable, exitCode: 5, facts })
    expect(error.message.length).toBeLessThan(400)
    if (!retryable) expect(error.hint).toBe(hint)
  })
}

module.exports = { engineContract, failureContract, quietOf }
