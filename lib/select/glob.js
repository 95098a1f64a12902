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

/** @param {Token & { kind: 'set' }} set @param {number} code a code point */
function isInSet({ negated, ranges }, code) {
  return ranges.some(([first, last]) => code >= first && code <= last) !== negated
}

/** @typedef {{ kind: 'split', to: number[] } | { kind: 'jump', to: number }} Branch */
/** @typedef {Array<Token | Branch>} Program */

/**
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
 * Patterns with braces: `{a,b}` matches what `a` or `b` matches, and braces may be nested. As in a shell, braces that are
 * never closed, or without a comma, match themselves; `[{]` is always a brace.
 *
 * Nothing is expanded: `{a,b}` thirty times would be a thousand million patterns. All alternatives are followed at the same
 * time, so a name takes at most its length times the length of the pattern.
 *
 * @param {Program} program
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function compileBraces(program) {
  /** By place in the program: the step at which it was reached last. */
  const reached = new Float64Array(program.length + 1)
  let step = 0
  /** Adds a place, and all that are reached from it without reading a character. @param {number[]} places @param {number} first */
  const reach = (places, first) => {
    const open = [first]
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
  return token.kind === 'one' || (token.kind === 'set' && isInSet(token, code))
}

module.exports = { compileGlob }
