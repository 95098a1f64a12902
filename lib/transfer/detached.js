'use strict'

/**
 * Invocations that nobody waits for any more, and that run all the same: an abort ends the wait for a function on a
 * platform, not the function. What it writes late can bring an upload back that was completed or aborted, on stores that
 * keep uploads as folders; so whoever ends an upload wants to know when the last of them is over.
 */

const { setMaxListeners } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const { abortReason } = require('../errors')

/** @typedef {import('../types').Engine} Engine */

/** @param {Pick<Engine, 'run' | 'can'>} engine */
function createLate({ run, can }) {
  /** @type {Set<Promise<unknown>>} */
  const left = new Set()
  const over = new AbortController()
  // Every invocation listens to it.
  setMaxListeners(0, over.signal)

  /** Waits until they are over, or for so long. @param {number} limitMs */
  async function settled(limitMs) {
    const timer = new AbortController()
    const tooLong = delay(limitMs, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race([Promise.allSettled([...left]), tooLong])
    timer.abort()
  }

  return {
    /** @type {Engine['run']} */
    async run(tasks, options = {}) {
      const { signal } = options
      if (can.cancel || !signal) return await run(tasks, options)
      const ended = run(tasks, { ...options, signal: over.signal })
      /** @type {() => void} */
      let onAbort = () => {}
      const aborted = new Promise((_, reject) => {
        onAbort = () => {
          left.add(ended)
          const home = () => left.delete(ended)
          ended.then(home, home)
          reject(abortReason(signal))
        }
        if (signal.aborted) onAbort()
        else signal.addEventListener('abort', onAbort, { once: true })
      })
      try {
        return await Promise.race([ended, /** @type {Promise<never>} */ (aborted)])
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },

    /** How many there are. */
    count: () => left.size,

    settled,

    /** Likewise, and then nobody asks for them any more. @param {number} limitMs */
    async ended(limitMs) {
      await settled(limitMs)
      over.abort()
    },
  }
}

module.exports = { createLate }
