'use strict'

const { abortReason } = require('../errors')
const { onAbort } = require('./on-abort')

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
  let forget = () => {}
  const aborted = new Promise((_, reject) => {
    const stop = () => reject(abortReason(signal))
    if (signal.aborted) stop()
    else forget = onAbort(signal, stop)
  })
  try {
    return await Promise.race([answer, /** @type {Promise<never>} */ (aborted)])
  } finally {
    forget()
  }
}

module.exports = { untilAborted }
