'use strict'

/** Compares by UTF-8 bytes: JavaScript compares UTF-16 units, where surrogates come before U+E000. @param {string} a @param {string} b */
function compareUtf8(a, b) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/**
 * A map that also gives its keys in the order of their UTF-8 bytes. They are sorted when a listing needs them.
 *
 * @template V
 * @extends {Map<string, V>}
 */
class SortedMap extends Map {
  /** @type {string[] | undefined} */
  #sorted

  /** @override @param {string} key @param {V} value */
  set(key, value) {
    if (!this.has(key)) this.#sorted = undefined
    return super.set(key, value)
  }

  /** @override @param {string} key */
  delete(key) {
    this.#sorted = undefined
    return super.delete(key)
  }

  /** @returns {readonly string[]} */
  sortedKeys() {
    this.#sorted ??= [...this.keys()].sort(compareUtf8)
    return this.#sorted
  }
}

module.exports = { SortedMap, compareUtf8 }
