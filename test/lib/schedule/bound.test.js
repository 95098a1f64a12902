'use strict'

/** The limit that keeps more parts from starting, for jobs whose limit is known: on a clock of their own, asked twice a second. */

const { createOutages, createPressure } = require('../../../lib/schedule')
const { createRig, failure, refusal } = require('./rig')

/** What was the limit most of the time. */
async function boundOf(how) {
  let pressure
  const rig = createRig({
    takesMs: 1000,
    retries: 50,
    ...how,
    pressureOn(clock) {
      const outages = createOutages({ timeoutMs: 600_000, emit() {}, clock })
      pressure = createPressure({ outages, random: () => 0.5 })
      return pressure
    },
  })
  /** How often each was. @type {Record<string, number>} */
  const seen = {}
  let timer
  const look = () => {
    const { by = 'nothing' } = pressure.hindrances().bound ?? {}
    seen[by] = (seen[by] ?? 0) + 1
    timer = rig.clock.setTimeout(look, 500)
  }
  timer = rig.clock.setTimeout(look, 250)
  await rig.go().finally(() => rig.clock.clearTimeout(timer))
  const [[most]] = Object.entries(seen).sort(([, one], [, other]) => other - one)
  expect(pressure.hindrances().bound).toBeUndefined()
  return most
}

/** So many parts, and at once. */
const of = (parts, concurrency = parts) => ({ parts, concurrency })

test.each([
  ['concurrency', 'what was asked for', { parts: 40, concurrency: 4 }],
  ['engine', 'as many as there may be at all', { parts: 40, concurrency: 4, limits: { concurrent: 4 } }],
  ['parts', 'parts that are few', { parts: 3, concurrency: 8, takesMs: 9_000 }],
  ['quota', 'the quota of a minute', { ...of(20), partsPerInvocation: 1, startMs: 0, limits: { perMinute: 4 } }],
  ['starts', 'new environments', { ...of(30), takesMs: 60_000, limits: { ramp: { atOnce: 1, perSecond: 0.2 } } }],
  ['bandwidth', 'the bytes that may be under way', { ...of(30, 8), bytes: 10, limits: { bytesInFlight: 20 } }],
  ['retries', 'parts that failed', { parts: 1, takesMs: 10, answer: ({ nth }) => nth < 6 && failure('STALLED') }],
  [
    'destination',
    'a store that refuses more than two',
    { ...of(60, 8), answer: ({ inFlight }) => inFlight > 2 && failure('STORE_THROTTLED') },
  ],
  [
    'destination',
    'a store that asks to wait for long',
    {
      ...of(4),
      answer: ({ nth }) => nth === 1 && failure('STORE_THROTTLED', 30_000),
    },
  ],
  ['containers', 'parts that wait at the platform', { ...of(64), takesMs: 10_000, containers: 4 }],
  ['containers', 'the platform, whatever else is left', { ...of(90, 30), takesMs: 10_000, containers: 4 }],
  [
    'platform',
    'a platform that refuses more than two',
    {
      ...of(60, 8),
      answerAll: ({ inFlight }) => inFlight > 2 && refusal('PLATFORM_THROTTLED', undefined, { throttle: 'concurrent' }),
    },
  ],
])('%s: %s', async (by, _, how) => {
  expect(await boundOf(how)).toBe(by)
})
