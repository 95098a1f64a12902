'use strict'

/**
 * Finds names of the source that differ only in upper and lower case or in Unicode normalization: a destination may treat
 * them as one name. There may be millions of names, so only hashes are stored: 12 bytes each, in a table that is at most
 * half full. Pure.
 */

/** From this number of stored names on the caller must find out whether the destination folds names. */
const MOST_UNKNOWN = 500_000
const LEAST_SLOTS = 1_024
/** A fuller table is enlarged. */
const FULL = 1 / 2
const ASCII = /^[\0-\x7f]*$/
/** Precedes names that are folded in both ways, so that they differ from names folded in one. No key contains it. */
const BOTH = '\0'

/** Why two names may be the same: by case, by Unicode normalization, or by both together. @typedef {'case' | 'unicode' | 'both'} Kind */

function createFoldedNames() {
  /** Names folded by case, and by Unicode normalization. @type {{ case?: Table, unicode?: Table }} */
  const tables = { case: createTable(), unicode: createTable() }

  /** @param {string} name @param {'put' | 'clashes'} ask @returns {Kind[]} the kinds by which it equals another name */
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
    /** @param {string} name of the source @returns {Kind[]} the kinds by which it equals an earlier name */
    add: name => look(name, 'put'),

    /** @param {string} name of the destination @returns {Kind[]} the kinds by which it equals a name of the source with a different spelling */
    clashesOf: name => look(name, 'clashes'),

    /** Whether any table is so large that the caller should find out whether it is needed. */
    areMany: () => Number(tables.case?.size()) > MOST_UNKNOWN || Number(tables.unicode?.size()) > MOST_UNKNOWN,

    /** The destination does not fold names in this way: drops the table. @param {'case' | 'unicode'} kind */
    forget(kind) {
      delete tables[kind]
    },
  }
}

/** @typedef {ReturnType<typeof createTable>} Table */

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
      if (keys[at] !== 0) return values[at] !== exact >>> 0
      keys[at] = key
      values[at] = exact >>> 0
      if (++used > slots * FULL) enlarge()
      return false
    },
  }
}

/** Whether the name has letters with case. @param {string} name @param {string} lower */
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

module.exports = { createFoldedNames, createTable, hash }
