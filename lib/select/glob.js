'use strict'

/**
 * The AWS CLI's patterns, which are those of Python's fnmatch: `*` matches any characters, `?` one character, `[seq]` one
 * character of the set, `[!seq]` one that is not in the set. A slash is an ordinary character, and there is no escape
 * character. A bracket that is never closed matches itself. In addition, `{a,b}` matches `a` or `b`: patterns.js.
 * https://docs.aws.amazon.com/cli/latest/reference/s3/#use-of-exclude-and-include-filters
 */

const { compileBraces, programOf, tokensOf } = require('./patterns')

/** @typedef {import('./patterns').Token} Token */

/**
 * @param {string} pattern
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function compileGlob(pattern) {
  const tokens = tokensOf(pattern)
  const program = programOf(tokens)
  if (program.some(({ kind }) => kind === 'split')) return compileBraces(program)
  const expression = expressionOf(tokens)
  return name => expression.test(name)
}

/**
 * Between two `*` the first match is as good as any other, so only the last `*` is ever tried again: what a lookahead has
 * found is not searched again. The time is at most the length of the name times the length of the pattern.
 *
 * @param {Token[]} tokens
 */
function expressionOf(tokens) {
  const [first, ...rest] = tokens.map(sourceOf).join('').split(ANY)
  const last = rest.pop()
  const between = rest.map((text, i) => `(?=(.*?${text}))\\${i + 1}`)
  return new RegExp(`^${first}${between.join('')}${last === undefined ? '' : `.*${last}`}$`, 'su')
}

/** A pattern has no other, because a text is escaped. */
const ANY = '*'

/** @param {Token} token */
function sourceOf(token) {
  if (token.kind === 'any') return ANY
  if (token.kind === 'one') return '.'
  if (token.kind === 'text') return escaped(/** @type {number} */ (token.text.codePointAt(0)))
  const ranges = token.ranges.filter(([from, to]) => from <= to).map(([from, to]) => `${escaped(from)}-${escaped(to)}`)
  return `[${token.negated ? '^' : ''}${ranges.join('')}]`
}

/** @param {number} code a code point */
function escaped(code) {
  return `\\u{${code.toString(16)}}`
}

module.exports = { compileGlob }
