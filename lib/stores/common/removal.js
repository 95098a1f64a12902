'use strict'

const { asXferError } = require('../../errors')

/** How many requests run at the same time. */
const AT_ONCE = 16

/**
 * Deletes objects one by one, a few at a time.
 *
 * @param {string[]} keys
 * @param {(key: string) => Promise<void>} remove
 * @param {AbortSignal} [signal]
 * @returns {ReturnType<import('../contract').Store['removeAll']>} rejects with a failure that is worth another attempt
 */
async function removeEach(keys, remove, signal) {
  const refused = []
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    signal?.throwIfAborted()
    refused.push(...(await Promise.all(keys.slice(at, at + AT_ONCE).map(refusalOf))).flat())
  }
  return refused

  /** @param {string} key */
  async function refusalOf(key) {
    try {
      await remove(key)
      return []
    } catch (cause) {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      return [{ key, code, message }]
    }
  }
}

module.exports = { removeEach }
