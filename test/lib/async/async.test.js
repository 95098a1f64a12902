'use strict'

const { getEventListeners } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { XferError } = require('../../../lib/errors')
const { DRAIN_MS, anySignal, createCancellation } = require('../../../lib/async/cancellation')
const { createVirtualClock } = require('../../../bench/simulation/clock')
const { createOutages, createPressure, runParts } = require('../../../lib/schedule')
const { createShared, inBatches, keepShared, requestedWaitMs, systemClock } = require('../../../lib/async')
const { untilAborted } = require('../../../lib/async')
const { memoize } = require('../../../lib/async/memoize')

describe('cancellation', () => {
  /** What is asked and when, of a cancellation after so long. */
  async function story(how, act = () => {}) {
    const clock = createVirtualClock(0)
    const ending = createCancellation({ ...how, clock })
    const seen = []
    for (const name of ['cancel', 'abort']) {
      const { [name]: signal } = ending
      signal.addEventListener('abort', () => seen.push(`${name} ${clock.elapsedMs()} ${signal.reason.code}`))
    }
    act(ending)
    await clock.run(clock.delay(60_000))
    return seen
  }

  test('an abort cancels at once, and aborts what still runs some seconds later', async () => {
    const controller = new AbortController()
    expect(await story({ signal: controller.signal }, () => controller.abort())).toEqual([
      'cancel 0 INTERRUPTED',
      `abort ${DRAIN_MS} INTERRUPTED`,
    ])
  })

  test('after a time limit nothing more starts, and what is in flight may come home for a quarter of it', async () => {
    expect(await story({ timeoutMs: 3_000 })).toEqual(['cancel 3000 TIMED_OUT', 'abort 3750 TIMED_OUT'])
    const last = `abort ${50_000 + DRAIN_MS} TIMED_OUT`
    expect(await story({ timeoutMs: 50_000 })).toEqual(['cancel 50000 TIMED_OUT', last])
  })

  test('it holds for what was interrupted before too', async () => {
    const signal = AbortSignal.abort()
    expect(await story({ signal, timeoutMs: 3_000 })).toEqual(['abort 3750 INTERRUPTED'])
  })
})

