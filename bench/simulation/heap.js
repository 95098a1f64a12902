'use strict'

/**
 * A binary heap: the smallest item comes out first.
 *
 * @template T
 * @typedef {object} Heap
 * @property {(item: T) => void} push
 * @property {() => T | undefined} peek
 * @property {() => T | undefined} pop
 */

/**
 * @template T
 * @param {(a: T, b: T) => boolean} before whether a comes out before b
 * @returns {Heap<T>}
 */
function createHeap(before) {
  /** @type {T[]} */
  const items = []

  /** @param {number} at @param {T} item */
  function rise(at, item) {
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(item, items[parent])) break
      items[at] = items[parent]
      at = parent
    }
    items[at] = item
  }

  /** @param {T} item from the top downwards */
  function sink(item) {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && before(items[child + 1], items[child])) child++
      if (!before(items[child], item)) break
      items[at] = items[child]
      at = child
    }
    items[at] = item
  }

  return {
    push: item => rise(items.length, item),
    peek: () => items[0],
    pop() {
      const top = items[0]
      const last = items.pop()
      if (items.length > 0) sink(/** @type {T} */ (last))
      return top
    },
  }
}

module.exports = { createHeap }
