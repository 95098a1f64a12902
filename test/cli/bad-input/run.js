'use strict'

/**
 * @template T, R
 * @param {T[]} items
 * @param {number} atOnce at most so many are under way
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R>[]} in the items' order
 */
function inTurn(items, atOnce, work) {
  const results = items.map(() => {
    let settle
    const promise = new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
    return { promise, ...settle }
  })
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const mine = next++
      await work(items[mine]).then(results[mine].resolve, results[mine].reject)
    }
  }
  for (let i = 0; i < atOnce; i++) worker()
  return results.map(({ promise }) => promise)
}

module.exports = { inTurn }
