'use strict'

const { XferError } = require('../../../lib/errors')
const { createOutages, createPressure } = require('../../../lib/schedule')
const { createRig, failure, refusal } = require('./rig')

test('a part that fails in passing is signed and sent again until it succeeds, and each repetition is told', async () => {
  const answer = ({ partNumber, nth }) => partNumber === 2 && nth <= 3 && failure('STALLED')
  const rig = createRig({ parts: 3, answer })
  expect((await rig.go())[1].etag).toBe('"2-4"')
  expect(rig.eventsOf('retry')).toMatchObject(
    [1, 2, 3].map(attempt => ({ partNumber: 2, attempt, code: 'STALLED', message: expect.any(String) })),
  )
  expect(rig.eventsOf('part').find(event => event.partNumber === 2)).toMatchObject({ attempt: 4 })
  expect(rig.signed.filter(partNumber => partNumber === 2)).toHaveLength(4)
})

test('a part that fails in passing waits longer each time, and as long as the peer asked for', async () => {
  const answer = ({ nth }) => nth <= 3 && failure('STORE_ERROR', nth === 3 ? 60_000 : undefined)
  const rig = createRig({ parts: 1, answer })
  await rig.go()
  const [first, second, third] = rig.eventsOf('retry').map(({ delayMs }) => delayMs)
  expect([second, third]).toEqual([4 * first, 63_000])
  const at = rig.started.map(({ atMs }) => atMs)
  expect(at.slice(1).map((ms, i) => ms - at[i] - 100)).toEqual([first, second, third])
})

test('a part that fails in passing that a check does not believe is sent again', async () => {
  const doubt = new XferError('PART_CORRUPTED', { reason: 'other bytes' })
  const check = jest.fn(({ partNumber }, attempt) => (partNumber === 1 && attempt === 1 ? doubt : undefined))
  const rig = createRig({ parts: 2, check })
  expect([(await rig.go())[0].etag, rig.eventsOf('part').length]).toEqual(['"1-2"', 2])
  expect(rig.eventsOf('retry')).toMatchObject([{ partNumber: 1, code: 'PART_CORRUPTED' }])
})

test('the pressure of the job knows no scheduler that has ended', async () => {
  const unwatch = jest.fn()
  const pressureOn = clock => {
    const outages = createOutages({ timeoutMs: 0, emit() {}, clock })
    return { ...createPressure({ outages, random: () => 0.5 }), watch: () => unwatch }
  }
  await createRig({ parts: 1, pressureOn }).go()
  expect(unwatch).toHaveBeenCalledTimes(1)
})

describe('a failure that cannot pass', () => {
  test('ends the job with itself, cancels what is in flight and starts nothing more', async () => {
    const rig = createRig({
      parts: 100,
      takesMs: partNumber => partNumber * 50,
      answer: ({ partNumber }) => partNumber === 2 && failure('ACCESS_DENIED'),
    })
    await expect(rig.go()).rejects.toMatchObject({ code: 'ACCESS_DENIED', exitCode: 4 })
    expect(rig.started.every(({ atMs }) => atMs <= 100)).toBe(true)
    expect([rig.inFlight(), rig.clock.elapsedMs()]).toEqual([0, 100])
    expect([rig.eventsOf('part'), rig.eventsOf('retry')]).toMatchObject([[{ partNumber: 1 }], []])
  })

  test.each([
    ['signing', { sign: () => Promise.reject(new XferError('NO_CREDENTIALS', { side: 'source' })) }, 'NO_CREDENTIALS'],
    ['a defect in the engine', { run: async () => undefined }, 'INTERNAL'],
    ['a defect in the check', { check: () => [].at(0).type }, 'INTERNAL'],
  ])('of %s is the end too', async (_, how, code) => {
    await expect(createRig({ parts: 3, ...how }).go()).rejects.toMatchObject({ code })
  })
})

