'use strict'

const { repeat } = require('../async')

/** @typedef {import('../types').Store} Store */

/**
 * The control calls that may be retried, with their names in `retry` events. Copies by the store (`serverCopy`) are not among
 * them: their outcome must be checked before the next attempt.
 */
const CALLS = {
  head: 'head',
  partSize: 'partSize',
  list: 'list',
  containers: 'listContainers',
  makeContainer: 'makeContainer',
  remove: 'remove',
  removeAll: 'removeAll',
  upload: {
    create: 'createUpload',
    parts: 'listParts',
    complete: 'completeUpload',
    made: 'listParts',
    abort: 'abortUpload',
    pending: 'listUploads',
  },
  tags: { read: 'tags', write: 'putTags' },
}

/**
 * Wraps a store: retries control calls whose failure is retryable.
 *
 * @param {Store} store
 * @param {{ retries: number, outages?: import('../schedule/outage').Outages, onRetry?: (error: import('../types').XferError, call: string, attempt: number) => void }} options
 * @returns {Store}
 */
function withRetry(store, { retries, outages, onRetry }) {
  /** @param {string} name @param {(input: any, options?: any) => Promise<any>} call */
  function retrying(name, call) {
    return (/** @type {any} */ input, /** @type {import('../types').CallOptions} */ { before, ...options } = {}) => {
      const attempt = async () => {
        await before?.()
        return await (outages ? reportAnswer(store, () => call(input, options), outages) : call(input, options))
      }
      return repeat(attempt, {
        retries,
        outages,
        // All bytes are at the store already: a store that is busy for some seconds must not lose the copy.
        patient: call === store.upload.complete,
        signal: options.signal,
        onRetry(error, attempt) {
          options.onRetry?.(error)
          onRetry?.(error, name, attempt)
        },
      })
    }
  }

  /**
   * @template {Record<string, any>} Group
   * @param {Group} group
   * @param {Record<string, any>} names of calls, and of groups of them
   * @returns {Group}
   */
  function wrap(group, names) {
    const calls = Object.entries(names).filter(([method]) => group[method] !== undefined)
    const wrapped = calls.map(([method, name]) => {
      return [method, typeof name === 'string' ? retrying(name, group[method]) : wrap(group[method], name)]
    })
    return { ...group, ...Object.fromEntries(wrapped) }
  }

  return wrap(store, CALLS)
}

/**
 * Makes one call, and reports to `outages` that the store has answered, also for a refusal that is not an outage.
 *
 * @template T
 * @param {Store} store
 * @param {() => Promise<T>} call
 * @param {import('../schedule/outage').Outages} outages
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
