'use strict'

const { createHeap } = require('./heap')

/**
 * A virtual clock: when nothing else can happen, time jumps to the next timer. So waiting takes no real time, every run is
 * the same, and waiting for ever is an error at once.
 *
 * @typedef {ReturnType<typeof createVirtualClock>} VirtualClock
 *
 * @param {number} [startMs]
 */
function createVirtualClock(startMs = 1_700_000_000_000) {
  let nowMs = startMs
  let lastId = 0
  /** @typedef {{ id: number, dueMs: number, callback: (() => void) | undefined }} Timer without a callback: cleared */
  /** @type {import('./heap').Heap<Timer>} */
  const timers = createHeap((a, b) => a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.id < b.id))
  let pending = 0

  /** Resolves when every promise that can settle without time passing has settled. */
  const settle = () => new Promise(resolve => setImmediate(resolve))

  /** @returns {Timer | undefined} the next one that was not cleared */
  function next() {
    for (let top = timers.peek(); top; top = timers.peek()) {
      if (top.callback) return top
      timers.pop()
    }
    return undefined
  }

  /** Fires all timers that are due next. Timers that these set belong to a later round, even if they are due at once. */
  function fireNext() {
    const last = lastId
    nowMs = Math.max(nowMs, next()?.dueMs ?? nowMs)
    for (let top = next(); top && top.dueMs <= nowMs && top.id <= last; top = next()) {
      timers.pop()
      pending--
      const callback = /** @type {() => void} */ (top.callback)
      top.callback = undefined
      callback()
    }
  }

  const clock = {
    now: () => nowMs,
    /** @param {() => void} callback @param {number} ms @returns {unknown} */
    setTimeout(callback, ms) {
      const timer = { id: ++lastId, dueMs: nowMs + Math.max(0, ms), callback }
      timers.push(timer)
      pending++
      return timer
    },
    /** @param {unknown} timer */
    clearTimeout(timer) {
      const set = /** @type {Timer | undefined} */ (timer)
      if (!set?.callback) return
      set.callback = undefined
      pending--
    },
  }

  return {
    ...clock,
    /** @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} rejects with the signal's reason */
    delay: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const onAbort = () => {
          clock.clearTimeout(timer)
          reject(signal?.reason)
        }
        const timer = clock.setTimeout(() => {
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
     * @throws {Error} if no timer is left, so that it would never settle
     */
    async run(promise) {
      let settled = false
      const end = () => {
        settled = true
      }
      promise.then(end, end)
      for (;;) {
        await settle()
        if (settled) return await promise
        if (pending === 0) throw new Error(`It hangs after ${nowMs - startMs} ms: nothing is left to happen`)
        fireNext()
      }
    },
    pending: () => pending,
    elapsedMs: () => nowMs - startMs,
  }
}

module.exports = { createVirtualClock }
