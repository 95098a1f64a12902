'use strict'

/**
 * Does work on items ahead of who takes the results, and yields the results in the order of the items. A result that was taken
 * makes room for the next item when the following one is asked for, so no more than `ahead` are begun or waiting at any time.
 * A failure is thrown in its place: all results before it are yielded.
 *
 * @template T, R
 * @param {Iterable<T>} items
 * @param {{ ahead: number, work: (item: T) => Promise<R> }} how
 * @returns {AsyncGenerator<R, void, void>}
 */
async function* inOrder(items, { ahead, work }) {
  const rest = items[Symbol.iterator]()
  /** @type {Promise<R>[]} */
  const begun = []
  const begin = () => {
    while (begun.length < ahead) {
      const { done, value } = rest.next()
      if (done) return
      const result = work(value)
      // It is thrown when its turn comes.
      result.catch(() => {})
      begun.push(result)
    }
  }
  for (begin(); begun.length > 0; begin()) {
    yield await begun[0]
    begun.shift()
  }
}

module.exports = { inOrder }
