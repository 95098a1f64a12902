'use strict'

/**
 * The platform's two quotas, as OpenWhisk has them (core/controller, RateThrottler.scala and ActivationThrottler.scala):
 * calls per calendar minute, including refused ones, and then activations in flight. And AWS Lambda's ramp: a call that needs
 * a new container when none may be started is refused.
 */

const { XferError } = require('../../lib/errors')
const { createTokens } = require('./tokens')

const MINUTE_MS = 60_000
const PLATFORM = 'the simulated platform'

/**
 * @param {object} platform
 * @param {import('./clock').VirtualClock} platform.clock
 * @param {import('../../lib/types').EngineLimits} platform.limits
 * @param {() => boolean} platform.needsNew whether a call would need a new container
 */
function createQuotas({ clock, limits, needsNew }) {
  const mayStart = createTokens({ ...limits.ramp, clock })
  /** @type {Map<number, { calls: number, refused: { rate: number, concurrent: number } }>} by the calendar minute */
  const minutes = new Map()
  let inFlight = 0

  function current() {
    const minute = Math.floor((clock.now() + limits.skewMs) / MINUTE_MS)
    const counted = minutes.get(minute) ?? { calls: 0, refused: { rate: 0, concurrent: 0 } }
    minutes.set(minute, counted)
    return counted
  }

  return {
    /** @throws {XferError} PLATFORM_THROTTLED */
    admit() {
      const counted = current()
      counted.calls++
      if (counted.calls > limits.perMinute) {
        counted.refused.rate++
        throw refusal('rate', counted.calls, limits.perMinute)
      }
      if (inFlight >= limits.concurrent) {
        counted.refused.concurrent++
        throw refusal('concurrent', inFlight, limits.concurrent)
      }
      if (needsNew() && !mayStart()) {
        counted.refused.concurrent++
        throw refusal('concurrent', inFlight)
      }
      inFlight++
    },
    release() {
      inFlight--
    },
    counted: () => ({ minutes: [...minutes.values()] }),
  }
}

/** @param {'rate' | 'concurrent'} throttle @param {number} count @param {number} [allowed] */
function refusal(throttle, count, allowed) {
  const what = throttle === 'rate' ? 'requests in the last minute' : 'concurrent requests in flight'
  const reason = `Too many ${what} (count: ${count}, allowed: ${allowed ?? 'not told'})`
  return new XferError('PLATFORM_THROTTLED', { platform: PLATFORM, status: 429, reason, throttle, allowed })
}

module.exports = { createQuotas, PLATFORM }
