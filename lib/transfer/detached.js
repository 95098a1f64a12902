'use strict'

/**
 * Detached invocations: functions that still run although the job no longer waits for them. An abort ends the wait for a
 * function on a platform, not the function. On stores that keep uploads as folders, a late write can recreate an upload that
 * was completed or aborted. So before ending an upload the job waits for its detached invocations.
 */

const { setMaxListeners } = require('node:events')
const { setTimeout: delay } = require('node:timers/promises')
const { untilAborted } = require('../async')

/** @typedef {import('../types').Engine} Engine */

/** @param {Pick<Engine, 'run' | 'can'>} engine */
function trackDetached({ run, can }) {
  /** @type {Set<Promise<unknown>>} */
  const left = new Set()
  const over = new AbortController()
  // Every invocation adds a listener.
  setMaxListeners(0, over.signal)

  /** Waits until all of them have ended, but at most for `limitMs`. @param {number} limitMs */
  async function settled(limitMs) {
    const timer = new AbortController()
    const tooLong = delay(limitMs, undefined, { signal: timer.signal }).catch(() => {})
    await Promise.race([Promise.allSettled([...left]), tooLong])
    timer.abort()
  }

  /** @type {Engine['run']} */
  async function runApart(tasks, options = {}) {
    const { signal } = options
    if (!signal) return await run(tasks, options)
    const ended = run(tasks, { ...options, signal: over.signal })
    try {
      return await untilAborted(ended, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      left.add(ended)
      const forget = () => left.delete(ended)
      ended.then(forget, forget)
      options.onDetached?.(ended)
      throw error
    }
  }

  return {
    /** An engine that can cancel leaves none behind. */
    run: can.cancel ? run : runApart,

    /** How many detached invocations still run. */
    count: () => left.size,

    settled,

    /** As `settled`; then aborts the calls that still wait for an answer. @param {number} limitMs */
    async ended(limitMs) {
      await settled(limitMs)
      over.abort()
    },
  }
}

module.exports = { trackDetached }
