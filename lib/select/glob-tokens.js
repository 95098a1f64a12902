'use strict'

/** Reads a pattern: one token for each character, `*`, `?` or set. */

/**
 * @typedef {{ kind: 'text', text: string } | { kind: 'one' } | { kind: 'any' }
 *   | { kind: 'set', negated: boolean, ranges: Array<[first: number, last: number]> }} Token
 */

/** @param {string} pattern @returns {Token[]} each text is one character */
function tokensOf(pattern) {
  /** @type {Token[]} */
  const tokens = []
  const signs = [...pattern]
  for (let at = 0; at < signs.length; at++) {
    const sign = signs[at]
    const close = sign === '[' ? closingOf(signs, at) : -1
    if (sign === '*') tokens.push({ kind: 'any' })
    else if (sign === '?') tokens.push({ kind: 'one' })
    else if (close === -1) tokens.push({ kind: 'text', text: sign })
    else {
      tokens.push(setOf(signs.slice(at + 1, close)))
      at = close
    }
  }
  return tokens
}

/** @param {Token[]} tokens @returns {Token[]} never two texts or two `*` in a row */
function merged(tokens) {
  /** @type {Token[]} */
  const merged = []
  for (const token of tokens) {
    const before = merged[merged.length - 1]
    if (before?.kind === 'text' && token.kind === 'text') {
      merged[merged.length - 1] = { kind: 'text', text: before.text + token.text }
    } else if (before?.kind !== 'any' || token.kind !== 'any') merged.push(token)
  }
  return merged
}

/**
 * A closing bracket that comes first belongs to the set.
 *
 * @param {string[]} signs
 * @param {number} open
 * @returns {number} -1 if the bracket is never closed
 */
function closingOf(signs, open) {
  const first = signs[open + 1] === '!' ? open + 2 : open + 1
  return signs.indexOf(']', first + 1)
}

/** @param {string[]} signs between the brackets @returns {Token} */
function setOf(signs) {
  const negated = signs[0] === '!'
  const codes = (negated ? signs.slice(1) : signs).map(sign => /** @type {number} */ (sign.codePointAt(0)))
  /** @type {Array<[number, number]>} */
  const ranges = []
  for (let at = 0; at < codes.length; at++) {
    if (at + 2 < codes.length && codes[at + 1] === 0x2d) {
      ranges.push([codes[at], codes[at + 2]])
      at += 2
    } else ranges.push([codes[at], codes[at]])
  }
  return { kind: 'set', negated, ranges }
}

/** @param {Token & { kind: 'set' }} set @param {number} code a code point */
function isInSet({ negated, ranges }, code) {
  return ranges.some(([first, last]) => code >= first && code <= last) !== negated
}

module.exports = { isInSet, merged, tokensOf }
