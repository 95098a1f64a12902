'use strict'

const { eachAtOnce } = require('../../async')
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
  /** @type {Awaited<ReturnType<import('../contract').Store['removeAll']>>} */
  const refused = []
  await eachAtOnce(keys, AT_ONCE, async key => {
    signal?.throwIfAborted()
    await remove(key).catch(cause => {
      const { code, message, retryable, throttled } = asXferError(cause)
      if (retryable || throttled || signal?.aborted) throw cause
      refused.push({ key, code, message })
    })
  })
  return refused
}

module.exports = { removeEach }
