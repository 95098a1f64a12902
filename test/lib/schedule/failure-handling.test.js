'use strict'

/** What comes of the parts of one invocation, and what the limits, the batches, the outages and the user are told of it. */

const { createFailureHandling } = require('../../../lib/schedule/failure-handling')
const { createGroup, createQueue, startFlight } = require('../../../lib/schedule/queue')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { XferError } = require('../../../lib/errors')
const { explain, failure, refusal } = require('./rig')

const BYTES = 10
const RAN_MS = 4000

/**
 * An invocation of these parts, each of ten bytes, after which only the failures are handled.
 *
 * @param {object} how
 * @param {(items: any[], queue: any) => void} [how.before] what the parts met earlier
 * @param {() => Promise<boolean>} [how.excuses] whether there is an outage; what it does happens while the probe is out
 */
function setUp({ parts = 2, retries = 1, fits = true, before = () => {}, excuses = async () => false, ...how } = {}) {
  const told = []
  const tell =
    what =>
    (...facts) =>
      told.push([what, ...facts])
  const clock = createVirtualClock()
  const queue = createQueue({
    ...{ limit: () => 9, batch: () => ({ most: 9, mostBytes: 99 }), gatherMs: [0, 0], clock },
    quota: { waitMs: () => 0, started() {} },
  })
  const capacity = {
    ...{ queue, fitsInTime: () => fits, answered: tell('answered') },
    refused: ({ facts: { side } }) => ({ store: side }),
    batchingOf: () => ({ ended: tell('ended'), tooMuch: tell('tooMuch') }),
    timePerByte: { finished: tell('time') },
    workPerByte: { finished: tell('work') },
  }
  const handling = createFailureHandling({
    ...{ capacity, retries, clock, random: () => 0.5, closing: new AbortController().signal },
    outages: {
      excuses: async () => await excuses(items),
      failed: ({ code }) => tell('attempt')(code),
      holding: () => false,
    },
    finish: item => tell('part')(item.part.partNumber),
    fail: ({ code }) => tell('all fail')(code),
    failGroup: (_, { code, facts }) => tell('fails')(code, ...(code === 'PART_FAILED' ? [facts.partNumber] : [])),
    emit: ({ type, store }) => tell(type)(store),
  })
  const group = createGroup(
    { explain, emit: ({ type, code, delayMs, partNumber }) => tell(type)(partNumber, code, delayMs), ...how },
    Array.from({ length: parts }, (_, i) => ({ partNumber: i + 1, start: i * BYTES, bytes: BYTES })),
  )
  const { items } = group
  const flight = startFlight(items, clock.now())
  for (const item of items) item.flights.clear()
  before(items, queue)
  return {
    ...{ clock, queue, flight, handling, items, told },
    /** @param {string[]} codes of the parts; '' for one that was copied */
    outcomes: (codes, more = {}) =>
      handling.handleOutcomes(
        flight,
        items,
        codes.map((code, i) => ({ partNumber: i + 1, ...(code ? failure(code) : { bytes: BYTES }), ...more })),
      ),
    /** Those that start again. */
    waiting: () => items.filter(queue.has).map(({ part }) => part.partNumber),
    kinds: () => told.map(([kind]) => kind),
    of: kind => told.filter(([some]) => some === kind).map(([, ...facts]) => facts),
  }
}

const done = item => Object.assign(item, { done: {} })
const allDone = items => items.forEach(done)
const elsewhere = item => item.flights.add({})

