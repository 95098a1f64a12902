'use strict'

/** Invocations that the platform answers without their result, and whose result it never tells: the destination is asked. */

const { createWaiting } = require('../../../lib/schedule/hedging')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { createRig } = require('./rig')

const ANSWERS_MS = 60_000

const LATE = { parts: 1, answersMs: ANSWERS_MS, hedge: true }

test('one part is done soon after it is there, and few questions were asked', async () => {
  let asked = 0
  const rig = createRig({ ...LATE, takesMs: 90_000, settle: async parts => ++asked && rig.shown(parts) })
  await rig.go()
  expect(rig.clock.elapsedMs()).toBeLessThan(1.3 * 90_000)
  expect(rig.clock.elapsedMs()).toBeGreaterThanOrEqual(90_000)
  expect(rig.started).toHaveLength(1)
  expect(asked).toBeLessThan(10)
  // So nobody has to wait for its end.
  expect(rig.invocations).toMatchObject([{ aborted: true, shown: true }])
})

test('of a part that is in two invocations, the destination does not show which of them has ended', async () => {
  const takesMs = (partNumber, nth) => (partNumber < 10 ? 1000 : nth === 1 ? 900_000 : 90_000)
  const rig = createRig({ ...LATE, parts: 10, takesMs, settle: async parts => rig.shown(parts) })
  await rig.go()
  expect(rig.invocations.filter(({ aborted }) => aborted).some(({ shown }) => shown)).toBe(false)
})

test('where the destination may not be asked, the part starts again too', async () => {
  const settle = () => Promise.reject(Object.assign(new Error('denied'), { retryable: false }))
  const rig = createRig({ ...LATE, settle, takesMs: (_, nth) => (nth === 1 ? 90_000 : 50_000) })
  await rig.go()
  expect(rig.started).toHaveLength(2)
  expect(rig.clock.elapsedMs()).toBeLessThan(200_000)
})

describe('of invocations that were answered after a minute, without their results,', () => {
  /**
   * @param {any[][]} given the parts of each, of ten bytes
   * @param {{ msPerByte?: number, settle?: (items: any[]) => any }} [how]
   */
  function setUp(given, { msPerByte, settle = () => {} } = {}) {
    const clock = createVirtualClock(0)
    const told = []
    const tell = (what, ...facts) => told.push([clock.now(), what, ...facts])
    let last = 0
    const flights = given.map(parts => ({
      ...{ startedMs: 0, totalBytes: 10 * parts.length, mayAsk: true },
      items: parts.map(({ asked = true, hedge = true, starts = 1, ...item }) => ({
        part: { partNumber: ++last, bytes: 10 },
        group: { how: { settle: asked ? () => {} : undefined, hedge }, settles: true },
        flights: new Set(Array(starts).keys()),
        ...item,
      })),
    }))
    const waiting = createWaiting({
      ...{ clock, fail: () => tell('fail') },
      capacity: {
        queue: { hedge: ({ part }, elapsedMs) => tell('again', part.partNumber, elapsedMs) },
        timePerByte: { msPerByte: () => msPerByte, finished: (...facts) => tell('measured', ...facts) },
      },
      settle: async items => {
        tell('ask', items.map(({ part }) => part.partNumber).join())
        await settle(items)
      },
    })
    const pass = ms => clock.run(clock.delay(ms))
    const answered = async (at = flights[0], ms = ANSWERS_MS) => {
      await pass(ms)
      waiting.waits(at)
    }
    return { clock, waiting, flights, told, pass, answered }
  }
  const done = items => {
    for (const item of items) item.done = {}
  }

  test.each([
    ['soon, and less and less often', undefined, [62_000, 65_000, 69_500, 76_250, 86_375, 101_563, 124_344, 154_344]],
    ['when it should be there', 9000, [90_000, 93_000, 97_500, 104_250, 114_375, 129_563, 152_344]],
    ['soon, where it should have been there before', 1000, [62_000, 65_000, 69_500]],
  ])('one is asked for %s', async (_, msPerByte, expected) => {
    const { answered, told, pass, flights } = setUp([[{}]], { msPerByte })
    await answered()
    expect(flights[0]).toMatchObject({ waitsMs: 60_000, mayAsk: false })
    await pass(100_000)
    expect(told.map(([ms]) => Math.round(ms)).slice(0, expected.length)).toEqual(expected)
    expect(told.every(([, what]) => what === 'ask')).toBe(true)
  })

  test.each([
    ['what the destination cannot tell', { asked: false }, '2', true],
    ['not what it can', {}, '1,2', false],
    ['what it refuses to tell', { group: { how: { settle() {}, hedge: true }, settles: false } }, '2', true],
    ['not what must not start twice', { asked: false, hedge: false }, '2', false],
    ['not what was started again already', { asked: false, starts: 2 }, '2', false],
    ['not what is done', { asked: false, done: {} }, '2', false],
  ])('once they have taken twice as long, starts again %s', async (_, part, asked, again) => {
    // The other one keeps it waiting.
    const { answered, told, pass } = setUp([[part, {}]])
    await answered()
    await pass(65_000)
    const starts = told.filter(([, what]) => what === 'again')
    // The first question after two minutes.
    expect(starts).toEqual(again ? [[124_343.75, 'again', 1, 124_343.75]] : [])
    expect(told[0]).toEqual([62_000, 'ask', asked])
  })

  test('only those are asked for that may be there, each at its time', async () => {
    const { answered, told, flights, pass } = setUp([[{}], [{}]])
    await answered()
    await answered(flights[1], 3500)
    await pass(5000)
    const asked = told.map(([ms, what, parts]) => `${ms} ${what} ${parts}`)
    expect(asked).toEqual(['62000 ask 1', '65000 ask 1', '65500 ask 2', '68500 ask 2'])
  })

  test.each([
    ['is done', done, ['62000 measured 10 62000 1']],
    ['has ended meanwhile', (items, waiting, flight) => done(items) ?? waiting.ended(flight), []],
    ['cannot be asked for', () => Promise.reject(Error()), ['62000 fail', '65000 ask 1', '65000 fail']],
  ])('one that %s', async (_, settle, expected) => {
    const rig = setUp([[{}]], { settle: items => settle(items, rig.waiting, rig.flights[0]) })
    await rig.answered()
    await rig.pass(9000)
    expect(rig.told.slice(1).map(one => one.join(' '))).toEqual(expected)
    if (expected.length < 2) expect(rig.clock.pending()).toBe(0)
  })

  test('none is asked for after the end, nor while the destination is asked', async () => {
    const answers = []
    const rig = setUp([[{}], [{}]], { settle: () => new Promise(resolve => answers.push(resolve)) })
    await rig.answered()
    await rig.answered(rig.flights[1], 2000)
    await rig.pass(20_000)
    expect(rig.told).toEqual([[62_000, 'ask', '1']])
    rig.waiting.stop()
    answers[0]()
    await rig.pass(100_000)
    expect([rig.told.length, rig.clock.pending()]).toEqual([1, 0])
  })
})
