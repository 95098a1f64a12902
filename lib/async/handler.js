'use strict'

/** Calls a function of the library's caller while something runs, so that its failure ends the run as an abort does. */

const { XferError, messageOf } = require('../errors')

/** Of any realm, and of any maker. @param {any} value @returns {value is AbortSignal} */
function isSignal(value) {
  return typeof value?.aborted === 'boolean' && typeof value.addEventListener === 'function'
}

/**
 * Runs work whose options have a handler. When the handler throws, or returns a promise that rejects, it is called no more,
 * and the signal of the work is aborted. Nothing waits for its promises; a rejection after the end is ignored.
 *
 * @template {object} O
 * @template R
 * @param {string} name of the handler, such as `onEvent`
 * @param {O} options as the caller gave them, maybe of a wrong shape: the work checks that
 * @param {(options: O) => Promise<R>} work is given the options with another handler and signal
 * @returns {Promise<R>}
 * @throws {XferError} HANDLER_FAILED, with what was thrown as its cause; everything that the work throws
 */
async function withHandler(name, options, work) {
  const given = /** @type {any} */ (options ?? {})
  const handler = given[name]
  if (typeof handler !== 'function') return await work(options)
  const stop = new AbortController()
  /** @type {{ cause: unknown } | undefined} */
  let failure
  let pending = 0

  /** @param {unknown} cause */
  const fail = cause => {
    if (failure) return
    failure = { cause }
    stop.abort(failed(name, failure))
  }
  /** @param {unknown[]} told */
  const guarded = (...told) => {
    if (failure) return
    try {
      const answer = handler.apply(given, told)
      if (typeof answer?.then !== 'function') return
      pending++
      answer.then(
        () => pending--,
        (/** @type {unknown} */ cause) => {
          pending--
          fail(cause)
        },
      )
    } catch (cause) {
      fail(cause)
    }
  }
  const { signal: own = stop.signal } = given
  const signal = isSignal(own) ? AbortSignal.any([own, stop.signal]) : own
  const result = await work({ ...given, [name]: guarded, signal })
  // What fails at once has failed by then.
  if (pending > 0) await new Promise(resolve => setImmediate(resolve))
  if (failure) throw failed(name, failure, { done: true })
  return result
}

/**
 * @param {string} handler
 * @param {{ cause: unknown }} failure
 * @param {{ done?: boolean }} [facts] done: what was asked for is done
 */
function failed(handler, { cause }, facts) {
  const reason = messageOf(cause).replace(/\.$/, '')
  const error = new XferError('HANDLER_FAILED', { handler, reason, ...facts })
  // The caller's own error, as it was thrown: xfer's copies of causes are no instances of the caller's classes.
  Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
  return error
}

module.exports = { isSignal, withHandler }
