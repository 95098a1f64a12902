'use strict'

/**
 * The order in which stores list keys: that of their UTF-8 bytes, which is that of the code points. JavaScript's own order
 * is that of UTF-16 and differs where a surrogate meets a character from U+E000 to U+FFFF, and nowhere else.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ListingKeysUsingAPIs.html
 */

/** Both orders agree for text without these. */
const HIGH = /[\ud800-\uffff]/

/**
 * @param {string} a
 * @param {string} b
 * @returns {number} negative, zero or positive
 */
function compareNames(a, b) {
  if (a === b) return 0
  // JavaScript's comparison and this search take many bytes at a time, so they are faster than a loop here.
  if (HIGH.test(a) && HIGH.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}

/**
 * The length of the shared beginning of two names, in UTF-16 units, never within a surrogate pair.
 *
 * @param {string} a
 * @param {string} b
 */
function sharedLength(a, b) {
  const length = Math.min(a.length, b.length)
  let i = 0
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++
  const before = i > 0 ? a.charCodeAt(i - 1) : 0
  return i < Math.max(a.length, b.length) && before >= 0xd800 && before <= 0xdbff ? i - 1 : i
}

module.exports = { compareNames, sharedLength }
