'use strict'

/** Several pieces of work through one scheduler, and an engine of the test's, on a clock of its own. */

const { XferError } = require('../../../lib/errors')
const { createOutages, createPressure, createScheduler, trackDetached } = require('../../../lib/schedule')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { NO_LIMITS, explain, failure, refusal } = require('./rig')

const BYTES = 10
const sumsOf = partNumber => ({ crc32: String(partNumber).padStart(8, '0') })

/**
 * @param {object} how
 * @param {(call: { numbers: number[], nth: number, signal: AbortSignal }) => any} [how.answer] an error to be rejected with, or by
 *   part number the failures of an invocation
 * @param {(numbers: number[]) => number} [how.takesMs] an invocation
 */
function setUp({ answer = () => undefined, takesMs = () => 100, ...how } = {}) {
  const clock = createVirtualClock()
  const outages = createOutages({ timeoutMs: 10 * 60_000, emit() {}, clock })
  const calls = []
  let inFlight = 0
  let most = 0
  const scheduler = createScheduler({
    async run(tasks, { signal }) {
      const call = { numbers: tasks.map(({ partNumber }) => partNumber), nth: calls.length + 1, signal }
      calls.push(call)
      most = Math.max(most, ++inFlight)
      try {
        await clock.delay(takesMs(call.numbers), signal)
        const answered = answer(call)
        if (answered instanceof Error) throw answered
        return tasks.map(({ partNumber, bytes }) => ({
          partNumber,
          ...(answered?.[partNumber] ?? { bytes, etag: `"${partNumber}"`, sums: sumsOf(partNumber) }),
        }))
      } finally {
        inFlight--
      }
    },
    limits: NO_LIMITS,
    concurrency: 4,
    partBytes: BYTES,
    retries: 1,
    emit() {},
    clock,
    random: () => 0.5,
    pressure: createPressure({ outages, random: () => 0.5 }),
    ...how,
  })
  /** A group of these parts, and what came of it. */
  const give = (numbers, more = {}) => {
    const told = []
    const parts = numbers.map(partNumber => ({ partNumber, start: 0, bytes: BYTES }))
    const ended = scheduler.run(parts, {
      sign: async ({ partNumber, bytes }) => ({ partNumber, bytes }),
      explain,
      emit: event => told.push(event),
      ...more,
    })
    return { told, over: ended.then(outcomes => outcomes.map(({ partNumber }) => partNumber)).catch(error => error) }
  }
  /** What came of all, after which nothing is left to do. */
  async function all(groups) {
    const found = await clock.run(Promise.all(groups.map(({ over }) => over)))
    await clock.run(scheduler.end())
    return found
  }
  return { clock, scheduler, calls, give, all, mostInFlight: () => most }
}

test('groups share what may be in flight, and each gets its own outcomes in order', async () => {
  const { calls, give, all, mostInFlight } = setUp()
  const groups = [give([1, 2, 3]), give([4, 5, 6]), give([7])]
  expect(await all(groups)).toEqual([[1, 2, 3], [4, 5, 6], [7]])
  expect(mostInFlight()).toBe(4)
  expect(calls).toHaveLength(7)
  expect(groups[1].told.map(({ type, partNumber }) => `${type} ${partNumber}`)).toEqual(['part 4', 'part 5', 'part 6'])
})

test('a group that fails starts nothing more, and harms no other', async () => {
  const answer = ({ numbers }) => (numbers.includes(1) ? { 1: failure('SOURCE_CHANGED') } : undefined)
  const limits = { ...NO_LIMITS, perMinute: 3 }
  const { clock, give, calls, all } = setUp({ concurrency: 1, partsPerInvocation: 1, answer, limits })
  expect(await all([give([1, 2, 3]), give([4, 5])])).toMatchObject([{ code: 'SOURCE_CHANGED' }, [4, 5]])
  expect(clock.elapsedMs()).toBe(300)
  expect(calls.map(({ numbers }) => numbers)).toEqual([[1], [4], [5]])
})

