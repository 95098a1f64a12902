'use strict'

/** Calls a function of the library's caller while something runs, so that its failure ends the run as an abort does. */

const { XferError, messageOf } = require('../errors')
const { anySignal } = require('./cancellation')

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
  const given = /** @type {any} */ (options ?? {})
  const handler = given[name]
  if (typeof handler !== 'function') return { options, async finish() {} }
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

module.exports = { askHandler, guardHandler, isSignal, withHandler }
