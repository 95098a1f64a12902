'use strict'

/**
 * The clock, and the two ways to end a job. Cancel is soft: nothing more starts, and what is in flight may come home for some seconds.
 * Abort is hard: what is in flight ends too. A function of the library's caller that fails ends a job as an abort does.
 */

const { setMaxListeners } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const { XferError, abortReason, messageOf } = require('../errors')

/** Between the two. */
const DRAIN_MS = 5_000
/** After a time limit so much of it, at most: who gave three seconds does not wait for eight. */
const DRAIN_SHARE = 1 / 4

/**
 * @typedef {object} Cancellation
 * @property {AbortSignal} cancel aborted when the caller's signal is, or the time is up
 * @property {AbortSignal} abort aborted some seconds later
 * @property {(reason: unknown) => void} end aborts `cancel`, and leaves what is in flight its time
 * @property {(reason: import('../types').XferError) => void} stop as the caller's signal does
 * @property {() => void} close no longer watched for
 */

/**
 * @param {{ signal?: AbortSignal, timeoutMs?: number, waitedMs?: number, clock?: import('../types').Clock }} why signal: the caller's;
 *   timeoutMs: after which the job is cancelled by itself; waitedMs: so much of that is over
 * @returns {Cancellation}
 */
function createCancellation({ signal: given, timeoutMs, waitedMs = 0, clock = systemClock }) {
  // One signal may end many jobs. A signal of its own for each keeps Node.js from warning of many listeners to the caller's.
  const signal = given instanceof AbortSignal ? anySignal([given]) : given
  const cancel = new AbortController()
  const abort = new AbortController()
  // Every request listens to them.
  setMaxListeners(0, cancel.signal, abort.signal)
  /** @type {unknown[]} */
  const timers = []

  /** @param {import('../types').XferError} reason @param {number} [drainMs] */
  function stop(reason, drainMs = DRAIN_MS) {
    if (cancel.signal.aborted) return
    timers.push(clock.setTimeout(() => abort.abort(reason), drainMs))
    cancel.abort(reason)
  }

  const onAbort = () => stop(abortReason(/** @type {AbortSignal} */ (signal)))
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  if (timeoutMs !== undefined) {
    const drainMs = Math.min(DRAIN_MS, timeoutMs * DRAIN_SHARE)
    const leftMs = Math.max(0, timeoutMs - waitedMs)
    timers.push(clock.setTimeout(() => stop(new XferError('TIMED_OUT', { afterMs: timeoutMs }), drainMs), leftMs))
    // Also of what another reason has cancelled before.
    timers.push(clock.setTimeout(() => abort.abort(cancel.signal.reason), leftMs + drainMs))
  }
  return {
    cancel: cancel.signal,
    abort: abort.signal,
    end: reason => cancel.abort(reason),
    stop,
    close() {
      signal?.removeEventListener('abort', onAbort)
      for (const timer of timers) clock.clearTimeout(timer)
    },
  }
}

/** What a signal of several is made of. @type {WeakMap<AbortSignal, AbortSignal[]>} */
const sources = new WeakMap()

/**
 * As AbortSignal.any, and it keeps what it is made of: Node.js 20 forgets a time limit (AbortSignal.timeout) that nothing else holds,
 * and then it never comes.
 *
 * @param {AbortSignal[]} signals
 * @returns {AbortSignal}
 */
function anySignal(signals) {
  const any = AbortSignal.any(signals)
  sources.set(any, signals)
  return any
}

/** What is called when a signal aborts. @type {WeakMap<AbortSignal, { callbacks: Set<() => void>, listener: () => void }>} */
const waiting = new WeakMap()

/**
 * Calls back once when the signal aborts. All callbacks of a signal share one listener, because adding and removing one
 * of thousands of listeners takes as long as walking through them all.
 *
 * @param {AbortSignal} signal that is not aborted
 * @param {() => void} callback
 * @returns {() => void} removes the callback
 */
function onAbort(signal, callback) {
  let shared = waiting.get(signal)
  if (!shared) {
    const callbacks = new Set()
    const listener = () => {
      waiting.delete(signal)
      for (const each of callbacks) each()
    }
    shared = { callbacks, listener }
    waiting.set(signal, shared)
    signal.addEventListener('abort', listener, { once: true })
  }
  const { callbacks, listener } = shared
  // The same function may be given twice.
  const own = () => callback()
  callbacks.add(own)
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0 || waiting.get(signal) !== shared) return
    waiting.delete(signal)
    signal.removeEventListener('abort', listener)
  }
}

/**
 * Waits for an answer, but no longer than until the signal: for work that takes no signal itself.
 *
 * @template T
 * @param {Promise<T>} answer
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 * @throws {import('../types').XferError} the signal's reason, or what the answer throws
 */
async function untilAborted(answer, signal) {
  if (!signal) return await answer
  let forget = () => {}
  const aborted = new Promise((_, reject) => {
    const stop = () => reject(abortReason(signal))
    if (signal.aborted) stop()
    else forget = onAbort(signal, stop)
  })
  try {
    return await Promise.race([answer, /** @type {Promise<never>} */ (aborted)])
  } finally {
    forget()
  }
}

