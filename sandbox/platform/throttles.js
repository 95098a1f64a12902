'use strict'

const { ApiFailure, messages } = require('./errors')

const MINUTE_MS = 60_000

/**
 * The two throttles of a namespace. Upstream: core/entitlement RateThrottler.scala, ActivationThrottler.scala.
 *
 * `admit` is called first, before the invocation is read; `enter` when it is published. They are separate on purpose:
 * upstream's check and increment are not atomic either, so a burst may exceed the limit.
 *
 * @param {{ concurrent: number, perMinute: number, clock: () => number }} options clock gives epoch milliseconds
 */
function createThrottles({ concurrent, perMinute, clock }) {
  let minute = Number.NaN
  let calls = 0
  let inFlight = 0

  return {
    /**
     * Counts the call, also a refused one, in its calendar minute (not a rolling one).
     *
     * @throws {ApiFailure} 429 with one of the two texts
     */
    admit() {
      const now = Math.floor(clock() / MINUTE_MS)
      if (now !== minute) {
        minute = now
        calls = 0
      }
      calls += 1
      if (calls > perMinute) throw new ApiFailure(429, messages.tooManyRequests(calls, perMinute))
      if (inFlight >= concurrent) throw new ApiFailure(429, messages.tooManyConcurrent(inFlight, concurrent))
    },
    enter() {
      inFlight += 1
    },
    leave() {
      inFlight -= 1
    },
  }
}

module.exports = { createThrottles }
