'use strict'

/** Platforms that misbehave: the copy ends whole all the same, or says what is wrong. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { bytesOf, get, keysOf, put } = require('../support/s3')

const MiB = 1024 ** 2
/** Five parts. */
const LARGE = 20 * MiB + 1

let server
beforeAll(async () => {
  server = await startStore()
})
afterAll(() => server?.close())

/** @param {any} platform @param {string} bucket */
async function openCopies(platform, bucket) {
  const route = await openRoute({ source: server, platform, buckets: { from: 'source', to: bucket } })
  await put(route.from, 'large', bytesOf(LARGE))
  return route
}

/** @param {any} route @param {{ status: number, last: any }} run @param {string} key */
async function expectWhole({ to }, { status, last }, key) {
  expect({ status, last }).toMatchObject({
    status: 0,
    last: { engine: 'openwhisk', proof: expect.arrayContaining(['store-crc32']) },
  })
  expect((await get(to, key)).equals(bytesOf(LARGE))).toBe(true)
}

describe('a platform that misbehaves now and then', () => {
  let platform
  let route
  beforeAll(async () => {
    platform = await startDeployed({ limits: { concurrent: 100 } })
    route = await openCopies(platform, 'passing')
  })
  afterEach(() => platform.faults.clear())
  afterAll(async () => {
    route?.close()
    await platform?.close()
  })

  /** What it does, and whether that shows as a retry, as throttling, or not at all. */
  const PASSING = [
    ['refuses with 429, too many at once', { nth: [1, 3], status: 429 }, 'throttle'],
    ['refuses with 429 in words unknown', { nth: [1, 3], status: 429, message: 'Slow down' }, 'throttle'],
    ['refuses with 503', { first: 2, status: 503 }, 'throttle'],
    ['refuses with 503 and says for how long', { first: 1, status: 503, retryAfter: 1 }, 'throttle'],
    ['fails with 500', { nth: 2, status: 500 }, 'retry'],
    ['fails with 502 of a gateway', { nth: 2, status: 502 }, 'retry'],
    ['loses an answer', { nth: 2, lose: true }, 'retry'],
    ['cuts a connection before it does anything', { nth: 2, cut: true }, 'retry'],
    ['kills a container at work', { nth: 2, killAfterMs: 0 }, 'retry'],
    ['runs out of memory', { nth: 2, death: 'memory', killAfterMs: 0 }, 'retry'],
    ['runs out of memory when all is done', { nth: 2, death: 'memory' }, 'retry'],
    ['runs into its time limit', { nth: 2, death: 'time', killAfterMs: 0 }, 'retry'],
    ['runs into its time limit when all is done', { nth: 2, death: 'time' }, 'retry'],
    ['cuts an answer in the middle', { nth: 2, cutAnswer: true }, undefined],
    ['sends half the text of an answer', { nth: 2, truncate: true }, undefined],
    ['answers 202 and tells the result later', { accepted: true, recordLateMs: 300 }, undefined],
    ['answers 202 and fails then', { nth: 2, accepted: true, killAfterMs: 0 }, 'retry'],
  ]

  it.each(PASSING)('and %s: the copy ends whole', async (what, fault, shows) => {
    platform.faults.add(fault)
    const key = what.replaceAll(' ', '-')
    const run = await route.copy('large', key)
    await expectWhole(route, run, key)
    const seen = run.events.filter(({ type }) => type === 'retry' || type === 'throttle').map(({ type }) => type)
    expect([...new Set(seen)]).toEqual(shows ? [shows] : [])
  })

  /** What does not pass. */
  const LASTING = [
    ['refuses the key half-way', { nth: 2, status: 401 }, 'PLATFORM_KEY_REFUSED', 'AUTH'],
    ['lost the action half-way', { nth: 2, status: 404 }, 'ACTION_NOT_DEPLOYED', 'xfer deploy'],
    ['fails always', { status: 500 }, 'PART_FAILED', 'Repeat'],
    ['runs out of memory always', { death: 'memory', killAfterMs: 0 }, 'PART_FAILED', 'more memory'],
    [
      'has an action of another version',
      { answer: { body: { error: 'This action has interface version 2.' } } },
      'ACTION_VERSION',
      'xfer deploy',
    ],
    [
      'has an action that cannot be started',
      { answer: { status: 502, body: { error: 'Initialization has failed due to: SyntaxError' } } },
      'ACTION_BROKEN',
      'xfer deploy',
    ],
  ]
  it.each(LASTING)('and %s: the copy fails, and leaves nothing', async (what, fault, code, advice) => {
    platform.faults.add(fault)
    const key = what.replaceAll(' ', '-')
    const { status, last } = await route.copy('large', key, ['--retries', '1'])
    expect({ status, last }).toMatchObject({ status: 5, last: { code, hint: expect.stringContaining(advice) } })
    expect(await keysOf(route.to, key)).toEqual([])
  })
})

describe('a platform with limits', () => {
  it('that bears only two at once is asked for no more', async () => {
    const platform = await startDeployed({ limits: { concurrent: 2 } })
    const route = await openCopies(platform, 'narrow')
    try {
      const run = await route.copy('large')
      await expectWhole(route, run, 'large')
      expect(run.plan.concurrency).toBe(2)
    } finally {
      route.close()
      await platform.close()
    }
  })

  it('that tells none is asked for what the user says it bears', async () => {
    const faults = ['limits', 'info'].map(on => ({ on, status: 404 }))
    const platform = await startDeployed({ limits: { concurrent: 100 }, faults })
    const route = await openCopies(platform, 'hosted')
    try {
      const run = await route.copy('large', 'large', ['--engine-limits', 'concurrent=3,per-minute=600'])
      await expectWhole(route, run, 'large')
      expect(run.plan.concurrency).toBe(3)
      const unlimited = await route.copy('large')
      expect(unlimited.plan.concurrency).toBe(5)
    } finally {
      route.close()
      await platform.close()
    }
  })

  it('whose clock is another, and that bears four a minute, is waited for by that clock', async () => {
    // Its minute has some seconds left.
    const leftMs = 15_000
    const clockSkewMs = 3 * 60_000 - leftMs - (Date.now() % 60_000)
    const platform = await startDeployed({ clockSkewMs, limits: { perMinute: 4 } })
    const route = await openCopies(platform, 'quota')
    try {
      const startedMs = Date.now()
      const run = await route.copy('large', 'large', ['--parts-per-invocation', '1'])
      await expectWhole(route, run, 'large')
      // By our clock it would have been most of a minute, or a refusal.
      expect(Date.now() - startedMs).toBeLessThan(leftMs + 10_000)
      expect(platform.activations.counters.throttled).toBe(0)
    } finally {
      route.close()
      await platform.close()
    }
  })
})
