'use strict'

/**
 * What an invocation may use: the hosts and the time that its platform tells, and bytes a second. The only place of the action where
 * platforms are told apart. Lambda: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 */

const { isObject } = require('./answers')

/** The function's environment variable with the access rules, as JSON: `{"hosts":["*"],"metadata":false}`. */
const ACCESS = 'XFER_ACCESS'

/**
 * The function's handler. Lambda has no parameters that callers cannot change, so the access rules are in the environment of
 * the function, and those of the event never hold. Without the variable the usual rules hold; what cannot be read as rules refuses everything.
 *
 * @param {(params: unknown, options: { deadlineMs: number }) => Promise<any>} main the action
 * @param {Record<string, string | undefined>} env
 * @returns {(event: any, context?: { getRemainingTimeInMillis?: () => number }) => Promise<any>}
 */
function createHandler(main, env) {
  return async (event, context) => {
    const left = context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY
    const { access, error } = accessOf(env)
    if (error) return { error }
    return await main(isObject(event) ? { ...event, access } : event, { deadlineMs: Date.now() + left })
  }
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {{ access?: unknown, error?: string }} access: not checked yet, except that it is an object; absent without the variable
 */
function accessOf({ [ACCESS]: text }) {
  if (text === undefined) return {}
  try {
    const access = JSON.parse(text)
    if (isObject(access)) return { access }
  } catch {}
  return { error: `The function's environment variable ${ACCESS} is no JSON object, so nothing is allowed.` }
}

/**
 * The end of the invocation, as OpenWhisk tells it.
 * https://github.com/apache/openwhisk/blob/master/docs/actions.md, "Accessing action metadata within the action body"
 *
 * @param {Record<string, string | undefined>} env
 * @returns {number} milliseconds since the epoch; Infinity where no end is told
 */
function deadlineOf({ __OW_DEADLINE: text }) {
  return text && /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
}

/** A task that would start closer to the end than this is not started. */
const START_MARGIN_MS = 2_000

/** Tasks that still run this long before the end are cut off, so that there is time to report the others. */
const CUT_MARGIN_MS = 1_000

/**
 * The end of the invocation.
 * @param {number} at milliseconds since the epoch; Infinity: there is none
 * @param {() => number} now the clock, in milliseconds since the epoch
 */
function makeDeadline(at, now) {
  let longest = 0
  return {
    /** Milliseconds until running tasks are cut off; Infinity where there is no deadline. */
    untilCut: () => at - CUT_MARGIN_MS - now(),
    /** Whether a task that takes as long as the longest so far would still be done in time. */
    leavesTime: () => at - now() > Math.max(START_MARGIN_MS, longest + CUT_MARGIN_MS),
    /** @param {number} ms that a successful task took */
    took: ms => {
      longest = Math.max(longest, ms)
    },
  }
}

/**
 * The rate is a limit in bytes per second for all that share the memory, threads included. They exchange no messages: they share only
 * the time at which all bytes that were taken will have passed (virtual scheduling, the generic cell rate algorithm of ITU-T I.371,
 * annex A).
 */

const MS = 1_000_000n
const SECOND = 1_000_000_000n

/** What may be ahead of the rate: after a pause, and because timers are late. */
const AHEAD = 100n * MS
/** But a piece at least, and one as large as a socket gives. */
const LEAST_AHEAD_BYTES = 65_536n

/** Of the memory. */
const PACE_BYTES = 8

/**
 * A rate limit.
 * @typedef {{ take: (bytes: number) => number }} Pace `take`: milliseconds after which these bytes are due. A caller
 *   that has read them already waits this long before it reads more.
 */

/**
 * Over any time, the bytes that were due in it are at most the rate times that time, and what a tenth of a second or one
 * piece has, whichever is more.
 * @param {object} how
 * @param {number} how.bytesPerSecond whole and positive
 * @param {() => bigint} how.nowNs nanoseconds, never going back, the same for all who share the memory (process.hrtime.bigint)
 * @param {SharedArrayBuffer} [how.memory] PACE_BYTES of zeros, one for all that share the rate
 * @returns {Pace}
 */
function createPace({ bytesPerSecond, nowNs, memory = new SharedArrayBuffer(PACE_BYTES) }) {
  const rate = BigInt(bytesPerSecond)
  const passed = new BigInt64Array(memory)
  const least = (LEAST_AHEAD_BYTES * SECOND) / rate
  const ahead = least > AHEAD ? least : AHEAD
  return {
    take(bytes) {
      const now = nowNs()
      const cost = (BigInt(bytes) * SECOND + rate - 1n) / rate
      for (;;) {
        const before = Atomics.load(passed, 0)
        let after = now + cost
        if (before > now) after = before + cost
        if (Atomics.compareExchange(passed, 0, before, after) !== before) continue
        const waitNs = after - ahead - now
        return waitNs > 0n ? Number((waitNs + MS - 1n) / MS) : 0
      }
    },
  }
}

module.exports = { PACE_BYTES, createHandler, createPace, deadlineOf, makeDeadline }