describe('a part that failed', () => {
  const retry = 'retry'
  const ELSEWHERE = { before: ([i]) => elsewhere(i) }
  const OFTEN = { before: ([i]) => Object.assign(i, { excused: 8 }) }
  test.each([
    ['starts again', 'PART_CORRUPTED', {}, { attempt: 2, excused: 0 }, [1], [retry]],
    ['is given up after the last attempt', 'PART_CORRUPTED', { retries: 0 }, { attempt: 1 }, [], ['fails']],
    ['and never can succeed', 'SOURCE_CHANGED', {}, { attempt: 1 }, [], ['fails']],
    ['in another invocation too, is left to it', 'STALLED', ELSEWHERE, { attempt: 2 }, [], []],
    ['and waits already', 'STALLED', { before: ([i], queue) => queue.putBack(i, 0) }, { attempt: 2 }, [1], []],
    ['for no fault of its own', 'CONTAINER_NOT_READY', { retries: 0 }, { attempt: 1, uncertain: true }, [1], [retry]],
    ['for no fault of its own, and is elsewhere', 'CONTAINER_NOT_READY', ELSEWHERE, { attempt: 1, excused: 1 }, [], []],
    ['for no fault of its own, the ninth time', 'CONTAINER_NOT_READY', OFTEN, { attempt: 2, excused: 8 }, [1], [retry]],
    ['because its container was slow', 'NOT_STARTED', { retries: 0 }, { attempt: 1, excused: 1 }, [1], [retry]],
    ['because it takes long', 'NOT_STARTED', { fits: false }, { attempt: 2, excused: 0 }, [1], [retry]],
    ['in an outage', 'STORE_ERROR', { excuses: async () => true, retries: 0 }, { attempt: 1 }, [1], []],
    ['while the work ends', 'STORE_ERROR', { excuses: () => Promise.reject(Error()) }, { attempt: 1 }, [1], []],
    ['and is done meanwhile', 'STALLED', { excuses: async ([i]) => !done(i) }, { attempt: 1 }, [], []],
  ])('%s: %s', async (_, code, how, state, waiting, told) => {
    const rig = setUp({ parts: 1, ...how })
    await rig.outcomes([code])
    expect(rig.items[0]).toMatchObject(state)
    expect(rig.waiting()).toEqual(waiting)
    expect(rig.kinds().filter(kind => ['retry', 'fails'].includes(kind))).toEqual(told)
  })

  test.each([
    ['for itself', 'PART_CORRUPTED', false, 1],
    ['where a probe is answered', 'STORE_ERROR', false, 1],
    ['in an outage', 'STORE_ERROR', true, 0],
  ])('%s counts for the time after which the job gives up, unless there is an outage', async (_, code, away, count) => {
    const rig = setUp({ parts: 1, excuses: async () => away })
    await rig.outcomes([code])
    expect(rig.of('attempt')).toEqual(Array(count).fill([code]))
  })

  test.each([
    ['the error of the only attempt', 1, 0, 'PART_CORRUPTED', []],
    ['how often it was tried', 2, 0, 'PART_FAILED', [1]],
    ['no number, where it is the object', 2, 1, 'PART_FAILED', [undefined]],
  ])('and is given up names %s', async (_, attempt, lane, code, facts) => {
    const rig = setUp({ parts: 1, retries: attempt - 1, lane, before: ([item]) => Object.assign(item, { attempt }) })
    await rig.outcomes(['PART_CORRUPTED'])
    expect(rig.of('fails')).toEqual([[code, ...facts]])
  })
})

describe('an invocation that failed', () => {
  const fewer = 'ACTIVATION_OUT_OF_MEMORY'
  test.each([
    ['with parts that others have done says nothing', 'ACTION_NOT_DEPLOYED', allDone, [], []],
    ['as every one will', 'ACTION_NOT_DEPLOYED', () => {}, ['attempt', 'all fail'], []],
    ['costs what is not done an attempt', 'PLATFORM_ERROR', ([a]) => done(a), ['attempt', 'retry'], [2]],
    ['as too large is made smaller', fewer, () => {}, ['attempt', 'tooMuch', 'retry', 'retry'], [1, 2]],
    ['as too large for one part', fewer, ([a]) => done(a), ['attempt', 'retry'], [2]],
    ['is refused by the platform', 'PLATFORM_THROTTLED', () => {}, ['attempt', 'throttle'], [1, 2]],
  ])('%s: %s', async (_, code, before, told, waiting) => {
    const rig = setUp({ before })
    await rig.handling.invocationFailed(rig.items, refusal(code), rig.flight)
    expect([rig.kinds(), rig.waiting()]).toEqual([told, waiting])
  })

  test('as too large costs no attempt, and what it may have done is looked for after a back-off', async () => {
    const rig = setUp()
    await rig.handling.invocationFailed(rig.items, refusal(fewer), rig.flight)
    for (const item of rig.items) expect(item).toMatchObject({ attempt: 1, excused: 0, uncertain: true })
    expect(rig.of('tooMuch')).toEqual([[2]])
    expect(rig.of('retry')).toEqual([1, 2].map(partNumber => [partNumber, fewer, 375]))
  })

  test('in an outage costs no attempt, and what it may have done is looked for', async () => {
    const rig = setUp({ retries: 0, excuses: async () => true })
    await rig.handling.invocationFailed(rig.items, refusal('PLATFORM_UNREACHABLE'), rig.flight)
    expect([rig.told, rig.waiting()]).toEqual([[], [1, 2]])
    for (const item of rig.items) expect(item).toMatchObject({ attempt: 1, uncertain: true })
  })

  test('is no refusal, where its parts were done before that was judged', async () => {
    const rig = setUp()
    const judged = rig.handling.invocationFailed(rig.items, refusal('PLATFORM_THROTTLED'), rig.flight)
    allDone(rig.items)
    await judged
    expect(rig.kinds()).not.toContain('throttle')
  })
})

