'use strict'

/**
 * Patterns with braces: `{a,b}` matches what `a` or `b` matches, and braces may be nested. As in a shell, braces that are
 * never closed, or without a comma, match themselves; `[{]` is always a brace.
 *
 * Nothing is expanded: `{a,b}` thirty times would be a thousand million patterns. All alternatives are followed at the same
 * time, so a name takes at most its length times the length of the pattern.
 */

const { isInSet } = require('./glob-tokens')

/** @typedef {import('./glob-tokens').Token} Token */
/** @typedef {{ kind: 'split', to: number[] } | { kind: 'jump', to: number }} Branch */
/** @typedef {Array<Token | Branch>} Program */

/**
 * @param {Token[]} tokens each text is one character
 * @returns {Map<number, 'open' | 'comma' | 'close'>} by the place of the token; empty: no braces that are any
 */
function bracesIn(tokens) {
  /** @type {Map<number, 'open' | 'comma' | 'close'>} */
  const found = new Map()
  /** @type {Array<{ open: number, commas: number[] }>} */
  const begun = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'text') return
    if (token.text === '{') begun.push({ open: at, commas: [] })
    else if (token.text === ',') begun[begun.length - 1]?.commas.push(at)
    else if (token.text === '}') {
      const { open, commas } = begun.pop() ?? { open: at, commas: [] }
      if (commas.length === 0) return
      found.set(open, 'open').set(at, 'close')
      for (const comma of commas) found.set(comma, 'comma')
    }
  })
  return found
}

/**
 * @param {Token[]} tokens
 * @param {Map<number, 'open' | 'comma' | 'close'>} braces
 * @returns {Program} a name matches if one way through the program reads it to its end
 */
function programOf(tokens, braces) {
  /** @type {Program} */
  const program = []
  /** @type {Array<{ split: number[], jumps: Array<Branch & { kind: 'jump' }> }>} */
  const begun = []
  tokens.forEach((token, at) => {
    const role = braces.get(at)
    if (role === undefined) {
      program.push(token)
      return
    }
    if (role === 'open') {
      const split = { kind: /** @type {const} */ ('split'), to: [program.length + 1] }
      program.push(split)
      begun.push({ split: split.to, jumps: [] })
      return
    }
    const { split, jumps } = begun[begun.length - 1]
    if (role === 'comma') {
      const jump = { kind: /** @type {const} */ ('jump'), to: 0 }
      jumps.push(jump)
      program.push(jump)
      split.push(program.length)
      return
    }
    for (const jump of jumps) jump.to = program.length
    begun.pop()
  })
  return program
}

/**
 * @param {Token[]} tokens each text is one character
 * @param {ReturnType<typeof bracesIn>} braces
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function compileBraces(tokens, braces) {
  const program = programOf(tokens, braces)
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

module.exports = { bracesIn, compileBraces }
