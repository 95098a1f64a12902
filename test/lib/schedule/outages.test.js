'use strict'

/** Parts meet an outage of a store, or of the platform. */

const { createOutages } = require('../../../lib/outage')
const { createPressure } = require('../../../lib/schedule')
const { createRig, failure, refusal } = require('./rig')

/** From one second on, for so long. */
function awayFor(ms, { peer = 'destination', timeoutMs = 600_000 } = {}) {
  const isAway = clock => clock.elapsedMs() >= 1_000 && clock.elapsedMs() < 1_000 + ms
  const pressureOn = clock => {
    const outages = createOutages({ timeoutMs, emit() {}, clock, random: () => 0.5 })
    const error =
      peer === 'platform'
        ? refusal('PLATFORM_UNREACHABLE', undefined, { side: undefined })
        : refusal('STORE_UNREACHABLE')
    const probe = async () => {
      await clock.delay(5)
      if (isAway(clock)) throw error
    }
    outages.watch([peer], { where: 'http://there', probe })
    outages.answered(peer, 0)
    return createPressure({ outages, random: () => 0.5 })
  }
  return { isAway, pressureOn }
}

test.each(['STORE_ERROR', 'CONNECTION_FAILED', 'STALLED'])(
  '%s during an outage of a store costs no attempt',
  async code => {
    const { isAway, pressureOn } = awayFor(20_000)
    const rig = createRig({
      parts: 200,
      retries: 0,
      pressureOn,
      answer: ({ clock }) => isAway(clock) && failure(code),
    })
    expect(await rig.go()).toHaveLength(200)
    expect(rig.eventsOf('retry')).toEqual([])
    // What was under way when it began met it, and nothing started before it was over.
    const during = rig.started.filter(({ atMs }) => atMs > 1_200 && atMs < 21_000)
    expect(during).toEqual([])
    expect(rig.clock.elapsedMs()).toBeLessThan(40_000)
  },
)

test('an outage of the platform costs no attempt, and what may have run is looked for first', async () => {
  const { isAway, pressureOn } = awayFor(13_000, { peer: 'platform' })
  const asked = []
  const rig = createRig({
    parts: 200,
    retries: 0,
    pressureOn,
    answerAll: ({ clock }) => isAway(clock) && refusal('PLATFORM_UNREACHABLE', undefined, { side: undefined }),
    settle: async parts => {
      asked.push(...parts.map(({ partNumber }) => partNumber))
      return []
    },
  })
  expect(await rig.go()).toHaveLength(200)
  expect(rig.eventsOf('retry')).toEqual([])
  const twice = [...new Set(rig.started.filter(({ nth }) => nth > 1).map(({ partNumber }) => partNumber))]
  expect(twice.length).toBeGreaterThan(0)
  expect(asked.toSorted((a, b) => a - b)).toEqual(twice.toSorted((a, b) => a - b))
})

test('a failure that is the part’s own costs its attempts as ever', async () => {
  const { pressureOn } = awayFor(0)
  const answer = ({ partNumber }) => partNumber === 3 && failure('STORE_ERROR')
  const rig = createRig({ parts: 5, retries: 2, pressureOn, answer })
  await expect(rig.go()).rejects.toMatchObject({ code: 'PART_FAILED', facts: { partNumber: 3, attempts: 3 } })
})

test('an outage that lasts too long ends the work', async () => {
  const { isAway, pressureOn } = awayFor(3_600_000, { timeoutMs: 60_000 })
  const rig = createRig({ parts: 200, pressureOn, answer: ({ clock }) => isAway(clock) && failure('STORE_ERROR') })
  await expect(rig.go()).rejects.toMatchObject({ code: 'OUTAGE', facts: { peer: 'destination' } })
  expect(rig.clock.elapsedMs()).toBeGreaterThan(60_000)
  expect(rig.clock.elapsedMs()).toBeLessThan(63_000)
})

test('an abort does not wait for the end of the outage', async () => {
  const { isAway, pressureOn } = awayFor(3_600_000)
  const stop = new AbortController()
  const rig = createRig({
    parts: 200,
    pressureOn,
    cancel: stop.signal,
    answer: ({ clock }) => isAway(clock) && failure('STORE_ERROR'),
  })
  rig.clock.setTimeout(() => stop.abort(), 30_000)
  await expect(rig.go()).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(rig.clock.elapsedMs()).toBeLessThan(31_000)
})
