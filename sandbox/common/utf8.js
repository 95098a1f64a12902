'use strict'

/**
 * Compares by UTF-8 bytes, which is the order of code points. JavaScript compares UTF-16 units, where surrogates come before
 * U+E000.
 *
 * @param {string} a
 * @param {string} b
 */
function compareUtf8(a, b) {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x === y) continue
    const [xHigh, yHigh] = [isSurrogate(x), isSurrogate(y)]
    return xHigh === yHigh ? x - y : xHigh ? 1 : -1
  }
  return a.length - b.length
}

/** @param {number} unit */
function isSurrogate(unit) {
  return unit >= 0xd800 && unit <= 0xdfff
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
