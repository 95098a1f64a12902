'use strict'

/**
 * Works on each item, some at the same time, in their order.
 *
 * @template T
 * @param {Iterable<T> | AsyncIterable<T>} items
 * @param {number} atOnce
 * @param {(item: T) => Promise<void>} work the first error ends all; what is under way by then comes to its end
 * @returns {Promise<void>}
 */
async function eachAtOnce(items, atOnce, work) {
  const left = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let failed = false
  async function worker() {
    try {
      while (!failed) {
        const { value, done } = await left.next()
        if (done) return
        await work(value)
      }
    } catch (error) {
      failed = true
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  if (failed) await left.return?.()
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/**
 * @template T
 * @param {Iterable<T> | AsyncIterable<T>} items
 * @param {number} most items in one batch
 * @returns {AsyncGenerator<T[]>} batches of that many items, in their order; only the last may have fewer
 */
async function* inBatches(items, most) {
  /** @type {T[]} */
  let batch = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < most) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Fits no limit, so that it starts alone. */
const ALONE = Number.MAX_SAFE_INTEGER

/**
 * Limits the work in flight: callers wait, in order, until the work before them has left. Work larger than the limit starts alone. Pure but for
 * its promises.
 *
 * @param {number} most
 * @param {() => void} [onWait] called when work has to wait
 */
function createSemaphore(most, onWait = () => {}) {
  let limit = most
  let taken = 0
  /** @type {Array<{ size: number, enter: (value?: any) => void }>} in order of arrival */
  const waiting = []

  const wait = (/** @type {number} */ size) => new Promise(resolve => waiting.push({ size, enter: resolve }))

  /** @param {number} size @returns {boolean} */
  function enterAtOnce(size) {
    if (waiting.length > 0 || (taken > 0 && taken + size > limit)) return false
    taken += size
    return true
  }

  /** Lets in those who fit now. @param {number} size that entered */
  function leave(size) {
    taken -= size
    while (waiting.length > 0) {
      const { size: next, enter } = waiting[0]
      if (taken > 0 && taken + next > limit) return
      waiting.shift()
      taken += next
      enter()
    }
  }

  return {
    /**
     * @param {number} size
     * @returns {Promise<void> | undefined} resolves once the work may start; undefined: at once. Call `leave` at its end
     */
    enter(size) {
      if (enterAtOnce(size)) return undefined
      const entered = wait(size)
      onWait()
      return entered
    },

    /** As `enter`, but never waits. @param {number} size @returns {boolean} false: it would have to wait */
    enterAtOnce,

    leave,

    /** @param {number} least the limit rises to this, if it is lower */
    widen(least) {
      limit = Math.max(limit, least)
      leave(0)
    },

    /** @returns {Promise<void>} resolves once nothing is in flight */
    async empty() {
      if (taken === 0) return
      await wait(ALONE)
      leave(ALONE)
    },
  }
}

module.exports = { eachAtOnce, inBatches, createSemaphore }
