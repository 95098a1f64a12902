'use strict'

const retry = require('async-retry')
const { setTimeout: delay } = require('node:timers/promises')
const { abortReason, asXferError, throwIfAborted } = require('../errors')

/** @typedef {import('../types').Store} Store */

/** The control calls: what asks the network, and may be asked again. */
const CONTROL_CALLS = /** @type {const} */ ([
  'head',
  'list',
  'createUpload',
  'listParts',
  'completeUpload',
  'abortUpload',
  'listUploads',
])

/**
 * The same store, whose control calls are repeated where their failure allows it: exponential back-off with jitter,
 * and never sooner than the store asked for.
 *
 * @param {Store} store
 * @param {{ retries: number, onRetry?: (error: import('../types').XferError, call: string, attempt: number) => void }} options
 * @returns {Store}
 */
function withRetry(store, { retries, onRetry }) {
  /** @type {any} */
  const wrapped = { ...store }
  for (const name of CONTROL_CALLS) {
    const call = /** @type {(input: any, options?: any) => Promise<any>} */ (store[name])
    wrapped[name] = (/** @type {any} */ input, /** @type {import('../types').CallOptions} */ options = {}) => {
      const answer = retry(
        async (bail, attempt) => {
          try {
            throwIfAborted(options.signal)
            return await call(input, options)
          } catch (cause) {
            const error = asXferError(cause)
            if (!error.retryable) return bail(error)
            if (attempt <= retries) {
              onRetry?.(error, name, attempt)
              if (error.retryAfterMs) await delay(Math.min(error.retryAfterMs, 60_000), undefined, options)
            }
            throw error
          }
        },
        { retries, minTimeout: 100, maxTimeout: 5_000, factor: 2, randomize: true },
      )
      return untilAborted(answer, options.signal)
    }
  }
  return wrapped
}

/**
 * Whoever aborts does not wait until the next attempt would have begun.
 *
 * @template T
 * @param {Promise<T>} answer
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
async function untilAborted(answer, signal) {
  if (!signal) return await answer
  /** @type {() => void} */
  let onAbort = () => {}
  const aborted = new Promise((_, reject) => {
    onAbort = () => reject(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([answer, /** @type {Promise<never>} */ (aborted)])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

module.exports = { withRetry }