test('a group that fails is over once nothing of it is in flight, whatever has ended the others by then', async () => {
  const takesMs = { 1: 100, 2: 5000, 3: 6000, 4: 7000 }
  const failures = { 1: failure('SOURCE_CHANGED'), 4: failure('STALLED') }
  const run = async ([{ partNumber, bytes }]) => {
    await clock.delay(takesMs[partNumber])
    if (partNumber === 3) throw refusal('ACTION_NOT_DEPLOYED')
    return [{ partNumber, bytes, ...failures[partNumber] }]
  }
  const { clock, give, all } = setUp({ run })
  const groups = [give([1, 2, 4]), give([3])]
  const endedMs = []
  for (const { over } of groups) over.then(() => endedMs.push(clock.elapsedMs()))
  expect(await all(groups)).toMatchObject([{ code: 'SOURCE_CHANGED' }, { code: 'ACTION_NOT_DEPLOYED' }])
  expect([endedMs, groups[0].told]).toEqual([[6000, 7000], []])
})

describe('an invocation that carries parts of several groups', () => {
  const several = { partsPerInvocation: 4, concurrency: 1 }

  test('does for each what can be done', async () => {
    const answer = ({ nth }) => (nth === 2 ? { 2: failure('STORE_ERROR'), 3: failure('SOURCE_CHANGED') } : undefined)
    const { give, calls, all } = setUp({ ...several, answer })
    give([9])
    const groups = [[1], [2], [3], [4]].map(numbers => give(numbers))
    expect(await all(groups)).toMatchObject([[1], [2], { code: 'SOURCE_CHANGED' }, [4]])
    expect(calls.map(({ numbers }) => numbers)).toEqual([[9], [1, 2, 3, 4], [2]])
    expect(groups[1].told.map(({ type }) => type)).toEqual(['retry', 'part'])
  })

  test('goes on for the others when one of them fails, and what is copied stays so when all end', async () => {
    const takesMs = ([number]) => (number === 3 ? 1000 : 100)
    const answer = ({ numbers }) => (numbers.includes(1) ? { 1: failure('SOURCE_CHANGED') } : undefined)
    const [stop, reason] = [new AbortController(), new XferError('INTERRUPTED', {})]
    const how = { partsPerInvocation: 3, concurrency: 2, takesMs, answer, abort: stop.signal }
    const { give, calls, all } = setUp(how)
    give([8])
    give([9])
    const groups = [give([1, 2, 7, 3]), give([4]), give([5], { check: () => stop.abort(reason) })]
    expect(await all(groups)).toMatchObject([{ code: 'SOURCE_CHANGED' }, [4], reason])
    expect(calls.map(({ numbers }) => numbers)).toEqual([[8], [9], [1, 2, 7], [3, 4, 5]])
  })

  test('asks the destination of each group by itself, when nothing is known of it', async () => {
    const answer = ({ nth }) => (nth === 2 ? refusal('PLATFORM_UNREACHABLE') : undefined)
    const { give, calls, all } = setUp({ ...several, answer })
    const asked = []
    const settle = there => async parts => {
      asked.push(parts.map(({ partNumber }) => partNumber).join())
      return there ? parts.map(part => ({ ...part, etag: '""', sums: { crc32: '00000001' } })) : []
    }
    give([9])
    const groups = [give([1, 2], { settle: settle(true) }), give([3, 4], { settle: settle(false) })]
    expect((await all(groups)).map(String)).toEqual(['1,2', '3,4'])
    expect(asked).toEqual(['1,2', '3,4'])
    expect(calls.map(({ numbers }) => numbers)).toEqual([[9], [1, 2, 3, 4], [3, 4]])
  })
})

test('what ends the engine ends all groups, and those that come later', async () => {
  const { clock, give, scheduler } = setUp({ answer: () => refusal('ACTION_NOT_DEPLOYED') })
  const found = await clock.run(Promise.all([give([1]).over, give([2, 3]).over]))
  for (const error of found) expect(error).toMatchObject({ code: 'ACTION_NOT_DEPLOYED' })
  expect(await clock.run(give([4]).over)).toMatchObject({ code: 'ACTION_NOT_DEPLOYED' })
  await clock.run(scheduler.end())
})

