'use strict'

const { repeat } = require('../async')

/** @typedef {import('../types').Store} Store */

/** The control calls that may be retried. */
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
 * Wraps a store: retries control calls whose failure is retryable.
 *
 * @param {Store} store
 * @param {{ retries: number, outages?: import('../outage').Outages, onRetry?: (error: import('../types').XferError, call: string, attempt: number) => void }} options
 * @returns {Store}
 */
function withRetry(store, { retries, outages, onRetry }) {
  /** @type {any} */
  const wrapped = { ...store }
  for (const name of CONTROL_CALLS) {
    const call = /** @type {(input: any, options?: any) => Promise<any>} */ (store[name])
    wrapped[name] = (/** @type {any} */ input, /** @type {import('../types').CallOptions} */ options = {}) =>
      repeat(() => (outages ? reportAnswer(store, () => call(input, options), outages) : call(input, options)), {
        retries,
        outages,
        // All bytes are at the store already: a store that is busy for some seconds must not lose the copy.
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

/**
 * Makes one call, and reports to `outages` that the store has answered, also for a refusal that is not an outage.
 *
 * @template T
 * @param {Store} store
 * @param {() => Promise<T>} call
 * @param {import('../outage').Outages} outages
 * @returns {Promise<T>}
 */
async function reportAnswer({ facts: { side } }, call, outages) {
  const askedMs = outages.now()
  try {
    const answer = await call()
    outages.answered(side, askedMs)
    return answer
  } catch (error) {
    const { shared, facts } = /** @type {import('../types').XferError} */ (error)
    if (!shared && facts?.status !== undefined) outages.answered(side, askedMs)
    throw error
  }
}

module.exports = { withRetry }
