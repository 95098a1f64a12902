'use strict'

/**
 * Names of the source that differ in upper and lower case alone, or in the normal form of Unicode: a destination may take
 * them for one. Kept are hashes, for there may be millions of names: 12 bytes each, and as much again that is free. Pure.
 */

/** Names of which so many are kept before it has to be known whether they matter. */
const MOST_UNKNOWN = 500_000
const LEAST_SLOTS = 1_024
/** A table that is fuller is enlarged. */
const FULL = 1 / 2
const ASCII = /^[\0-\x7f]*$/
/** Before what is folded in both ways, so that it is not taken for what is folded in one. No key holds it. */
const BOTH = '\0'

/** How two names may be the same: by case, by Unicode's normal form, or by both together. @typedef {'case' | 'unicode' | 'both'} Kind */

function createFoldedNames() {
  /** Without regard to case; and to the normal form. @type {{ case?: Table, unicode?: Table }} */
  const tables = { case: createTable(), unicode: createTable() }

  /** @param {string} name @param {'put' | 'clashes'} ask @returns {Kind[]} those by which it is the same as another one */
  function look(name, ask) {
    /** @type {Kind[]} */
    const kinds = []
    const ascii = ASCII.test(name)
    if (!tables.case && (ascii || !tables.unicode)) return kinds
    const exact = hash(name)
    const lower = name.toLowerCase()
    const composed = ascii ? name : name.normalize('NFC')
    if (tables.case && isCased(name, lower)) {
      if (tables.case[ask](hash(lower), exact)) kinds.push('case')
      if (!ascii && tables.case[ask](hash(`${BOTH}${composed.toLowerCase()}`), exact)) kinds.push('both')
    }
    if (!ascii && tables.unicode?.[ask](hash(composed), exact)) kinds.push('unicode')
    return kinds
  }

  return {
    /** @param {string} name of the source @returns {Kind[]} by which it is the same as one before */
    add: name => look(name, 'put'),

    /** @param {string} name of the destination @returns {Kind[]} by which it is the same as one of the source, of another spelling */
    clashesOf: name => look(name, 'clashes'),

    /** Whether it should be known of any. */
    areMany: () => Number(tables.case?.size()) > MOST_UNKNOWN || Number(tables.unicode?.size()) > MOST_UNKNOWN,

    /** Those of which it should be known now whether they matter. @returns {Array<'case' | 'unicode'>} */
    many: () => /** @type {const} */ (['case', 'unicode']).filter(kind => Number(tables[kind]?.size()) > MOST_UNKNOWN),

    /** These do not matter. @param {'case' | 'unicode'} kind */
    forget(kind) {
      delete tables[kind]
    },
  }
}

/** @typedef {ReturnType<typeof createTable>} Table */

/** From the hash of a folded name to that of the first name as it is written. */
function createTable() {
  let slots = LEAST_SLOTS
  /** 0: free. */
  let keys = new Float64Array(slots)
  let values = new Uint32Array(slots)
  let used = 0

  /** @param {number} key @returns {number} where it is, or the free slot where it may be put */
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
    clashes,
    /** @param {number} key @param {number} exact @returns {boolean} whether another one was there before */
    put(key, exact) {
      const at = find(key)
      if (keys[at] !== 0) return values[at] !== exact >>> 0
      keys[at] = key
      values[at] = exact >>> 0
      if (++used > slots * FULL) enlarge()
      return false
    },
  }
}

/** Names without such letters are the same by no case. @param {string} name @param {string} lower */
function isCased(name, lower) {
  return lower !== name || name.toUpperCase() !== name
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

module.exports = { MOST_UNKNOWN, createFoldedNames }
