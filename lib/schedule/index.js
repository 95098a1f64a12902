'use strict'

/**
 * The scheduler: every part through the engine, so many at once as the limit allows, each again until it is done or
 * has failed too often. The one place that acts on an error's `throttled` and `retryable`.
 *
 * A part that failed goes back to the queue with a time before which it must not start, so a slot is never held by
 * waiting; an invocation of which nothing is known is the failure of all its parts.
 */

const { setMaxListeners } = require('node:events')
const { pool } = require('async-await-parallel')
const { XferError, asXferError, abortReason } = require('../errors')
const { backoffMs } = require('./backoff')
const { createLimit } = require('./limit')
const { createQueue } = require('./queue')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').Task} Task */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('../types').Clock} Clock */

/** How long the platform, or a store, may refuse everything before the job gives up. */
const REFUSED_TOO_LONG_MS = 10 * 60_000

/** @type {Clock} */
const systemClock = {
  now: Date.now,
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: timer => clearTimeout(/** @type {any} */ (timer)),
}

/**
 * @param {Part[]} parts
 * @param {object} how
 * @param {(part: Part) => Promise<Task>} how.sign called once an attempt, so that no retry carries a stale signature
 * @param {(tasks: Task[], options: { signal: AbortSignal }) => Promise<Outcome[]>} how.run one invocation
 * @param {(error: import('../types').TaskError) => import('../types').XferError} how.explain
 * @param {(outcome: TaskSuccess, attempt: number) => import('../types').XferError | undefined} [how.check] of a
 *   part that was written: whether it counts
 * @param {number} how.concurrency invocations in flight, at most
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {AbortSignal} [how.signal]
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit
 * @param {Clock} [how.clock]
 * @param {() => number} [how.random]
 * @returns {Promise<TaskSuccess[]>} one a part, in the parts' order
 * @throws {XferError} the first failure that ended the work, once nothing is in flight any more
 */
async function runParts(parts, how) {
  const {
    sign,
    run,
    explain,
    check,
    concurrency,
    retries,
    signal,
    emit,
    clock = systemClock,
    random = Math.random,
  } = how
  if (parts.length === 0) return []
  const limit = createLimit(concurrency)
  const queue = createQueue(
    parts.map(part => ({ part, attempt: 1 })),
    { limit: limit.current, clock },
  )
  /** @type {Map<number, TaskSuccess>} */
  const done = new Map()
  const stop = new AbortController()
  // Every invocation in flight listens to it.
  setMaxListeners(0, stop.signal)
  /** @type {import('../types').XferError | undefined} */
  let failure
  let refusals = 0
  /** @type {number | undefined} */
  let refusedSinceMs

  /** @param {unknown} error */
  function fail(error) {
    failure ??= asXferError(error)
    stop.abort(failure)
    queue.close()
  }

  /** @param {{ part: Part, attempt: number }} item @param {import('../types').XferError} error */
  function throttled(item, error) {
    const nowMs = clock.now()
    refusedSinceMs ??= nowMs
    refusals++
    limit.throttled(nowMs, queue.out() - 1)
    if (nowMs - refusedSinceMs > REFUSED_TOO_LONG_MS) return fail(error)
    const delayMs = backoffMs({ attempt: Math.min(refusals, 6), retryAfterMs: error.retryAfterMs, random })
    queue.pause(nowMs + delayMs)
    emit({
      type: 'throttle',
      code: error.code,
      message: error.message,
      limit: limit.current(),
      delayMs: Math.round(delayMs),
    })
    queue.putBack(item, 0)
  }

  /** @param {{ part: Part, attempt: number }} item @param {import('../types').XferError} error */
  function failed({ part, attempt }, error) {
    // The job is over; what was in flight is of no interest any more.
    if (failure) return
    if (error.throttled) return throttled({ part, attempt }, error)
    if (!error.retryable) return fail(error)
    if (attempt > retries) return fail(gaveUp(part, attempt, error))
    const delayMs = backoffMs({ attempt, retryAfterMs: error.retryAfterMs, random })
    const { code, message } = error
    emit({ type: 'retry', partNumber: part.partNumber, attempt, code, message, delayMs: Math.round(delayMs) })
    queue.putBack({ part, attempt: attempt + 1 }, delayMs)
  }

  /** @param {{ part: Part, attempt: number }} item */
  async function attempt(item) {
    const startedMs = clock.now()
    /** @type {Outcome} */
    let outcome
    try {
      const task = await sign(item.part)
      ;[outcome] = await run([task], { signal: stop.signal })
    } catch (error) {
      return failed(item, asXferError(error))
    }
    const error = 'error' in outcome ? explain(outcome.error) : check?.(outcome, item.attempt)
    if (error?.throttled) return throttled(item, error)
    refusals = 0
    refusedSinceMs = undefined
    limit.success()
    if ('error' in outcome || error) return failed(item, /** @type {import('../types').XferError} */ (error))
    done.set(item.part.partNumber, outcome)
    const { partNumber, bytes, crc32 } = outcome
    emit({ type: 'part', partNumber, bytes, crc32, attempt: item.attempt, elapsedMs: clock.now() - startedMs })
    queue.done()
  }

  async function worker() {
    const item = await queue.take()
    if (item !== undefined && !failure) await attempt(item).catch(fail)
    return queue.open()
  }

  const interrupt = () => fail(abortReason(/** @type {AbortSignal} */ (signal)))
  if (signal?.aborted) interrupt()
  signal?.addEventListener('abort', interrupt, { once: true })
  try {
    await pool(Math.min(concurrency, parts.length), worker)
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
  if (failure) throw failure
  return parts.map(({ partNumber }) => /** @type {TaskSuccess} */ (done.get(partNumber)))
}

/** @param {Part} part @param {number} attempts @param {import('../types').XferError} cause */
function gaveUp({ partNumber }, attempts, cause) {
  if (attempts === 1) return cause
  const facts = {
    ...cause.facts,
    partNumber,
    attempts,
    reason: cause.message,
    advice: cause.hint,
    exit: cause.exitCode,
  }
  return new XferError('PART_FAILED', facts, { cause })
}

module.exports = { runParts }