describe('untilAborted', () => {
  const never = () => new Promise(() => {})
  const reason = new XferError('TIMED_OUT', { after: '2s' })
  const PART = { partNumber: 1, start: 0, bytes: 1 }
  const LIMITS = { concurrent: 1, perMinute: Infinity, timeoutMs: 60_000, memoryMiB: 256, payloadBytes: 1e6, skewMs: 0 }

  test('it waits for the answer or the signal, and does not listen any longer', async () => {
    const controller = new AbortController()
    const { signal } = controller
    expect(await untilAborted(Promise.resolve('answer'), signal)).toBe('answer')
    expect(await untilAborted(Promise.resolve('answer'), undefined)).toBe('answer')
    const waiting = untilAborted(never(), signal)
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect(untilAborted(never(), signal)).rejects.toBe(reason)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('however many wait for one signal, it has one listener', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const answered = untilAborted(new Promise(resolve => setImmediate(resolve, 'answer')), signal)
    const waiting = Array.from({ length: 999 }, () => untilAborted(never(), signal))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    expect(await answered).toBe('answer')
    controller.abort(reason)
    const outcomes = await Promise.allSettled(waiting)
    expect(outcomes.filter(outcome => outcome.reason === reason)).toHaveLength(999)
  })

  test('a signature for which credentials are asked that never come does not outlast the signal', async () => {
    const controller = new AbortController()
    const sign = () => {
      setImmediate(() => controller.abort(reason))
      return never()
    }
    const { signal } = controller
    const pressure = createPressure({ outages: createOutages({ timeoutMs: 0, emit() {} }), random: () => 0.5 })
    const job = { run: never, limits: LIMITS, concurrency: 1, retries: 0, pressure, emit() {} }
    const how = { sign, explain: error => error, ...job }
    await expect(runParts([PART], { ...how, abort: signal })).rejects.toBe(reason)
  })
})

describe('memoize', () => {
  const MINUTE = 60_000

  /** A provider whose answers are good for so long, and a clock. */
  function setUp(goodForMs, mostMs) {
    let nowMs = 1_000_000
    const calls = []
    const provider = jest.fn(() => {
      const expiration = goodForMs === undefined ? undefined : new Date(nowMs + goodForMs)
      return new Promise((resolve, reject) =>
        calls.push({ reject, resolve: () => resolve({ accessKeyId: `id ${calls.length}`, expiration }) }),
      )
    })
    const credentials = memoize(provider, () => nowMs, mostMs)
    const pass = ms => {
      nowMs += ms
    }
    const fail = () => calls.at(-1).reject(new Error('no network'))
    return { provider, credentials, pass, answer: () => calls.at(-1).resolve(), fail }
  }

  async function ask({ credentials, answer }) {
    const asked = credentials()
    answer()
    return await asked
  }

  test.each([undefined, 60 * MINUTE])('a shared answer that lives %s is asked for again after a time', async ms => {
    const it = setUp(ms, 5 * MINUTE)
    const first = await ask(it)
    it.pass(5 * MINUTE - 1)
    expect(await it.credentials()).toBe(first)
    it.pass(1)
    expect(await ask(it)).not.toBe(first)
  })

  test('an answer is kept until five minutes before it expires, then asked for again', async () => {
    const it = setUp(60 * MINUTE)
    const first = await ask(it)
    it.pass(55 * MINUTE - 1)
    expect(await it.credentials()).toBe(first)
    it.pass(1)
    const second = await ask(it)
    expect(second).not.toBe(first)
    it.pass(MINUTE)
    expect(await it.credentials()).toBe(second)
    expect(it.provider).toHaveBeenCalledTimes(2)
  })

  test('concurrent callers share one request', async () => {
    const it = setUp(undefined)
    const asked = Promise.all([it.credentials(), it.credentials(), it.credentials()])
    it.answer()
    expect(new Set(await asked).size).toBe(1)
    expect(it.provider).toHaveBeenCalledTimes(1)
  })

  test('a failure reaches all callers, and the next call tries again', async () => {
    const it = setUp(undefined)
    const asked = Promise.allSettled([it.credentials(), it.credentials()])
    it.fail()
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await ask(it)).toMatchObject({ accessKeyId: 'id 2' })
  })

  test('if the renewal fails, the old ones are used until they expire, and the renewal is tried now and then', async () => {
    const it = setUp(60 * MINUTE)
    const first = await ask(it)
    const failed = async () => {
      const asked = it.credentials()
      it.fail()
      return await asked
    }
    it.pass(56 * MINUTE)
    expect(await failed()).toBe(first)
    it.pass(9_999)
    expect(await it.credentials()).toBe(first)
    expect(it.provider).toHaveBeenCalledTimes(2)
    it.pass(1)
    expect(await failed()).toBe(first)
    it.pass(4 * MINUTE)
    await expect(failed()).rejects.toThrow('no network')
    expect(await ask(it)).not.toBe(first)
  })

  describe('credentials that a store refuses as expired', () => {
    /** @param {Array<object | Error>} answers of the provider, one a call, the last one for good */
    async function refusing(...answers) {
      const provider = jest.fn(async () => {
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        if (answer instanceof Error) throw answer
        return { ...answer }
      })
      const credentials = memoize(provider, () => 0)
      return { provider, credentials, first: await credentials() }
    }
    const one = { accessKeyId: 'one', secretAccessKey: 's' }
    const two = { accessKeyId: 'two', secretAccessKey: 's' }

    test('are asked for anew, once for all that were refused', async () => {
      const { provider, credentials, first } = await refusing(one, two)
      expect(await Promise.all([credentials.renew(first), credentials.renew(first)])).toEqual([true, true])
      expect([await credentials.renew(first), await credentials()]).toEqual([true, two])
      expect(provider).toHaveBeenCalledTimes(2)
    })

    test('are no more where the provider fails, and its error says why', async () => {
      const { credentials, first } = await refusing(one, new Error('logged out'))
      await expect(credentials.renew(first)).rejects.toThrow('logged out')
      expect(await credentials()).toBe(first)
    })

    test('are asked for anew a few times only, where new ones are refused too', async () => {
      let count = 0
      let nowMs = 0
      const provider = async () => ({ accessKeyId: `${count++}`, secretAccessKey: 's' })
      const credentials = memoize(provider, () => nowMs)
      const renew = async () => await credentials.renew(await credentials())
      const renewed = []
      for (let i = 0; i < 7; i++) renewed.push(await renew())
      expect(renewed).toEqual([true, true, true, true, true, false, false])
      nowMs = 10 * MINUTE
      expect(await renew()).toBe(true)
    })
  })
})

