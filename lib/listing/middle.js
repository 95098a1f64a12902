'use strict'

/**
 * Arithmetic with names: where one lies among all that there could be, and what lies in the middle of two. Each
 * character of a name divides the room that those before it left; most of it belongs to printable ASCII, a little to
 * control characters, and the rest to all above, where each script gets about as much (its logarithm counts).
 */

const { sharedLength } = require('./order')

const LAST = 0x10ffff
const [BLANK, TILDE] = [0x20, 0x7e]
const PRINTABLE = TILDE - BLANK + 1
/** Where the room of printable ASCII begins, and where it ends. */
const [BELOW, ABOVE] = [1 / 64, 62 / 64]
const OCTAVES = Math.log2(LAST + 1 - TILDE)
/** So many characters of a name fill the 53 bits of a number. */
const DEPTH = 8
/** Those that no store and no tool has ever taken for something else. */
const PLAIN = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map(one => one.charCodeAt(0))

/** @param {number} code a code point, or one more than the last @returns {number} where its room begins: 0 to 1 */
function startOf(code) {
  if (code < BLANK) return (BELOW * code) / BLANK
  if (code <= TILDE) return BELOW + ((ABOVE - BELOW) * (code - BLANK)) / PRINTABLE
  return ABOVE + ((1 - ABOVE) * Math.log2(code - TILDE)) / OCTAVES
}

/** @param {number} place 0 to 1 @returns {number} the code point in whose room it is */
function codeAt(place) {
  if (place < BELOW) return Math.floor((place / BELOW) * BLANK)
  if (place < ABOVE) return BLANK + Math.floor(((place - BELOW) / (ABOVE - BELOW)) * PRINTABLE)
  return Math.min(TILDE + Math.floor(2 ** (((place - ABOVE) / (1 - ABOVE)) * OCTAVES)), LAST)
}

/** @param {number} code */
function unitsOf(code) {
  return code > 0xffff ? 2 : 1
}

/**
 * @param {string} name
 * @param {number} from where the part of it begins that counts
 * @returns {number} 0 to 1, in the order of the names; equal for names that differ far behind
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
 * A character between two others, near a wanted place, and a plain one where there is any.
 *
 * @param {number} above a code point, not included; -1: all
 * @param {number} below likewise; LAST + 1: all
 * @param {number} place 0 to 1
 * @returns {number | undefined} undefined: there is none; never a surrogate, and never NUL, which many refuse
 */
function pickBetween(above, below, place) {
  const first = isSurrogate(above + 1) ? 0xe000 : Math.max(above + 1, 1)
  const last = isSurrogate(below - 1) ? 0xd7ff : below - 1
  if (first > last) return undefined
  const wanted = Math.min(Math.max(codeAt(place), first), last)
  const plain = PLAIN.filter(code => code >= first && code <= last)
  if (plain.length > 0) return plain.reduce((a, b) => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a))
  return isSurrogate(wanted) ? (last >= 0xe000 ? 0xe000 : 0xd7ff) : wanted
}

/** @param {number} code */
function isSurrogate(code) {
  return code >= 0xd800 && code <= 0xdfff
}

/**
 * @param {string} low
 * @param {string | undefined} high above `low`; undefined: there is no end
 * @returns {string | undefined} a name above the one and below the other; undefined where there is none that is fit to be asked for
 */
function middleOf(low, high) {
  let end = high
  let at = end === undefined ? 0 : sharedLength(low, end)
  for (;;) {
    const above = low.codePointAt(at) ?? -1
    const below = end?.codePointAt(at) ?? LAST + 1
    const place = (positionOf(low, at) + (end === undefined ? 1 : positionOf(end, at))) / 2
    const code = pickBetween(above, below, place)
    if (code !== undefined) return low.slice(0, at) + String.fromCodePoint(code)
    // Two neighbours: the line is drawn between what begins with the one and what begins with the other, and then
    // below the first, where the second is no bound any more.
    if (end !== undefined && at + unitsOf(below) < end.length) return end.slice(0, at + unitsOf(below))
    if (above === -1) return undefined
    end = undefined
    at += unitsOf(above)
  }
}

module.exports = { LAST, middleOf, pickBetween, positionOf, startOf, unitsOf }
