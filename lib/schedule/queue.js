'use strict'

/**
 * What is to be done, and when it may start. Items are taken by the batch when there are some that are due, fewer
 * batches than the limit are out, no pause is on, and the quota leaves one more; an item of a batch is done or put back
 * for later, and then the batch is released.
 */

/** @typedef {import('../types').Clock} Clock */

/** What is due almost together goes together: the parts of a batch that failed are put back one after the other. */
const TOGETHER_MS = 50

/**
 * @template T
 * @param {T[]} items in the order in which they are to start
 * @param {object} rules
 * @param {() => number} rules.limit batches out at once
 * @param {(waiting: number) => number} [rules.batch] items in the next batch, at least 1
 * @param {{ waitMs: () => number, spend: () => void }} [rules.quota] waitMs: until another batch may start
 * @param {Clock} rules.clock
 */
function createQueue(items, { limit, batch = () => 1, quota = { waitMs: () => 0, spend() {} }, clock }) {
  let next = 0
  let out = 0
  let closed = false
  let pausedUntilMs = 0
  /** @type {Array<{ item: T, dueMs: number }>} put back, the soonest first */
  const later = []
  /** @type {Set<T>} the items of `later` */
  const delayed = new Set()
  /** @type {Array<(items: T[] | undefined) => void>} */
  const takers = []
  /** @type {unknown} */
  let timer

  const waiting = () => items.length - next + later.length
  const over = () => closed || (waiting() === 0 && out === 0)

  /** When the next item is due; 0: it is. */
  function dueMs() {
    if (next < items.length) return 0
    return later.length > 0 ? later[0].dueMs : Number.POSITIVE_INFINITY
  }

  /** @param {number} nowMs @returns {T[]} what was put back and is due goes first, so that no part is left for the very end */
  function nextBatch(nowMs) {
    const most = batch(waiting())
    /** @type {T[]} */
    const taken = []
    while (taken.length < most && later.length > 0 && later[0].dueMs <= nowMs + TOGETHER_MS) {
      const { item } = /** @type {{ item: T }} */ (later.shift())
      delayed.delete(item)
      taken.push(item)
    }
    while (taken.length < most && next < items.length) taken.push(items[next++])
    return taken
  }

  function serve() {
    clock.clearTimeout(timer)
    timer = undefined
    if (over()) {
      for (const give of takers.splice(0)) give(undefined)
      return
    }
    const nowMs = clock.now()
    // Asked once a round: time goes on between two questions, and a wait that has ended meanwhile would wake nobody.
    let quotaMs = quota.waitMs()
    while (takers.length > 0 && out < limit() && nowMs >= pausedUntilMs && dueMs() <= nowMs && quotaMs === 0) {
      const taken = nextBatch(nowMs)
      out++
      quota.spend()
      takers.shift()?.(taken)
      quotaMs = quota.waitMs()
    }
    if (takers.length === 0 || waiting() === 0) return
    const wakeMs = Math.max(dueMs(), pausedUntilMs, nowMs + quotaMs)
    if (wakeMs > nowMs) timer = clock.setTimeout(serve, wakeMs - nowMs)
  }

  return {
    /** @returns {Promise<T[] | undefined>} undefined: there is nothing more to do, or the queue was closed */
    take() {
      return new Promise(resolve => {
        takers.push(resolve)
        serve()
      })
    },
    /** What `limit` says may be another number now. */
    look: serve,
    /** A batch that was taken is over. */
    release() {
      out--
      serve()
    },
    /** It is to be done, once and not before so long; what waits already goes on waiting. @param {T} item @param {number} delayMs */
    putBack(item, delayMs) {
      if (delayed.has(item)) return
      const dueMs = clock.now() + delayMs
      const at = later.findIndex(other => other.dueMs > dueMs)
      later.splice(at < 0 ? later.length : at, 0, { item, dueMs })
      delayed.add(item)
      serve()
    },
    /** It was put back, and is done after all. @param {T} item */
    drop(item) {
      if (!delayed.delete(item)) return
      later.splice(
        later.findIndex(other => other.item === item),
        1,
      )
    },
    /** Nothing starts before. @param {number} untilMs epoch */
    pause(untilMs) {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs)
    },
    /** For how long still nothing starts. @returns {number} milliseconds */
    pausedMs: () => Math.max(0, pausedUntilMs - clock.now()),
    close() {
      closed = true
      serve()
    },
    /** Whether it was put back, and waits. @param {T} item */
    has: item => delayed.has(item),
    /** From when on one more batch may start that there is nothing to fill with. @returns {number} epoch; Infinity: nobody knows */
    idleMs() {
      const nowMs = clock.now()
      if (closed || out >= limit() || dueMs() <= nowMs) return Number.POSITIVE_INFINITY
      return Math.max(nowMs, pausedUntilMs, nowMs + quota.waitMs())
    },
    /** Items that are not taken. */
    waiting,
    /** Batches taken and not released. */
    out: () => out,
    /** Whether a worker that came free should ask again. */
    open: () => !over(),
  }
}

module.exports = { createQueue }
