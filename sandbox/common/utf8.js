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

module.exports = { compareUtf8 }
