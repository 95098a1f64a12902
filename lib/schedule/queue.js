'use strict'

/**
 * What is to be done, and when it may start. Items are taken when there is one that is due, fewer than the limit are
 * out, and no pause is on; an item that was taken is either done or put back for later.
 */

/** @typedef {import('../types').Clock} Clock */

/**
 * @template T
 * @param {T[]} items in the order in which they are to start
 * @param {{ limit: () => number, clock: Clock }} rules
 */
function createQueue(items, { limit, clock }) {
  let next = 0
  let out = 0
  let closed = false
  let pausedUntilMs = 0
  /** @type {Array<{ item: T, dueMs: number }>} put back, the soonest first */
  const later = []
  /** @type {Array<(item: T | undefined) => void>} */
  const waiting = []
  /** @type {unknown} */
  let timer

  const empty = () => next === items.length && later.length === 0

  /** @returns {T | undefined} what was put back and is due goes first, so that no part is left for the very end */
  function due(/** @type {number} */ nowMs) {
    if (later.length > 0 && later[0].dueMs <= nowMs) return later.shift()?.item
    return next < items.length ? items[next++] : undefined
  }

  function serve() {
    clock.clearTimeout(timer)
    timer = undefined
    if (closed || (empty() && out === 0)) {
      for (const give of waiting.splice(0)) give(undefined)
      return
    }
    const nowMs = clock.now()
    while (waiting.length > 0 && out < limit() && nowMs >= pausedUntilMs) {
      const item = due(nowMs)
      if (item === undefined) break
      out++
      waiting.shift()?.(item)
    }
    if (waiting.length === 0 || empty()) return
    const dueMs = next < items.length ? 0 : later[0].dueMs
    const wakeMs = Math.max(dueMs, pausedUntilMs)
    if (wakeMs > nowMs) timer = clock.setTimeout(serve, wakeMs - nowMs)
  }

  return {
    /** @returns {Promise<T | undefined>} undefined: there is nothing more to do, or the queue was closed */
    take() {
      return new Promise(resolve => {
        waiting.push(resolve)
        serve()
      })
    },
    done() {
      out--
      serve()
    },
    /** @param {T} item @param {number} delayMs */
    putBack(item, delayMs) {
      out--
      const dueMs = clock.now() + delayMs
      const at = later.findIndex(other => other.dueMs > dueMs)
      later.splice(at < 0 ? later.length : at, 0, { item, dueMs })
      serve()
    },
    /** Nothing starts before. @param {number} untilMs epoch */
    pause(untilMs) {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs)
    },
    close() {
      closed = true
      serve()
    },
    /** Taken, and neither done nor put back. */
    out: () => out,
    /** Whether a worker that came free should ask again. */
    open: () => !closed && !(empty() && out === 0),
  }
}

module.exports = { createQueue }