describe('an invocation that was answered', () => {
  const signedAnew = new XferError('ACCESS_DENIED', { side: 'source', signedAnew: true })
  const ONE_ANEW = { explain: ({ code }) => (code === 'ACCESS_DENIED' ? signedAnew : explain({ code })) }
  const timing = { startedAtMs: 1000, totalMs: 3000 }

  test.each([
    ['of parts', ['', ''], {}, [2 * BYTES, RAN_MS, 2]],
    ['whose function ran out of time', ['', 'NOT_STARTED'], {}, [BYTES, RAN_MS, 2]],
    ['of small objects', ['', ''], { lane: 1 }],
    ['with a failure', ['', 'PART_CORRUPTED'], {}],
    ['whose signature was too old', ['', 'ACCESS_DENIED'], { explain: () => signedAnew }],
    ['that a store refused', ['', 'STORE_THROTTLED'], {}],
    ['of which one is signed anew, one failed', ['ACCESS_DENIED', 'PART_CORRUPTED'], ONE_ANEW],
  ])('%s shows how long bytes take, if it says that', async (_, codes, how, ...times) => {
    const rig = setUp(how)
    await rig.clock.run(rig.clock.delay(RAN_MS))
    await rig.outcomes(codes)
    expect([rig.of('time'), rig.of('work')]).toEqual([times, times])
  })

  test.each([
    ['all tell it', [timing, { startedAtMs: 2000, totalMs: 1500 }], 3000],
    ['it is no time', [timing, timing].map(times => ({ ...times, totalMs: 0 })), 1],
    ['one does not', [timing], RAN_MS],
    ['none does', [], RAN_MS],
  ])('worked as long as its own clock says, where %s', async (_, times, workedMs) => {
    const rig = setUp()
    await rig.clock.run(rig.clock.delay(RAN_MS))
    const outcomes = rig.items.map((_, i) => ({ partNumber: i + 1, bytes: BYTES, timing: times[i] }))
    await rig.handling.handleOutcomes(rig.flight, rig.items, outcomes)
    expect(rig.of('work')).toEqual([[2 * BYTES, workedMs, 2]])
    expect(rig.of('ended')).toMatchObject([[{ items: 2, done: 2, times: { elapsedMs: RAN_MS, workedMs } }]])
  })

  test.each([
    ['of what it had no time for, one part done', ['', 'NOT_STARTED'], [2], []],
    ['of what it had no time for, none done', ['NOT_STARTED', 'NOT_STARTED'], [1, 2], ['retry', 'retry']],
    ['of what is signed anew', ['', 'ACCESS_DENIED'], [2], [], { explain: () => signedAnew }],
    ['of what a store refused', ['', 'STORE_THROTTLED'], [2], ['throttle']],
    ['of what others have done meanwhile', ['STORE_THROTTLED', 'STORE_THROTTLED'], [], [], { before: allDone }],
  ])('leaves for later, %s', async (_, codes, waiting, told, how = {}) => {
    const rig = setUp(how)
    await rig.outcomes(codes)
    expect(rig.waiting()).toEqual(waiting)
    expect(rig.kinds().filter(kind => ['retry', 'throttle', 'fails'].includes(kind))).toEqual(told)
    expect(rig.items.map(({ attempt }) => attempt)).toEqual([1, 1])
  })

  test('shows which stores refused, each with its own parts, and that the others did not', async () => {
    const sides = ['source', 'destination', 'source']
    const rig = setUp({
      parts: 3,
      explain: (_, { partNumber }) =>
        new XferError('STORE_THROTTLED', { side: sides[partNumber - 1], bucket: 'b', endpoint: 'http://s' }),
      before: ([, , last]) => elsewhere(last),
    })
    await rig.outcomes(sides)
    expect(rig.of('answered')).toEqual([[{ some: false, but: ['source', 'destination'] }]])
    expect(rig.of('throttle')).toEqual([['source'], ['destination']])
    // The last one is in another invocation still.
    expect(rig.waiting()).toEqual([1, 2])
    const some = setUp()
    await some.outcomes(['', 'STORE_THROTTLED'])
    expect(some.of('answered')).toEqual([[{ some: true, but: ['destination'] }]])
  })
})

test.each([
  ['is refused, waits without an attempt', 'STORE_THROTTLED', () => {}, ['throttle'], [1, 2]],
  ['fails, costs an attempt', 'NO_SUCH_BUCKET', () => {}, ['fails', 'fails'], []],
  ['is done by others, is nothing', 'STORE_THROTTLED', allDone, [], []],
  ['is done by others in part', 'STORE_ERROR', ([a]) => done(a), ['retry'], [2]],
])('what could not be sent and %s', (_, code, before, told, waiting) => {
  const rig = setUp({ before })
  rig.handling.notSent(rig.items, refusal(code), rig.flight)
  expect([rig.kinds(), rig.waiting()]).toEqual([told, waiting])
})

test('refusals without an end are given up once more than ten minutes have passed', async () => {
  const rig = setUp({ parts: 1 })
  await rig.outcomes(['STORE_THROTTLED'])
  await rig.clock.run(rig.clock.delay(600_000))
  await rig.outcomes(['STORE_THROTTLED'])
  expect(rig.of('all fail')).toEqual([])
  await rig.clock.run(rig.clock.delay(1))
  await rig.outcomes(['STORE_THROTTLED'])
  expect(rig.of('all fail')).toEqual([['STORE_THROTTLED']])
})
