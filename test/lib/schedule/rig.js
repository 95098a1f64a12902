'use strict'

const { UNLIMITED } = require('../../../lib/engines')
const { XferError } = require('../../../lib/engines/openwhisk/errors')
const { createOutages, createPressure, runParts } = require('../../../lib/schedule')
const { createVirtualClock } = require('../../../bench/simulation/clock')

const STORE = { side: 'destination', bucket: 'bucket', endpoint: 'http://store', status: 500 }

const PLATFORM = { platform: 'the platform', fn: 'the function' }

/** Of an engine that has none. */
const NO_LIMITS = { ...UNLIMITED, concurrent: Number.POSITIVE_INFINITY }

/** What the library makes of a failure: its code is a row of the table already. */
const explain = ({ code, retryAfterMs }) => new XferError(code, { ...STORE, reason: 'why', retryAfterMs })
/** An outcome that is a failure. */
const failure = (code, retryAfterMs = undefined) => ({ error: { code, message: 'It failed.', retryAfterMs } })
/** The rejection of an invocation. */
const refusal = (code, retryAfterMs = undefined, facts = {}) =>
  new XferError(code, { ...STORE, ...PLATFORM, reason: 'why', afterMs: 1000, retryAfterMs, ...facts })

/** How long the engine waits for a record. */
const LOST_MS = 420_000

/**
 * Parts through the scheduler and an engine of the test's, on a clock of its own.
 *
 * @param {object} how
 * @param {number} how.parts
 * @param {(attempt: { partNumber: number, nth: number, inFlight: number, clock: any }) => any} [how.answer] of an
 *   invocation: a failure, an error to be rejected with, or nothing where it is a success
 * @param {(invocation: { partNumbers: number[], nth: number, parallel: number, inFlight: number, clock: any }) => any}
 *   [how.answerAll] of an invocation as a whole: an error to be rejected with, the outcomes, or nothing
 * @param {number | ((partNumber: number, nth: number) => number)} [how.takesMs] of one part; an
 *   invocation takes the sum
 * @param {number} [how.bytes] of a part
 * @param {number} [how.answersMs] the platform waits so long for an invocation; then it answers without the result, and nobody ever
 *   tells it
 * @param {(clock: any) => any} [how.pressureOn] of the stores, by the rig's clock
 */
function createRig({
  parts: count,
  answer = () => undefined,
  answerAll = () => undefined,
  takesMs = 100,
  bytes = 10,
  limits,
  answersMs,
  pressureOn = clock =>
    createPressure({ outages: createOutages({ timeoutMs: 600_000, emit() {}, clock }), random: () => 0.5 }),
  ...how
}) {
  const clock = createVirtualClock()
  const pressure = pressureOn(clock)
  const parts = Array.from({ length: count }, (_, i) => ({ partNumber: i + 1, start: i * bytes, bytes }))
  const events = []
  const started = []
  const signed = []
  let inFlight = 0
  let mostInFlight = 0
  const attempts = new Map()

  const invocations = []
  const copied = partNumber => ({
    partNumber,
    bytes,
    etag: `"${partNumber}-${attempts.get(partNumber)}"`,
    sums: { crc32: String(partNumber).padStart(8, '0') },
  })

  /** When each part is at the destination. @type {Map<number, number>} */
  const thereMs = new Map()

  async function run(tasks, { signal, parallel, onWaiting, isShown }) {
    inFlight++
    mostInFlight = Math.max(mostInFlight, inFlight)
    const partNumbers = tasks.map(({ partNumber }) => partNumber)
    const invocation = { partNumbers, nth: invocations.length + 1, parallel, aborted: false }
    invocations.push(invocation)
    let ms = 0
    const nths = partNumbers.map(partNumber => {
      const nth = (attempts.get(partNumber) ?? 0) + 1
      attempts.set(partNumber, nth)
      started.push({ partNumber, nth, atMs: clock.elapsedMs() })
      ms += typeof takesMs === 'function' ? takesMs(partNumber, nth) : takesMs
      return nth
    })
    signal.addEventListener('abort', () => {
      Object.assign(invocation, { aborted: true, shown: isShown() })
    })
    try {
      const seen = inFlight
      if (ms > answersMs) {
        for (const number of partNumbers)
          thereMs.set(number, Math.min(thereMs.get(number) ?? Infinity, clock.now() + ms))
        await clock.delay(answersMs, signal)
        onWaiting()
        await clock.delay(LOST_MS, signal)
        throw refusal('ACTIVATION_LOST')
      }
      await clock.delay(ms, signal)
      const whole = answerAll({ ...invocation, inFlight: seen, clock })
      if (whole instanceof Error) throw whole
      if (whole) return whole
      return partNumbers.map((partNumber, i) => {
        const answered = answer({ partNumber, nth: nths[i], inFlight: seen, clock })
        if (answered instanceof Error) throw answered
        return answered ? { partNumber, ...answered } : { ...copied(partNumber), etag: `"${partNumber}-${nths[i]}"` }
      })
    } finally {
      inFlight--
    }
  }

  const promise = () =>
    runParts(parts, {
      sign: async part => {
        signed.push(part.partNumber)
        return { partNumber: part.partNumber, bytes: part.bytes }
      },
      run,
      explain,
      limits: { ...NO_LIMITS, ...limits },
      concurrency: 4,
      retries: 3,
      emit: event => events.push({ ...event, atMs: clock.elapsedMs() }),
      pressure,
      clock,
      random: () => 0.5,
      ...how,
    })

  return {
    clock,
    pressure,
    events,
    started,
    signed,
    invocations,
    copied,
    /** What the destination has of these parts now. */
    shown: some =>
      some
        .filter(({ partNumber }) => thereMs.get(partNumber) <= clock.now())
        .map(({ partNumber }) => copied(partNumber)),
    go: () => clock.run(promise()),
    eventsOf: type => events.filter(event => event.type === type),
    attemptsOf: partNumber => attempts.get(partNumber) ?? 0,
    inFlight: () => inFlight,
    mostInFlight: () => mostInFlight,
  }
}

module.exports = { NO_LIMITS, createRig, explain, failure, refusal }
