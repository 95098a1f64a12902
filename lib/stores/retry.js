'use strict'

const retry = require('async-retry')
const { setTimeout: delay } = require('node:timers/promises')
const { asXferError, throwIfAborted } = require('../errors')

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
    wrapped[name] = (/** @type {any} */ input, /** @type {import('../types').CallOptions} */ options = {}) =>
      retry(
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
        { retries, minTimeout: 200, maxTimeout: 5_000, factor: 2, randomize: true },
      )
  }
  return wrapped
}

module.exports = { withRetry }
