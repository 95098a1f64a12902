'use strict'

/**
 * Guesses, from the last page, where to split the rest of a range and how many keys it holds. A wrong guess costs one
 * request and nothing else.
 *
 * A cut is a name that equals the last one up to a level (a position) and has a greater character there. The first level
 * with room halves all possible names. But if all keys share a long beginning, nearly all of these names do not exist. So
 * after each guess that found nothing the level moves halfway to the first position at which the keys of the page differ.
 */

const { compareNames, sharedLength } = require('./order')
const { LAST, pickBetween, positionOf, unitsOf } = require('./middle')

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
 * The character to cut at: the middle one of those that names contain. If all names of the page have the same character
 * here, and it is none of those: the next one, which shows whether any other name exists.
 *
 * @param {{ above: number, below: number, letters: number[], fixed: boolean }} room the bounds are exclusive; above: -1
 *   for no bound; letters: characters that names contain; fixed: all names of the page are equal here
 */
function greaterOne({ above, below, letters, fixed }) {
  if (fixed && !letters.includes(above)) {
    const next = above + 1 === 0xd800 ? 0xe000 : above + 1
    return next < below && next <= LAST ? next : undefined
  }
  const greater = letters.filter(code => code > above && code < below)
  if (greater.length > 0) return greater[greater.length >> 1]
  return pickBetween(above, below)
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

module.exports = { guessCut, guessRest }