test('groups with an engine of their own are refused, fail and end alone', async () => {
  const [stop, reason] = [new AbortController(), new XferError('INTERRUPTED', {})]
  const { signal } = stop
  const { clock, scheduler, give, all } = setUp({ concurrency: 1, partsPerInvocation: 1 })
  clock.setTimeout(() => stop.abort(reason), 150)
  /** One that answers so, and then as it should. */
  const alone = (...answers) => ({
    async runAlone([{ partNumber, bytes }]) {
      const answer = answers.shift()
      if (answer instanceof Error) throw answer
      return [{ partNumber, ...(answer ?? { bytes, etag: '""', sums: sumsOf(partNumber) }) }]
    },
  })
  const refused = give([1], alone(failure('TOO_MANY_FILES'), failure('TOO_MANY_FILES')))
  const behind = give([2])
  const endedMs = behind.over.then(() => clock.elapsedMs())
  const failed = give([3], alone(refusal('ACTION_NOT_DEPLOYED')))
  const ended = give([4], { signal })
  const never = give([5], alone(...Array(100).fill(failure('STORE_THROTTLED'))))
  const found = await all([refused, behind, failed, ended, never])
  expect(found).toMatchObject([[1], [2], { code: 'ACTION_NOT_DEPLOYED' }, reason, { code: 'STORE_THROTTLED' }])
  expect([await endedMs, scheduler.failure()]).toEqual([100, undefined])
  const toldOf = ({ told }, most) => told.slice(0, most).map(({ type, store, delayMs }) => [type, store, delayMs])
  const files = ['throttle', undefined, 375]
  expect(toldOf(refused)).toEqual([files, files, ['part', undefined, undefined]])
  const waits = [375, 1500, 6000, 15_000, 15_000].map(ms => ['throttle', 'destination', ms])
  expect(toldOf(never, waits.length)).toEqual(waits)
  await expect(clock.run(give([6], { signal }).over)).resolves.toBe(reason)
})

test('what cannot be signed fails alone, and goes in no invocation', async () => {
  const denied = new XferError('NO_SUCH_KEY', { side: 'source', bucket: 'b', endpoint: 'http://store', status: 404 })
  const sign = async part => (part.partNumber === 2 ? Promise.reject(denied) : part)
  const { give, calls, all } = setUp({ concurrency: 1, partsPerInvocation: 4 })
  const groups = [1, 2, 3, 4].map(number => give([number], { lane: 1, sign }))
  expect(await all(groups)).toEqual([[1], denied, [3], [4]])
  expect(calls.flatMap(({ numbers }) => numbers).sort()).toEqual([1, 3, 4])
})

test('what is started a second time is at most a twentieth of the bytes of all groups together', async () => {
  const { give, all } = setUp({ concurrency: 20, retries: 3, takesMs: ([number]) => (number > 90 ? 39_000 : 10_000) })
  const groups = Array.from({ length: 100 }, (_, i) => give([i + 1], { hedge: true }))
  await all(groups)
  expect(groups.flatMap(({ told }) => told).filter(({ type }) => type === 'hedge')).toHaveLength(5)
})

test('what a function holds that nobody waits for any more is free only once it has ended', async () => {
  let inFlight = 0
  let most = 0
  const engine = {
    can: { cancel: false },
    async run([{ partNumber, bytes }]) {
      most = Math.max(most, ++inFlight)
      await clock.delay(partNumber === 2 ? 60_000 : 100)
      inFlight--
      if (partNumber === 1) return [{ partNumber, ...failure('SOURCE_CHANGED') }]
      return [{ partNumber, bytes, etag: `"${partNumber}"`, sums: {} }]
    },
  }
  const limits = { ...NO_LIMITS, bytesInFlight: 2 * BYTES }
  const { clock, give, all } = setUp({ run: trackDetached(engine).run, limits })
  expect(await all([give([1, 2]), give([3, 4, 5])])).toMatchObject([{ code: 'SOURCE_CHANGED' }, [3, 4, 5]])
  expect(most).toBe(2)
})