test('an abort ends the job as the interruption, with nothing left in flight, and no limit told any more', async () => {
  const controller = new AbortController()
  const rig = createRig({ parts: 100, takesMs: 1000, abort: controller.signal })
  const told = []
  rig.clock.setTimeout(() => told.push(rig.pressure.hindrances()) && controller.abort(), 2500)
  await expect(rig.go()).rejects.toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
  expect([...told, rig.pressure.hindrances()]).toEqual([{ bound: { by: 'concurrency', limit: 4 } }, {}])
  expect([rig.clock.elapsedMs(), rig.eventsOf('part').length, rig.inFlight()]).toEqual([2500, 8, 0])
})

test.each(['abort at 0', 'abort at 100', 'cancel at 0'])('an %s ms waits for no signature', async what => {
  const [how, , ms] = what.split(' ')
  const [stop, reason] = [new AbortController(), new XferError('INTERRUPTED', {})]
  const rig = createRig({ parts: 1, sign: () => new Promise(() => {}), [how]: stop.signal })
  if (ms === '0') stop.abort(reason)
  rig.clock.setTimeout(() => stop.abort(reason), Number(ms))
  await expect(rig.go()).rejects.toBe(reason)
})

test('nothing to do is done at once', async () => expect(await createRig({ parts: 0 }).go()).toEqual([]))

test('a store that refuses something else gets fewer parts, as long as some are in flight', async () => {
  const rig = createRig({ parts: 4 })
  const refuse = side => rig.pressure.refusedElsewhere(side, rig.clock.now())
  const limits = () => ['source', 'destination'].map(side => rig.pressure.of(side).current()).join()
  const told = []
  rig.clock.setTimeout(() => told.push(refuse('source'), limits()), 50)
  await rig.go()
  refuse('destination')
  expect([told[1], limits()]).toEqual(['2,Infinity', '2,Infinity'])
})

test('what does not fit into a payload goes in another invocation', async () => {
  const sign = async part => ({ ...part, url: 'x'.repeat(20_000) })
  const rig = createRig({ parts: 9, concurrency: 1, partsPerInvocation: 9, limits: { payloadBytes: 81_920 }, sign })
  expect(await rig.go()).toHaveLength(9)
  expect(Math.max(...rig.invocations.map(({ partNumbers }) => partNumbers.length))).toBeLessThan(5)
})

test('a cancel starts nothing more, takes the results in flight, and then rejects with its reason', async () => {
  const [stop, reason, done] = [new AbortController(), new XferError('INTERRUPTED', {}), []]
  const how = { cancel: stop.signal, done: ({ partNumber }) => done.push(partNumber) }
  const rig = createRig({ parts: 10, concurrency: 2, ...how })
  rig.clock.setTimeout(() => stop.abort(reason), 150)
  await expect(rig.go()).rejects.toBe(reason)
  expect([rig.started.map(({ partNumber }) => partNumber), done]).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ])
  expect(rig.invocations.some(({ aborted }) => aborted)).toBe(false)
})

/** Twenty parts of one second each, of which the tenth takes a function that is stuck for long. */
const stuck = {
  ...{ parts: 20, concurrency: 5, hedge: true },
  takesMs: (partNumber, nth) => (partNumber === 10 && nth === 1 ? 300_000 : 1000),
}

test('an invocation far behind is started again once slots are free, and the first answer wins', async () => {
  const rig = createRig(stuck)
  expect((await rig.go())[9].etag).toBe('"10-2"')
  expect(rig.eventsOf('hedge')).toMatchObject([{ partNumber: 10, bytes: 10 }])
  expect(rig.eventsOf('part')).toHaveLength(20)
  expect(rig.clock.elapsedMs()).toBeLessThan(10_000)
  // The loser is ended.
  const flights = rig.invocations.filter(({ partNumbers }) => partNumbers.includes(10))
  expect(flights.map(({ aborted }) => aborted)).toEqual([true, false])
  expect([rig.inFlight(), rig.clock.pending()]).toEqual([0, 0])
})

test('an invocation far behind is waited for where parts are not to be started twice', async () => {
  const rig = createRig({ ...stuck, hedge: false })
  await rig.go()
  expect(rig.eventsOf('hedge')).toEqual([])
  expect(rig.clock.elapsedMs()).toBeGreaterThan(300_000)
})

