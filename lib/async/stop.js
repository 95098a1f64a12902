'use strict'

/**
 * Two ways to stop: in order, when the caller aborts or the time is up, which starts nothing more and lets what runs
 * come home for some seconds; and then at once.
 */

const { setMaxListeners } = require('node:events')
const { XferError, abortReason } = require('../errors')
const { systemClock } = require('./clock')

const DRAIN_MS = 5_000

/**
 * @typedef {object} Stop
 * @property {AbortSignal} asked nothing more may start
 * @property {AbortSignal} now what runs is of no interest any more
 * @property {() => void} close no longer watched for
 */

/**
 * @param {{ signal?: AbortSignal, timeout?: { ms: number, text: string }, clock?: import('../types').Clock }} why timeout: after which
 *   it stops by itself
 * @returns {Stop}
 */
function createStop({ signal, timeout, clock = systemClock }) {
  const asked = new AbortController()
  const now = new AbortController()
  // Every request listens to them.
  setMaxListeners(0, asked.signal, now.signal)
  /** @type {unknown[]} */
  const timers = []

  /** @param {import('../types').XferError} reason */
  function stop(reason) {
    if (asked.signal.aborted) return
    timers.push(clock.setTimeout(() => now.abort(reason), DRAIN_MS))
    asked.abort(reason)
  }

  const onAbort = () => stop(abortReason(/** @type {AbortSignal} */ (signal)))
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  if (timeout) {
    const onTimeout = () => stop(new XferError('TIMED_OUT', { after: timeout.text }))
    timers.push(clock.setTimeout(onTimeout, timeout.ms))
  }
  return {
    asked: asked.signal,
    now: now.signal,
    close() {
      signal?.removeEventListener('abort', onAbort)
      for (const timer of timers) clock.clearTimeout(timer)
    },
  }
}

module.exports = { createStop, DRAIN_MS }
