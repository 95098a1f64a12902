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
    while (!failed) {
      const { value, done } = await left.next()
      if (done) return
      await work(value)
    }
  }
  const workers = Array.from({ length: atOnce }, () =>
    worker().catch(error => {
      failed = true
      throw error
    }),
  )
  const ends = await Promise.allSettled(workers)
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

module.exports = { eachAtOnce, inBatches }