test('what is started a second time is not counted once it was lost: another start takes its place', async () => {
  const rig = createRig({
    ...{ parts: 100, concurrency: 20, hedge: true },
    takesMs: (partNumber, nth) => (partNumber > 90 && nth === 1 ? 39_000 : 10_000),
    answer: ({ partNumber, nth }) => partNumber > 90 && nth === 2 && refusal('CONTAINER_NOT_READY'),
  })
  await rig.go()
  expect([2, 3].map(of => rig.started.filter(({ nth }) => nth === of).length)).toEqual([5, 5])
})

test('after a lost answer, a part of which the destination cannot tell costs another attempt, and its error says how many', async () => {
  const answerAll = () => refusal('PLATFORM_UNREACHABLE')
  const settle = () => Promise.reject(refusal('STORE_ERROR'))
  const rig = createRig({ parts: 5, concurrency: 1, partsPerInvocation: 5, retries: 2, answerAll, settle })
  await expect(rig.go()).rejects.toMatchObject({
    ...{ code: 'PART_FAILED', retryable: false, facts: { attempts: 3 }, cause: { code: 'STORE_ERROR' } },
    message: expect.stringMatching(/^Part \d failed 3 times: /),
  })
  expect(rig.invocations).toHaveLength(1)
})

test.each([
  ['it was copied', undefined, { length: 80 }],
  ['it has failed', failure('ACCESS_DENIED'), { code: 'ACCESS_DENIED' }],
])('what the destination has is not waited for any more once %s', async (_, answered, expected) => {
  const settle = (_, signal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
  const answer = ({ partNumber }) => partNumber === 10 && answered
  const rig = createRig({ ...stuck, parts: 80, partsPerInvocation: 4, settle, answer })
  expect(await rig.go().catch(error => error)).toMatchObject(expected)
})

test('of an invocation with several parts only those start again that the destination has not', async () => {
  const asked = []
  const doubt = new XferError('PART_CORRUPTED', { reason: 'other bytes' })
  const rig = createRig({
    ...{ ...stuck, parts: 80, partsPerInvocation: 4 },
    check: ({ partNumber, etag }) => (partNumber === 11 && etag === '"there"' ? doubt : undefined),
    settle: async parts => {
      asked.push(parts.map(({ partNumber }) => partNumber))
      return parts
        .filter(({ partNumber }) => partNumber !== 10)
        .map(({ partNumber, bytes }) => ({ ...rig.copied(partNumber), bytes, etag: '"there"', timing: {} }))
    },
  })
  const outcomes = await rig.go()
  expect([asked, rig.invocations[0].parallel]).toEqual([[[9, 10, 11, 12]], 1])
  expect(rig.eventsOf('hedge')).toMatchObject([{ partNumber: 10 }, { partNumber: 11 }])
  expect([8, 9, 10, 11].map(at => outcomes[at].etag)).toEqual(['"there"', '"10-2"', '"11-2"', '"there"'])
  expect(rig.invocations.find(({ aborted }) => aborted).shown).toBe(false)
  expect(rig.eventsOf('part')).toHaveLength(80)
})

test.each([
  ['while they move', true, [0, 2750, 4000, 4000, 10_000]],
  ['when a part is done', false, [0, 10_000, 20_000, 30_000, 30_000]],
])('more run at once as more bytes move, which count %s', async (_, tells, expected) => {
  const started = []
  const rig = createRig({
    ...{ parts: 8, bytes: 64 * 1024 ** 2, startWith: 1 },
    run: async ([{ partNumber, bytes }], { onBytes }) => {
      started.push(rig.clock.elapsedMs())
      for (let i = 1; i <= 40; i++) {
        await rig.clock.delay(250)
        if (tells) onBytes(partNumber, (bytes * i) / 40)
      }
      return [{ ...rig.copied(partNumber), bytes }]
    },
  })
  expect(await rig.go()).toHaveLength(8)
  expect(started.slice(0, 5)).toEqual(expected)
})

test('no more small objects run at once than help, however small they are', async () => {
  const how = { parts: 2000, bytes: 0, lane: 1, startWith: 1, concurrency: 64, partsPerInvocation: 1 }
  const rig = createRig({ ...how, takesMs: () => (100 * rig.inFlight()) / 16 })
  await rig.go()
  expect(rig.mostInFlight()).toBe(32)
})
