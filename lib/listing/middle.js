'use strict'

/**
 * Arithmetic with names: the position of a name among all possible names, and the character between two. Each character
 * divides the interval that the characters before it left. Most of an interval belongs to printable ASCII, a little to
 * control characters, and the rest to all higher code points, on a logarithmic scale so that each script gets a share.
 */

const LAST = 0x10ffff
const [BLANK, TILDE] = [0x20, 0x7e]
const PRINTABLE = TILDE - BLANK + 1
/** Where the share of printable ASCII begins and ends. */
const [BELOW, ABOVE] = [1 / 64, 62 / 64]
const OCTAVES = Math.log2(LAST + 1 - TILDE)
/** This many characters of a name fill the 53 bits of a number. */
const DEPTH = 8
/** Characters that every store and every tool handles. */
const PLAIN = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map(one => one.charCodeAt(0))

/** @param {number} code a code point, or one more than the last @returns {number} where its share begins: 0 to 1 */
function startOf(code) {
  if (code < BLANK) return (BELOW * code) / BLANK
  if (code <= TILDE) return BELOW + ((ABOVE - BELOW) * (code - BLANK)) / PRINTABLE
  return ABOVE + ((1 - ABOVE) * Math.log2(code - TILDE)) / OCTAVES
}

/** @param {number} code */
function unitsOf(code) {
  return code > 0xffff ? 2 : 1
}

/**
 * @param {string} name
 * @param {number} from where to begin
 * @returns {number} 0 to 1, in the order of the names; equal for names that differ only far behind
 */
function positionOf(name, from) {
  let position = 0
  let room = 1
  for (let depth = 0, at = from; depth < DEPTH && at < name.length; depth++) {
    const code = /** @type {number} */ (name.codePointAt(at))
    position += room * startOf(code)
    room *= startOf(code + 1) - startOf(code)
    at += unitsOf(code)
  }
  return position
}

/**
 * A character between two others, in the middle; a plain one if possible.
 *
 * @param {number} above a code point, exclusive; -1 for no bound
 * @param {number} below a code point, exclusive; LAST + 1 for no bound
 * @returns {number | undefined} undefined if there is none; never a surrogate, and never NUL, which many stores refuse
 */
function pickBetween(above, below) {
  const plain = PLAIN.filter(code => code > above && code < below)
  if (plain.length > 0) return plain[plain.length >> 1]
  const first = isSurrogate(above + 1) ? 0xe000 : Math.max(above + 1, 1)
  const last = isSurrogate(below - 1) ? 0xd7ff : below - 1
  if (first > last) return undefined
  // Of a logarithmic scale: the scripts that names are written in lie low.
  const middle = Math.floor(Math.sqrt(first * last))
  return isSurrogate(middle) ? (last >= 0xe000 ? 0xe000 : 0xd7ff) : middle
}

/** @param {number} code */
function isSurrogate(code) {
  return code >= 0xd800 && code <= 0xdfff
}

module.exports = { LAST, pickBetween, positionOf, unitsOf }
