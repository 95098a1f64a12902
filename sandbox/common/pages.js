'use strict'

/**
 * Returns one page of sorted keys: those after `after`, with the keys below a delimiter grouped under their common prefix.
 *
 * @param {readonly string[]} keys sorted
 * @param {{ prefix: string, delimiter: string, after: string, max: number }} query `after` may be a common prefix, which
 *   is then not listed again
 * @returns {{ keys: string[], prefixes: string[], truncated: boolean, last: string }} `last` is the `after` of the next page
 */
function pageOf(keys, { prefix, delimiter, after, max }) {
  /** @type {string[]} */
  const found = []
  /** @type {string[]} */
  const prefixes = []
  let last = ''
  let index = lowerBound(keys, compareUtf8(prefix, after) > 0 ? prefix : after)
  for (; index < keys.length; index++) {
    const key = keys[index]
    if (!key.startsWith(prefix)) break
    if (key === after) continue
    const at = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
    const common = at === -1 ? undefined : key.slice(0, at + delimiter.length)
    if (common !== undefined && (common === after || common === last)) continue
    if (found.length + prefixes.length >= max) return { keys: found, prefixes, truncated: max > 0, last }
    if (common === undefined) found.push(key)
    else prefixes.push(common)
    last = common ?? key
  }
  return { keys: found, prefixes, truncated: false, last }
}

/** @param {readonly string[]} keys @param {string} wanted @returns {number} the index of the first key that is not less */
function lowerBound(keys, wanted) {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareUtf8(keys[middle], wanted) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** An opaque token, so that clients do not make their own. @param {string} last that the next page begins behind */
function writeToken(last) {
  return Buffer.from(`1${last}`).toString('base64')
}

/** @param {string} token @returns {string | undefined} undefined for what is no token */
function readToken(token) {
  const text = Buffer.from(token, 'base64').toString()
  return text.startsWith('1') ? text.slice(1) : undefined
}

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

module.exports = { pageOf, readToken, writeToken, SortedMap, compareUtf8 }
