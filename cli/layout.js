'use strict'

/** The width of texts on a terminal, and how they are cut and wrapped to it. Pure. */

/** Characters that take no column: marks that combine with the one before, and those of formatting. */
const ZERO = /[\p{Mn}\p{Me}\p{Cf}]/u
/** Characters that take two: those that East Asia writes wide, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const PLAIN = /^[\x20-\x7e]*$/

/** @param {string} char one code point */
function widthOfChar(char) {
  if (ZERO.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}

/** @param {string} text without control characters @returns {number} columns */
function widthOf(text) {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const char of text) width += widthOfChar(char)
  return width
}

/** @param {string} text @param {number} columns @returns {string} its beginning, of at most so many columns */
function cut(text, columns) {
  let width = 0
  let kept = ''
  for (const char of text) {
    width += widthOfChar(char)
    if (width > columns) break
    kept += char
  }
  return kept
}

/**
 * @param {string[]} items
 * @param {number} columns
 * @returns {string[]} lines of items, two spaces between them; only an item that is longer than a line is cut
 */
function wrap(items, columns) {
  /** @type {string[]} */
  const lines = []
  for (const item of items) {
    const longer = `${lines.at(-1)}  ${item}`
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(cut(item, columns))
  }
  return lines
}

/** What a message begins with; its further lines are indented as far. */
const LABEL = /^ *(?:(?:xfer|Failed|Note|Proof): )?/
/** Narrower texts are left to the terminal. */
const LEAST_TEXT = 20

/**
 * @param {string} line a message
 * @param {number} columns
 * @returns {string[]} lines of whole words; a word that is longer than a line is left as it is, so that it can be copied
 */
function wrapWords(line, columns) {
  const [label] = /** @type {RegExpMatchArray} */ (line.match(LABEL))
  if (widthOf(line) <= columns || columns - label.length < LEAST_TEXT) return [line]
  const [first, ...words] = line.slice(label.length).split(' ')
  const lines = [label + first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (widthOf(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(' '.repeat(label.length) + word)
  }
  return lines
}

/** @param {string[]} lines @param {number} columns of the terminal @returns {number} how many rows they take */
function rowsOf(lines, columns) {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
}

module.exports = { cut, rowsOf, widthOf, wrap, wrapWords }