/** The longest delay of a Node.js timer; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * The real clock, for code that takes a clock as an argument. It starts at the epoch time and is monotonic: setting this
 * machine's clock makes no pause longer or shorter. A timer for a moment that is over runs at once.
 *
 * @type {import('../types').Clock}
 */
const systemClock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  setTimeout(callback, ms) {
    /** @type {{ handle?: NodeJS.Timeout }} */
    const timer = {}
    const arm = (/** @type {number} */ leftMs) => {
      const next = Math.min(leftMs, LONGEST_TIMER_MS)
      timer.handle = setTimeout(() => (leftMs > next ? arm(leftMs - next) : callback()), next)
    }
    arm(Math.max(0, ms))
    return timer
  },
  clearTimeout: timer => clearTimeout(/** @type {any} */ (timer)?.handle),
}

/** Waits, or rejects with the signal's reason. @param {number} ms @param {AbortSignal} [signal] */
async function pause(ms, signal) {
  await delay(ms, undefined, { signal }).catch(error => {
    throw signal ? abortReason(signal) : error
  })
}

/**
 * Waits for work that has no end of its own for certain.
 *
 * @param {number} ms at most
 * @param {Promise<unknown>} work
 */
async function waitAtMost(ms, work) {
  const timer = new AbortController()
  await Promise.race([work, pause(ms, timer.signal).catch(() => {})]).finally(() => timer.abort())
}

/** Of any realm, and of any maker. @param {any} value @returns {value is AbortSignal} */
function isSignal(value) {
  return typeof value?.aborted === 'boolean' && typeof value.addEventListener === 'function'
}

/**
 * Options whose handler cannot harm the work. When it throws, or returns a promise that rejects, it is called no more, and the
 * signal of the work is aborted. Nothing waits for its promises; a rejection after the end is ignored.
 *
 * @template {object} O
 * @param {string} name of the handler, such as `onEvent`
 * @param {O} options as the caller gave them, maybe of a wrong shape: the work checks that
 * @returns {{ options: O, finish: () => Promise<void> }} options: with another handler and signal; finish: to be called when the
 *   work has succeeded; rejects with HANDLER_FAILED, whose cause is what was thrown
 */
function guardHandler(name, options) {
  const given = /** @type {any} */ (asNow(options ?? {}))
  const handler = given[name]
  if (typeof handler !== 'function') return { options: options && given, async finish() {} }
  const stop = new AbortController()
  /** @type {{ cause: unknown } | undefined} */
  let failure

  /** @param {unknown} cause */
  const fail = cause => {
    if (failure) return
    failure = { cause }
    stop.abort(handlerFailure(name, cause))
  }
  /** @param {unknown[]} told */
  const guarded = (...told) => {
    if (failure) return
    try {
      const answer = handler.apply(given, told)
      if (typeof answer?.then === 'function') answer.then(undefined, fail)
    } catch (cause) {
      fail(cause)
    }
  }
  const { signal: own = stop.signal } = given
  const signal = isSignal(own) ? anySignal([own, stop.signal]) : own
  return {
    options: { ...given, [name]: guarded, signal },
    async finish() {
      // What fails at once has failed by then.
      await new Promise(resolve => setImmediate(resolve))
      if (failure) throw handlerFailure(name, failure.cause, { done: true })
    },
  }
}

/**
 * Options as they are at the call: the caller may use its objects for the next one at once. What is no plain object or array stays itself,
 * and so does the environment.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function asNow(value) {
  if (Array.isArray(value)) return value.map(asNow)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === 'env' ? one : asNow(one)]))
}

/**
 * Runs work whose options have a handler: see `guardHandler`.
 *
 * @template {object} O
 * @template R
 * @param {string} name of the handler
 * @param {O} options
 * @param {(options: O) => Promise<R>} work is given the options with another handler and signal
 * @returns {Promise<R>}
 * @throws {XferError} HANDLER_FAILED; everything that the work throws
 */
async function withHandler(name, options, work) {
  const { options: guarded, finish } = guardHandler(name, options)
  const result = await work(guarded)
  await finish()
  return result
}

/**
 * Calls a handler whose answer is waited for.
 *
 * @template T, R
 * @param {string} name of the handler
 * @param {(told: T) => R} handler
 * @param {T} told
 * @returns {Promise<Awaited<R>>}
 * @throws {XferError} HANDLER_FAILED; an XferError of the handler as it is
 */
async function askHandler(name, handler, told) {
  try {
    return await handler(told)
  } catch (cause) {
    throw cause instanceof XferError ? cause : handlerFailure(name, cause)
  }
}

/**
 * @param {string} handler
 * @param {unknown} cause what it threw
 * @param {{ done?: boolean }} [facts] done: what was asked for is done
 */
function handlerFailure(handler, cause, facts) {
  const reason = messageOf(cause).replace(/\.$/, '')
  const error = new XferError('HANDLER_FAILED', { handler, reason, ...facts })
  // The caller's own error, as it was thrown: xfer's copies of causes are no instances of the caller's classes.
  Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
  return error
}

module.exports = {
  anySignal,
  askHandler,
  createCancellation,
  DRAIN_MS,
  guardHandler,
  isSignal,
  onAbort,
  pause,
  systemClock,
  untilAborted,
  waitAtMost,
  withHandler,
}
