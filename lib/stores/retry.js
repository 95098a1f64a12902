'use strict'

const { repeat } = require('../repeat')

/** @typedef {import('../types').Store} Store */

/** The control calls: what asks the network, and may be asked again. */
const CONTROL_CALLS = /** @type {const} */ ([
  'head',
  'partSize',
  'tags',
  'putTags',
  'list',
  'createUpload',
  'listParts',
  'completeUpload',
  'heeds',
  'abortUpload',
  'listUploads',
  'remove',
  'removeAll',
])

/**
 * The same store, whose control calls are repeated where their failure allows it.
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
      repeat(() => call(input, options), {
        retries,
        // All bytes are there: it would be a pity to lose them to a store that is busy for some seconds.
        patient: name === 'completeUpload',
        signal: options.signal,
        onRetry(error, attempt) {
          options.onRetry?.(error)
          onRetry?.(error, name, attempt)
        },
      })
  }
  return wrapped
}

module.exports = { withRetry }