describe('the clock', () => {
  afterEach(() => {
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  test('a timer of a hundred days fires after a hundred days, and not at once', () => {
    jest.useFakeTimers()
    const fired = jest.fn()
    const ms = 100 * 24 * 3_600_000
    systemClock.setTimeout(fired, ms)
    jest.advanceTimersByTime(ms - 1)
    expect(fired).not.toHaveBeenCalled()
    jest.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
  })

  test('a timer for a moment that is over fires, and asks for no negative time: Node.js 22 and later warn of one', () => {
    jest.useFakeTimers()
    const asked = jest.spyOn(globalThis, 'setTimeout')
    const fired = jest.fn()
    systemClock.setTimeout(fired, -5)
    jest.advanceTimersByTime(1)
    expect(fired).toHaveBeenCalledTimes(1)
    expect(asked.mock.calls.map(([, ms]) => ms)).toEqual([0])
  })

  test('the time does not step with the clock of the machine', () => {
    const before = systemClock.now()
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 20 * 60_000)
    expect(Math.abs(systemClock.now() - before)).toBeLessThan(60_000)
    expect(Number.isInteger(systemClock.now())).toBe(true)
  })
})

test('items come in batches, in their order, and no batch is empty', async () => {
  async function* numbers() {
    yield* [0, 1, 2, 3]
  }
  const batchesOf = async most => {
    const batches = []
    for await (const batch of inBatches(numbers(), most)) batches.push(batch)
    return batches
  }
  expect([await batchesOf(3), await batchesOf(4)]).toEqual([[[0, 1, 2], [3]], [[0, 1, 2, 3]]])
})

test('a server that asks for a wait is given it, for a minute at most', () => {
  expect([7_000, 3_600_000].map(requestedWaitMs)).toEqual([7_000, 60_000])
})

test('what is shared ends with its last user, and with the last client that keeps it', async () => {
  const ended = []
  const shared = createShared(value => ended.push(value))
  const [one, other] = ['a', 'b'].map(value => shared.take('key', () => value))
  expect([one.value, other.value]).toEqual(['a', 'a'])
  await one.leave()
  await one.leave()
  expect(ended).toEqual([])
  const release = keepShared({})
  await other.leave()
  expect(ended).toEqual([])
  expect(shared.take('key', () => 'c').value).toBe('a')
  const rest = shared.take('key', () => 'd')
  await rest.leave()
  await release()
  expect(ended).toEqual([])
})

test('a time limit that is one of several signals comes, although nothing else holds it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const aborted = new Promise(resolve => {
    const inner = anySignal([AbortSignal.timeout(100), new AbortController().signal])
    anySignal([inner]).addEventListener('abort', () => resolve('aborted'))
  })
  // What this turn has touched is kept until it ends.
  await delay(1)
  collect()
  expect(await Promise.race([aborted, delay(5_000, 'never', { ref: false })])).toBe('aborted')
})
