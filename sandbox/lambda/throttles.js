'use strict'

const { LambdaError } = require('./errors')

/** @import { LambdaFunction, Limits } from './types' */

/**
 * A bucket of tokens that is refilled evenly. `rate` may be 0: then nothing is ever taken.
 *
 * @param {() => number} clock
 */
function createBuckets(clock) {
  /** @type {Map<string, { tokens: number, at: number }>} */
  const buckets = new Map()
  /**
   * @param {string} key
   * @param {{ size: number, perMs: number }} how size: at most so many at once
   * @returns {boolean} whether one was taken
   */
  return function take(key, { size, perMs }) {
    const now = clock()
    const bucket = buckets.get(key) ?? { tokens: size, at: now }
    const tokens = Math.min(size, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    const taken = tokens >= 1
    buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now })
    return taken
  }
}

/**
 * The throttles of an account: concurrency, reserved or shared; invocations a second; new environments; the control API.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html
 *
 * @param {{ limits: Limits, clock: () => number, reservedInAll: () => number }} options reservedInAll: of all functions together
 */
function createThrottles({ limits, clock, reservedInAll }) {
  const take = createBuckets(clock)
  /** In flight, by the name of the function with a reservation; the others share one. @type {Map<string, number>} */
  const inFlight = new Map()
  const SHARED = ''

  /** @param {string} reason */
  const throttled = reason => new LambdaError('TooManyRequestsException', { reason })
  /** @param {LambdaFunction} fn */
  const poolOf = ({ name, reserved }) => ({
    key: reserved === undefined ? SHARED : name,
    concurrent: reserved ?? limits.concurrent - reservedInAll(),
    prefix: reserved === undefined ? '' : 'Reserved',
  })

  return {
    /**
     * Counts the invocation as in flight.
     *
     * @param {LambdaFunction} fn
     * @param {boolean} warm whether an idle environment is there
     * @returns {() => void} to call when it has ended
     * @throws {LambdaError} 429 with its reason
     */
    enter(fn, warm) {
      const { key, concurrent, prefix } = poolOf(fn)
      const rate = concurrent * limits.ratePerConcurrency
      const concurrency = prefix
        ? 'ReservedFunctionConcurrentInvocationLimitExceeded'
        : 'ConcurrentInvocationLimitExceeded'
      if (!take(`rate ${key}`, { size: rate, perMs: rate / 1000 }) && concurrent > 0) {
        throw throttled(`${prefix}FunctionInvocationRateLimitExceeded`)
      }
      const running = inFlight.get(key) ?? 0
      if (running >= concurrent) throw throttled(concurrency)
      if (!warm && !take(`ramp ${fn.name}`, { size: limits.ramp, perMs: limits.ramp / limits.rampMs })) {
        throw throttled(concurrency)
      }
      inFlight.set(key, running + 1)
      return () => {
        inFlight.set(key, /** @type {number} */ (inFlight.get(key)) - 1)
      }
    },
    /** A call of the control API. @throws {LambdaError} 429 */
    control() {
      const size = limits.controlPerSecond
      if (take('control', { size, perMs: size / 1000 })) return
      throw new LambdaError('TooManyRequestsException', { reason: 'CallerRateLimitExceeded', message: 'Rate exceeded' })
    },
  }
}

module.exports = { createThrottles }
