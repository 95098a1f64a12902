'use strict'

/**
 * Whether two modification times are one that was carried over. Some stores report milliseconds and others whole seconds, and what a
 * file system keeps of a fraction may be rounded. Pure.
 *
 * @param {number} one epoch milliseconds
 * @param {number} other epoch milliseconds
 */
function isSameTime(one, other) {
  if (Math.abs(one - other) <= 1) return true
  const [a, b] = [one, other].map(ms => Math.floor(ms / 1000))
  return a === b && (one % 1000 === 0 || other % 1000 === 0)
}

module.exports = { isSameTime }
