'use strict'

/**
 * Remembers names. There may be millions, so only hashes are stored: 12 bytes each, in a table that is at most half full.
 * Pure.
 */

const LEAST_SLOTS = 1_024
/** A fuller table is enlarged. */
const FULL = 1 / 2

/** Maps the hash of a folded name to the hash of the first exact name. */
function createTable() {
  let slots = LEAST_SLOTS
  /** 0: a free slot. */
  let keys = new Float64Array(slots)
  let values = new Uint32Array(slots)
  let used = 0

  /** @param {number} key @returns {number} its slot, or the free slot for it */
  function find(key) {
    let at = key % slots
    while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) % slots
    return at
  }

  function enlarge() {
    const [oldKeys, oldValues] = [keys, values]
    slots *= 2
    keys = new Float64Array(slots)
    values = new Uint32Array(slots)
    for (const [i, key] of oldKeys.entries()) {
      if (key === 0) continue
      const at = find(key)
      keys[at] = key
      values[at] = oldValues[i]
    }
  }

  /** @param {number} key @param {number} exact */
  function clashes(key, exact) {
    const at = find(key)
    return keys[at] !== 0 && values[at] !== exact >>> 0
  }

  return {
    size: () => used,
    /** @param {number} key */
    has: key => keys[find(key)] !== 0,
    clashes,
    /** @param {number} key @param {number} exact @returns {boolean} whether a different exact name was there before */
    put(key, exact) {
      const at = find(key)
      if (keys[at] !== 0) return clashes(key, exact)
      keys[at] = key
      values[at] = exact >>> 0
      if (++used > slots * FULL) enlarge()
      return false
    },
  }
}

/** cyrb53: two multiplicative hashes of 32 bits, mixed. @param {string} text @returns {number} from 1 to 2^53 - 1 */
function hash(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  return 2 ** 32 * (b & 0x1fffff) + (a >>> 0) || 1
}

module.exports = { createTable, hash }
