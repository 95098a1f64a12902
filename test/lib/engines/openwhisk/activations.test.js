'use strict'

const { getEventListeners } = require('node:events')
const { createActivations } = require('../../../../lib/engines/openwhisk/activations')
const { XferError } = require('../../../../lib/engines/openwhisk/errors')
const { createVirtualClock } = require('../../../../bench/simulation/clock')

const facts = { platform: 'the platform', fn: 'the action', action: 'xfer/copy-range' }
const MANY = 1000

/** As the platform makes them. @param {number} number */
const idOf = number => number.toString(16).padStart(32, '0')

/**
 * A platform on a virtual clock, whose records appear when they are said to.
 *
 * @param {object} [behaviour]
 * @param {number} [behaviour.answerMs] how long any answer takes
 * @param {(query: any) => any} [behaviour.list] in place of the list
 * @param {(id: string) => any} [behaviour.get] in place of the record
 */
function createRig({ answerMs = 50, list: listInstead, get: getInstead } = {}) {
  const clock = createVirtualClock()
  const beganMs = clock.now()
  /** @type {Map<string, { startMs: number, fromMs: number }>} */
  const runs = new Map()
  const asked = []
  const recordOf = (activationId, start) => ({ activationId, start, response: { success: true, result: activationId } })
  const shown = () => [...runs].filter(([, { fromMs }]) => fromMs <= clock.now())

  async function get({ id }) {
    const run = runs.get(id)
    return run && run.fromMs <= clock.now() ? recordOf(id, run.startMs) : undefined
  }
  const list = async query =>
    shown()
      .filter(([, { startMs }]) => startMs >= query.since)
      .sort(([, one], [, other]) => other.startMs - one.startMs)
      .slice(query.skip, query.skip + query.limit)
      .map(([id, { startMs }]) => recordOf(id, startMs))
  async function ask(query, signal, answer) {
    asked.push({ atMs: clock.now() - beganMs, ...query })
    await clock.delay(answerMs, signal)
    return await answer(query)
  }
  const platform = {
    get: (id, signal) => ask({ id }, signal, getInstead ?? get),
    list: (query, signal) => ask(query, signal, listInstead ?? list),
  }
  const activations = createActivations(platform, { facts, clock })
  return {
    clock,
    asked,
    activations,
    /** A record that appears so long after the rig was made; never, without a number. */
    appears(id, afterMs = Number.POSITIVE_INFINITY, startMs = beganMs) {
      runs.set(id, { startMs, fromMs: beganMs + afterMs })
    },
    wait: (id, options) => activations.wait(id, { sinceMs: beganMs, forMs: 300_000, ...options }),
    /** The most requests that started within any such stretch of time. */
    mostWithin: ms =>
      Math.max(...asked.map(({ atMs }) => asked.filter(a => a.atMs >= atMs && a.atMs < atMs + ms).length)),
  }
}

it('an activation that is waited for is asked for by its id, less and less often, until its record is there', async () => {
  const rig = createRig()
  rig.appears(idOf(1), 60_000)
  expect(await rig.clock.run(rig.wait(idOf(1)))).toMatchObject({ activationId: idOf(1), response: { success: true } })
  expect(rig.asked.every(({ id }) => id === idOf(1))).toBe(true)
  const waits = rig.asked.slice(1).map(({ atMs }, i) => atMs - rig.asked[i].atMs)
  expect(rig.asked[0].atMs).toBe(500)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(waits.at(-1)).toBe(5_050)
  expect(rig.clock.elapsedMs()).toBeLessThan(66_000)
  expect(rig.clock.pending()).toBe(0)
})

it('an activation that is waited for is lost when its time is up though a request for it never ends', async () => {
  const rig = createRig({ answerMs: 10_000_000 })
  await expect(rig.clock.run(rig.wait(idOf(1), { forMs: 60_000 }))).rejects.toMatchObject({ code: 'ACTIVATION_LOST' })
  expect(rig.clock.elapsedMs()).toBe(60_000)
  // The request went with it.
  expect(rig.clock.pending()).toBe(0)
})

