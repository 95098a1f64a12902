'use strict'

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

module.exports = { inBatches }
