'use strict'

/**
 * A clock of its own: time passes when nothing else can happen, and then at once. So a test of waiting takes no time
 * and always goes the same way, and what would wait for ever is an error at once.
 *
 * @param {number} [startMs]
 */
function createVirtualClock(startMs = 1_700_000_000_000) {
  let nowMs = startMs
  let lastId = 0
  /** @type {Map<number, { callback: () => void, dueMs: number }>} in the order in which they were set */
  const timers = new Map()

  /** Once every promise that can settle without time passing has done so. */
  const settle = () => new Promise(resolve => setImmediate(resolve))

  function fireNext() {
    const dueMs = Math.min(...[...timers.values()].map(timer => timer.dueMs))
    nowMs = Math.max(nowMs, dueMs)
    for (const [id, timer] of [...timers]) {
      if (timer.dueMs <= nowMs && timers.delete(id)) timer.callback()
    }
  }

  const clock = {
    now: () => nowMs,
    setTimeout(callback, ms) {
      timers.set(++lastId, { callback, dueMs: nowMs + ms })
      return lastId
    },
    clearTimeout: id => timers.delete(id),
  }

  return {
    ...clock,
    /** @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} rejects with the signal's reason */
    delay: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          clock.clearTimeout(id)
          reject(signal.reason)
        }
        const id = clock.setTimeout(() => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        }, ms)
        signal?.addEventListener('abort', onAbort, { once: true })
      }),
    /**
     * Lets time pass until the promise is settled.
     *
     * @template T
     * @param {Promise<T>} promise
     * @returns {Promise<T>}
     * @throws {Error} where it never would be: nothing is left to happen
     */
    async run(promise) {
      let settled = false
      promise.then(
        () => (settled = true),
        () => (settled = true),
      )
      for (;;) {
        await settle()
        if (settled) return await promise
        if (timers.size === 0) throw new Error(`It hangs after ${nowMs - startMs} ms: nothing is left to happen`)
        fireNext()
      }
    },
    pending: () => timers.size,
    elapsedMs: () => nowMs - startMs,
  }
}

module.exports = { createVirtualClock }
