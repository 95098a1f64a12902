'use strict'

/** The model of a platform, by itself: what the scheduler is judged by has to be right. */

const { leastMs } = require('../../bench/simulation/bound')
const { createVirtualClock } = require('../../bench/simulation/clock')
const { createDraw } = require('../../bench/simulation/draws')
const { MODEL, PROFILES } = require('../../bench/simulation/model')
const { createNetwork } = require('../../bench/simulation/network')
const { createPlatform } = require('../../bench/simulation/platform')

/** Nothing varies, nothing fails, nothing takes time but the bytes: a function carries 50 bytes a millisecond, a connection 30. */
const PLAIN = {
  ...MODEL,
  roundTripMs: 0,
  start: { ...MODEL.start, cold: { mean: 0, spread: 0 }, warm: { mean: 0, spread: 0 }, frozenMs: 0 },
  releaseMs: { least: 0, most: 0 },
  requestMs: { mean: 0, spread: 0 },
  functionBytes: { mean: 50e3, spread: 0 },
  burst: { bytes: 0, times: 1 },
  connectionBytes: { mean: 30e3, spread: 0 },
  slow: { ...MODEL.slow, containers: 0, connections: 0 },
  failures: { exited: 0, hung: 0, lost: 0, storeError: 0, storeBusy: 0 },
}
/** Just after a full minute. */
const MINUTE = 1_700_000_040_000

function platformOf({ model = PLAIN, containers, ...limits } = {}) {
  const clock = createVirtualClock(MINUTE)
  const allowed = { ...PROFILES.unthrottled, ...limits }
  const platform = createPlatform({ clock, draw: createDraw(1), limits: allowed, model, containers })
  let parts = 0
  /** Invocations at once, each of some tasks; resolves to what each came to, and when. */
  const invoke = (count, { tasks = 1, bytes = 3_000, parallel = 1, signal = undefined } = {}) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const carried = Array.from({ length: tasks }, () => ({ partNumber: ++parts, bytes }))
        const came = await platform.run(carried, { parallel, signal }).catch(error => error)
        return { came, atMs: clock.elapsedMs() }
      }),
    )
  return { clock, platform, invoke, go: (...call) => clock.run(invoke(...call)) }
}

/** When each of these bodies is through. */
async function timesOf({ perMs, burst, mostPerMs = Number.POSITIVE_INFINITY, functions }) {
  const clock = createVirtualClock()
  const network = createNetwork({ clock, mostPerMs })
  const sent = functions.map(flows => {
    const link = network.open({ bytesPerMs: perMs, burst: burst && { ...burst } })
    return flows.map(([bytes, most]) => link.send(bytes, most).then(() => Math.round(clock.elapsedMs())))
  })
  return await clock.run(Promise.all(sent.map(times => Promise.all(times))))
}

test.each([
  ['one connection is as fast as it can be alone', { 'a 3000': 30 }, [100]],
  ['two share what the function has', { 'a 2500': 30, 'b 2500': 30 }, [100, 100]],
  ['what ends leaves its share to the rest', { 'a 2500': 50, 'b 5000': 50 }, [100, 150]],
])('the network %s', async (_, named, times) => {
  const flows = Object.entries(named).map(([name, most]) => [Number(name.slice(2)), most])
  expect(await timesOf({ perMs: 50, functions: [flows] })).toEqual([times])
})

test('the network a container is faster until its burst is used up', async () => {
  // 1,000 bytes beyond 50 a millisecond last 20 ms at twice the rate: 2,000 bytes; the others take 40 ms.
  const burst = { bytes: 1_000, times: 2 }
  expect(await timesOf({ perMs: 50, burst, functions: [[[4_000, 1_000]]] })).toEqual([[60]])
  expect(await timesOf({ perMs: 50, burst, functions: [[[1_000, 1_000]]] })).toEqual([[10]])
})

test('the quotas calls a calendar minute are refused above the limit, and refused ones count', async () => {
  const { clock, invoke } = platformOf({ perMinute: 60 })
  await clock.run(clock.delay(50_000))
  const first = await clock.run(invoke(70))
  const refusals = first.map(({ came }) => came.facts).filter(Boolean)
  expect(refusals).toHaveLength(10)
  expect(refusals[0]).toMatchObject({ status: 429, throttle: 'rate', allowed: 60 })
  expect((await clock.run(invoke(1)))[0].came.code).toBe('PLATFORM_THROTTLED')
  await clock.run(clock.delay(10_000))
  expect((await clock.run(invoke(60))).every(({ came }) => Array.isArray(came))).toBe(true)
})

test('an activation hands back what it has no time for', async () => {
  const { go } = platformOf({ timeoutMs: 10_000 })
  const [{ came, atMs }] = await go(1, { tasks: 5, bytes: 90_000 })
  expect(came.map(({ error }) => error?.code)).toEqual([undefined, undefined, ...Array(3).fill('NOT_STARTED')])
  expect(atMs).toBeCloseTo(6_000, 0)
})

test.each([
  ['exited', 'ACTIVATION_EXITED'],
  ['hung', 'ACTIVATION_TIMED_OUT'],
  ['lost', 'PLATFORM_UNREACHABLE'],
])('an activation that is %s leaves written parts behind, of which the destination knows', async (kind, code) => {
  const { clock, platform, go } = platformOf({ model: { ...PLAIN, failures: { ...PLAIN.failures, [kind]: 1 } } })
  const [{ came }] = await go(1, { tasks: 3, parallel: 3 })
  expect(came).toMatchObject({ code, uncertain: true })
  await clock.run(clock.delay(60_000))
  const stored = await clock.run(platform.settle([{ partNumber: 1 }, { partNumber: 2 }, { partNumber: 3 }]))
  expect(stored.length).toBeGreaterThan(0)
  expect(stored[0]).toMatchObject({ bytes: 3_000 })
})

const parts = (count, bytes) => Array.from({ length: count }, (_, i) => ({ partNumber: i + 1, start: i, bytes }))
function boundOf(count, more = {}) {
  const limits = { ...PROFILES.unthrottled, ...more }
  return leastMs({ parts: parts(count, 3_000), concurrency: 10, model: PLAIN, draw: createDraw(1), limits })
}

test.each([
  ['a part alone takes as long as its connection', 10, {}, 100],
  ['many parts take the bandwidth of all functions', 10_000, {}, 60_000],
  ['a quota that keeps only some at work does as well', 10_000, { perMinute: 2, timeoutMs: 60_000 }, 300_000],
])('the bound: %s', (_, count, how, ms) => {
  const bound = boundOf(count, how)
  expect(bound).toBeGreaterThanOrEqual(0.99 * ms)
  expect(bound).toBeLessThanOrEqual(1.01 * ms)
})
