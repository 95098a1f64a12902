'use strict'

/**
 * The AWS CLI's patterns, which are those of Python's fnmatch: `*` matches any characters, `?` one character, `[seq]` one
 * character of the set, `[!seq]` one that is not in the set. A slash is an ordinary character, and there is no escape
 * character. A bracket that is never closed matches itself. In addition, `{a,b}` matches `a` or `b`: patterns.js.
 * https://docs.aws.amazon.com/cli/latest/reference/s3/#use-of-exclude-and-include-filters
 */

const { bracesIn, compileBraces, isInSet, merged, tokensOf } = require('./patterns')

/** @typedef {import('./patterns').Token} Token */

/**
 * @param {string} pattern
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function compileGlob(pattern) {
  const signs = tokensOf(pattern)
  const braces = bracesIn(signs)
  return braces.size > 0 ? compileBraces(signs, braces) : compilePlain(merged(signs))
}

/**
 * Between two `*` the first match is as good as any other, so only the last `*` is ever tried again. The time is at most
 * the length of the name times the length of the pattern.
 *
 * @param {Token[]} tokens
 * @returns {(name: string) => boolean}
 */
function compilePlain(tokens) {
  return name => {
    let token = 0
    let at = 0
    let star = -1
    let from = 0
    for (;;) {
      const now = tokens[token]
      if (now?.kind === 'any') {
        // A last `*` matches the rest.
        if (token === tokens.length - 1) return true
        star = token++
        from = at
        continue
      }
      const end = now === undefined ? -1 : endOf(now, name, at)
      if (end !== -1) {
        at = end
        token++
        continue
      }
      if (now === undefined && at === name.length) return true
      if (star === -1 || from >= name.length) return false
      from = nextFrom(tokens, star, name, from)
      if (from === -1) return false
      at = from
      token = star + 1
    }
  }
}

/**
 * Where the next try after a `*` begins: at the next occurrence of the text that follows it, else at the next character.
 *
 * @param {Token[]} tokens
 * @param {number} star
 * @param {string} name
 * @param {number} from
 * @returns {number} -1 if there is none
 */
function nextFrom(tokens, star, name, from) {
  const next = from + unitsAt(name, from)
  const follows = tokens[star + 1]
  if (follows.kind !== 'text') return next
  // If only this text follows, the name must end with it.
  if (star + 2 === tokens.length) {
    const last = name.length - follows.text.length
    return last >= next && name.endsWith(follows.text) ? last : -1
  }
  return name.indexOf(follows.text, next)
}

/** @param {Token} token @param {string} name @param {number} at @returns {number} the end of the match; -1 if there is none */
function endOf(token, name, at) {
  if (token.kind === 'text') return name.startsWith(token.text, at) ? at + token.text.length : -1
  const code = name.codePointAt(at)
  if (code === undefined) return -1
  if (token.kind === 'set' && !isInSet(token, code)) return -1
  return at + unitsAt(name, at)
}

/** @param {string} name @param {number} at */
function unitsAt(name, at) {
  return /** @type {number} */ (name.codePointAt(at)) > 0xffff ? 2 : 1
}

module.exports = { compileGlob }