it('an activation that is waited for can be cancelled, and the others go on', async () => {
  const rig = createRig()
  rig.appears(idOf(2), 20_000)
  const controller = new AbortController()
  const cancelled = rig.wait(idOf(1), { signal: controller.signal })
  const other = rig.wait(idOf(2), { signal: new AbortController().signal })
  rig.clock.setTimeout(() => controller.abort(), 3_210)
  await expect(rig.clock.run(cancelled)).rejects.toMatchObject({ code: 'INTERRUPTED' })
  expect(rig.clock.elapsedMs()).toBe(3_210)
  expect(await rig.clock.run(other)).toMatchObject({ activationId: idOf(2) })
  expect(rig.asked.filter(({ id, atMs }) => id === idOf(1) && atMs > 3_210)).toEqual([])
  expect(getEventListeners(controller.signal, 'abort')).toEqual([])
})

it('an activation that is waited for waits on through refusals that pass, and not through those that last', async () => {
  const answers = [
    new XferError('PLATFORM_ERROR', { ...facts, status: 500, reason: 'no reason given' }),
    new XferError('PLATFORM_THROTTLED', { ...facts, status: 503, reason: 'busy', retryAfterMs: 9_000 }),
    // Cut in the middle, it is text.
    '{"activationId":"0000',
    new XferError('PLATFORM_KEY_REFUSED', { ...facts, status: 401 }),
  ]
  const get = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  }
  const rig = createRig({ get })
  await expect(rig.clock.run(rig.wait(idOf(1)))).rejects.toMatchObject({ code: 'ACTIVATION_LOST' })
  expect(answers).toEqual([])
  // The platform had asked for nine seconds.
  expect(rig.asked[2].atMs - rig.asked[1].atMs).toBeGreaterThanOrEqual(9_000)
})

describe(`${MANY} activations that are waited for`, () => {
  const ids = Array.from({ length: MANY }, (_, i) => idOf(i + 1))

  it('cost no more than a few requests a second, and each is found soon after its record is there', async () => {
    const rig = createRig()
    // Records appear over a minute, in no order, among those of others.
    const appearedMs = ids.map((_, i) => 5_000 + ((i * 7919) % MANY) * 60)
    for (const [i, id] of ids.entries()) rig.appears(id, appearedMs[i], rig.clock.now() - (i % 100) * 80)
    for (let i = 0; i < 300; i++) rig.appears(idOf(100_000 + i), i * 200)
    const foundMs = []
    const waits = ids.map((id, i) => rig.wait(id).then(() => (foundMs[i] = rig.clock.elapsedMs())))
    await rig.clock.run(Promise.all(waits))
    expect(rig.mostWithin(1_000)).toBeLessThanOrEqual(3)
    expect(rig.mostWithin(10_000)).toBeLessThanOrEqual(30)
    const delays = foundMs.map((ms, i) => ms - appearedMs[i])
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...delays)).toBeLessThan(15_000)
    expect(rig.asked.filter(({ limit }) => limit === 200).length).toBeGreaterThan(10)
    expect(rig.clock.pending()).toBe(0)
  })

  it.each([
    ['is slow', { answerMs: 4_000 }, 60_000],
    ['answers the list with a page', { list: () => '<html>' }, MANY * 400],
    ['has none of them in its list', { list: () => [] }, MANY * 6_000],
  ])('on a platform that %s are found all the same, at no other rate', async (_, behaviour, mostMs) => {
    const rig = createRig(behaviour)
    for (const id of ids) rig.appears(id, 0)
    await rig.clock.run(Promise.all(ids.map(id => rig.wait(id, { forMs: 7_200_000 }))))
    expect(rig.mostWithin(1_000)).toBeLessThanOrEqual(3)
    expect(rig.clock.elapsedMs()).toBeLessThan(mostMs)
  })
})
