'use strict'

/** Platforms with limits: they are kept, by the platform's own clock. */

const { startStore } = require('../../sandbox/store')
const { openRoute } = require('../support/copies')
const { startDeployed } = require('../support/platform')
const { bytesOf, get, put } = require('../support/s3')

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

  it('with another clock and four invocations a minute is waited for by its own clock', async () => {
    // Its minute has some seconds left.
    const leftMs = 25_000
    const clockSkewMs = 3 * 60_000 - leftMs - (Date.now() % 60_000)
    const platform = await startDeployed({ clockSkewMs, limits: { perMinute: 4 } })
    const route = await openCopies(platform, 'quota')
    try {
      const startedMs = Date.now()
      const run = await route.copy('large')
      await expectWhole(route, run, 'large')
      // By our clock it would have been most of a minute, or a refusal.
      expect(platform.activations.counters.throttled).toBe(0)
      expect(Date.now() - startedMs).toBeLessThan(leftMs + 10_000)
    } finally {
      route.close()
      await platform.close()
    }
  }, 120_000)
})
