'use strict'

const { XferError } = require('../../../lib/errors')
const { runParts } = require('../../../lib/schedule')
const { createVirtualClock } = require('../../support/virtual-clock')

const STORE = { side: 'destination', bucket: 'bucket', endpoint: 'http://store', status: 500 }

/** What the library makes of a failure: its code is a row of the table already. */
const explain = ({ code, retryAfterMs }) => new XferError(code, { ...STORE, reason: 'why', retryAfterMs })
/** An outcome that is a failure. */
const failure = (code, retryAfterMs = undefined) => ({ error: { code, message: 'It failed.', retryAfterMs } })
/** The rejection of an invocation. */
const refusal = (code, retryAfterMs = undefined) => explain({ code, retryAfterMs })

/**
 * Parts through the scheduler and an engine of the test's, on a clock of its own.
 *
 * @param {object} how
 * @param {number} how.parts
 * @param {(attempt: { partNumber: number, nth: number, inFlight: number, clock: any }) => any} [how.answer] of an
 *   invocation: a failure, an error to be rejected with, or nothing where it is a success
 * @param {number | ((partNumber: number) => number)} [how.takesMs]
 */
function createRig({ parts: count, answer = () => undefined, takesMs = 100, ...how }) {
  const clock = createVirtualClock()
  const parts = Array.from({ length: count }, (_, i) => ({ partNumber: i + 1, start: i * 10, bytes: 10 }))
  const events = []
  const started = []
  const signed = []
  let inFlight = 0
  let mostInFlight = 0
  const attempts = new Map()

  async function run([{ partNumber }], { signal }) {
    inFlight++
    mostInFlight = Math.max(mostInFlight, inFlight)
    const nth = (attempts.get(partNumber) ?? 0) + 1
    attempts.set(partNumber, nth)
    started.push({ partNumber, nth, atMs: clock.elapsedMs() })
    try {
      const seen = inFlight
      await clock.delay(typeof takesMs === 'function' ? takesMs(partNumber) : takesMs, signal)
      const answered = answer({ partNumber, nth, inFlight: seen, clock })
      if (answered instanceof Error) throw answered
      if (answered) return [{ partNumber, ...answered }]
      return [{ partNumber, bytes: 10, etag: `"${partNumber}-${nth}"`, crc32: partNumber }]
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
      concurrency: 4,
      retries: 3,
      emit: event => events.push({ ...event, atMs: clock.elapsedMs() }),
      clock,
      random: () => 0.5,
      ...how,
    })

  return {
    clock,
    events,
    started,
    signed,
    go: () => clock.run(promise()),
    eventsOf: type => events.filter(event => event.type === type),
    attemptsOf: partNumber => attempts.get(partNumber) ?? 0,
    inFlight: () => inFlight,
    mostInFlight: () => mostInFlight,
  }
}

module.exports = { createRig, failure, refusal }
