'use strict'

/**
 * Guesses, from the last page, where to split the rest of a range and how many keys it holds. A wrong guess costs one
 * request and nothing else.
 *
 * A cut is a name that equals the last one up to a level (a position) and has a greater character there. The first level
 * with room halves all possible names. But if all keys share a long beginning, nearly all of these names do not exist. So
 * after each guess that found nothing the level moves halfway to the first position at which the keys of the page differ.
 */

/**
 * Arithmetic with names: the position of a name among all possible names, and the character between two. Each character
 * divides the interval that the characters before it left. The interval belongs to printable ASCII: of other characters,
 * the position does not tell one from another.
 */

const LAST = 0x10ffff
const [BLANK, TILDE] = [0x20, 0x7e]
const PRINTABLE = TILDE - BLANK + 1
/** This many characters of a name fill the 53 bits of a number. */
const DEPTH = 8
/** Characters that every store and every tool handles. */
const PLAIN = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map(one => one.charCodeAt(0))
/** How many characters of each name, after the shared beginning, show which characters names contain. */
const TOLD_BY = 4

/**
 * @typedef {object} Rest the rest of a range on one side
 * @property {readonly string[]} names of the last page
 * @property {string | undefined} high the end of the range
 */

/**
 * @param {Rest} rest
 * @param {number} failures guesses in a row that found nothing
 * @returns {string | undefined} a name above the last one of the page and below the end
 */
function guessCut({ names, high }, failures) {
  const low = names[names.length - 1]
  const shared = sharedLength(names[0], low)
  const split = high === undefined ? -1 : sharedLength(low, high)
  const letters = lettersOf(names, shared)
  const top = Math.max(split, 0)

  /** @param {number} level @returns {string | undefined} */
  const cutAt = level => {
    const above = low.codePointAt(level) ?? -1
    const below = (level === split ? high?.codePointAt(level) : undefined) ?? LAST + 1
    const code = greaterOne({ above, below, letters, fixed: level < shared })
    return code === undefined ? undefined : low.slice(0, level) + String.fromCodePoint(code)
  }

  const first = cutAt(top) === undefined ? top + unitsOf(low.codePointAt(top) ?? 0) : top
  const level = failures === 0 ? first : Math.max(first, wholeCharacters(low, (first + shared) >> 1))
  const cut = level <= low.length ? cutAt(level) : undefined
  if (cut === undefined || compareNames(cut, low) <= 0) return undefined
  return high !== undefined && compareNames(cut, high) >= 0 ? undefined : cut
}

/**
 * The character to cut at: the middle one of those that names contain, else one in the middle of all. If all names of the page
 * have the same character here, and it is none of those: the next one, which shows whether any other name exists.
 *
 * @param {{ above: number, below: number, letters: number[], fixed: boolean }} room the bounds are exclusive; above: -1
 *   for no bound; letters: characters that names contain; fixed: all names of the page are equal here
 */
function greaterOne({ above, below, letters, fixed }) {
  const next = fixed && !letters.includes(above)
  // Characters of these names, else those that every store and every tool handles.
  for (const codes of next ? [] : [letters, PLAIN]) {
    const greater = codes.filter(code => code > above && code < below)
    if (greater.length > 0) return greater[greater.length >> 1]
  }
  const first = above + 1
  // Of a logarithmic scale: the scripts that names are written in lie low.
  const found = next ? first : Math.max(first, Math.floor(Math.sqrt(first * (below - 1))))
  const code = found >= 0xd800 && found <= 0xdfff ? 0xe000 : found
  // Many stores refuse NUL.
  return code > 0 && code < below ? code : undefined
}

/** @param {readonly string[]} names @param {number} from @returns {number[]} the ASCII code points that follow soon after, in order */
function lettersOf(names, from) {
  const seen = new Set()
  for (const name of names) {
    for (let at = from; at < from + TOLD_BY && at < name.length; at++) {
      const code = name.charCodeAt(at)
      if (code > 0x20 && code < 0x7f) seen.add(code)
    }
  }
  return [...seen].sort((a, b) => a - b)
}

/** @param {string} name @param {number} at @returns {number} the same, or one less */
function wholeCharacters(name, at) {
  const unit = name.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

/**
 * @param {Rest} rest
 * @returns {number} keys to come if they continue as on this page; Infinity when the page does not show it
 */
function guessRest({ names, high }) {
  const [first, low] = [names[0], names[names.length - 1]]
  const from = high === undefined ? 0 : sharedLength(first, high)
  const [begin, now] = [positionOf(first, from), positionOf(low, from)]
  if (now <= begin) return Number.POSITIVE_INFINITY
  const end = high === undefined ? 1 : positionOf(high, from)
  return (names.length * (end - now)) / (now - begin)
}

/** @param {number} code a code point, or one more than the last @returns {number} where its share begins: 0 to 1 */
function startOf(code) {
  return Math.min(Math.max(code - BLANK, 0), PRINTABLE) / PRINTABLE
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

module.exports = { guessCut, guessRest, compareNames }
