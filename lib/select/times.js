'use strict'

/**
 * Whether the time that a copy has, or notes, is that of its original. The copy's may have whole seconds, because a store told no more
 * when it was made, or because its file system keeps no more. A file that merely appeared in the same second has a fraction of its
 * own. Pure.
 *
 * @param {number} original epoch milliseconds
 * @param {number} copied epoch milliseconds
 */
function isSameTime(original, copied) {
  // What a file system keeps of a fraction may be rounded.
  if (Math.abs(original - copied) <= 1) return true
  return copied % 1000 === 0 && Math.floor(original / 1000) === copied / 1000
}

module.exports = { isSameTime }
