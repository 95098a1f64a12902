'use strict'

const { repeat } = require('../async')

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
 * @param {{ retries: number, outages?: import('../outage').Outages, onRetry?: (error: import('../types').XferError, call: string, attempt: number) => void }} options
 * @returns {Store}
 */
function withRetry(store, { retries, outages, onRetry }) {
  /** @type {any} */
  const wrapped = { ...store }
  for (const name of CONTROL_CALLS) {
    const call = /** @type {(input: any, options?: any) => Promise<any>} */ (store[name])
    wrapped[name] = (/** @type {any} */ input, /** @type {import('../types').CallOptions} */ options = {}) =>
      repeat(() => (outages ? heard(store, () => call(input, options), outages) : call(input, options)), {
        retries,
        outages,
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

/**
 * One call. Whatever the store says of it, but that it failed, it has answered.
 *
 * @template T
 * @param {Store} store
 * @param {() => Promise<T>} call
 * @param {import('../outage').Outages} outages
 * @returns {Promise<T>}
 */
async function heard({ facts: { side } }, call, outages) {
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
