'use strict'

/** Tags that a destination refused while it accepted others: no other object of the job is written with them. Pure. */

/** @typedef {[key: string, value: string]} Tag */

/** A key that was refused with this many values counts as refused with any. */
const ENOUGH_VALUES = 3
const MOST_REMEMBERED = 1_000

function createRefusedTags() {
  /** Values, by key. @type {Map<string, Set<string>>} */
  const refused = new Map()
  /** @type {string | undefined} */
  let why

  /** @param {Tag} tag */
  function has([key, value]) {
    const values = refused.get(key)
    return values !== undefined && (values.size >= ENOUGH_VALUES || values.has(value))
  }

  return {
    has,

    /** @param {Tag} tag @param {string} reason a clause */
    note([key, value], reason) {
      why = reason
      if (refused.size === MOST_REMEMBERED && !refused.has(key)) return
      refused.set(key, (refused.get(key) ?? new Set()).add(value))
    },

    /** The last reason that was noted. */
    why: () => why,

    /** @param {Tag[]} tags @returns {Tag[]} the same where none of them is refused */
    taken: tags => (tags.some(has) ? tags.filter(tag => !has(tag)) : tags),
  }
}

module.exports = { createRefusedTags }
