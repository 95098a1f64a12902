'use strict'

const { abortReason } = require('../errors')

/**
 * Waits for an answer, but no longer than until the signal: for work that takes no signal itself.
 *
 * @template T
 * @param {Promise<T>} answer
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 * @throws {import('../types').XferError} the signal's reason, or what the answer throws
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
    if (signal.aborted) onAbort()
    return await Promise.race([answer, /** @type {Promise<never>} */ (aborted)])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

module.exports = { untilAborted }
