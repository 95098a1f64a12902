'use strict'

/**
 * The AWS CLI's patterns, which are those of Python's fnmatch: `*` matches any characters, `?` one character, `[seq]` one
 * character of the set, `[!seq]` one that is not in the set. A slash is an ordinary character, and there is no escape
 * character. A bracket that is never closed matches itself. In addition, `{a,b}` matches `a` or `b`.
 * https://docs.aws.amazon.com/cli/latest/reference/s3/#use-of-exclude-and-include-filters
 */

/**
 * @param {string} pattern
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function compileGlob(pattern) {
  return followed(programOf(tokensOf(pattern)))
}

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

/** @typedef {{ kind: 'split', to: number[] } | { kind: 'jump', to: number }} Branch */
/** @typedef {Array<Token | Branch>} Program */

/**
 * `{a,b}` matches what `a` or `b` matches, and braces may be nested. As in a shell, braces that are never closed, or without a
 * comma, match themselves; `[{]` is always a brace.
 *
 * @param {Token[]} tokens each text is one character
 * @returns {Program} a name matches if one way through the program reads it to its end. It has each token at its place,
 *   and branches at those of the braces and commas that are any
 */
function programOf(tokens) {
  /** @type {Program} */
  const program = [...tokens]
  /** @type {Array<{ open: number, commas: number[] }>} */
  const begun = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'text') return
    if (token.text === '{') begun.push({ open: at, commas: [] })
    else if (token.text === ',') begun.at(-1)?.commas.push(at)
    else if (token.text === '}') {
      const { open, commas } = begun.pop() ?? { open: at, commas: [] }
      if (commas.length === 0) return
      program[open] = { kind: 'split', to: [open, ...commas].map(before => before + 1) }
      for (const end of [...commas, at]) program[end] = { kind: 'jump', to: at + 1 }
    }
  })
  return program
}

/**
 * Nothing is expanded or tried again: `{a,b}` thirty times would be a thousand million patterns. All ways through the program
 * are followed at the same time, so a name takes at most its length times the length of the pattern.
 *
 * @param {Program} program
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function followed(program) {
  /** By place in the program: the step at which it was reached last. */
  const reached = new Float64Array(program.length + 1)
  let step = 0
  /** @type {number[]} */
  const open = []
  /** Adds a place, and all that are reached from it without reading a character. @param {number[]} places @param {number} first */
  const reach = (places, first) => {
    open.push(first)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reached[at] === step) continue
      reached[at] = step
      const now = program[at]
      if (now?.kind === 'split') {
        // There may be more alternatives than a call takes arguments.
        for (const to of now.to) open.push(to)
      } else if (now?.kind === 'jump') open.push(now.to)
      else {
        places.push(at)
        if (now?.kind === 'any') open.push(at + 1)
      }
    }
  }
  return name => {
    step++
    /** @type {number[]} */
    let places = []
    reach(places, 0)
    for (const sign of name) {
      const code = /** @type {number} */ (sign.codePointAt(0))
      /** @type {number[]} */
      const next = []
      step++
      for (const at of places) {
        const now = program[at]
        if (now?.kind === 'any') reach(next, at)
        else if (now && reads(/** @type {Token} */ (now), sign, code)) reach(next, at + 1)
      }
      if (next.length === 0) return false
      places = next
    }
    return places.includes(program.length)
  }
}

/** @param {Token} token not `*` @param {string} sign @param {number} code */
function reads(token, sign, code) {
  if (token.kind === 'text') return token.text === sign
  if (token.kind !== 'set') return token.kind === 'one'
  return token.ranges.some(([first, last]) => code >= first && code <= last) !== token.negated
}

module.exports = { compileGlob }
