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
  return followed(withBranches(placesOf(pattern)))
}

/**
 * A place in a pattern.
 *
 * @typedef {object} Place
 * @property {(sign: string) => boolean} [reads] whether it reads the character; absent: it reads none
 * @property {number} [next] the place after it has read
 * @property {number[]} [to] places that are reached from it without reading
 * @property {string} [text] the only character that it reads, outside of brackets
 */

/** @param {string} pattern @returns {Place[]} */
function placesOf(pattern) {
  /** @type {Place[]} */
  const places = []
  const signs = [...pattern]
  for (let at = 0; at < signs.length; at++) {
    const text = signs[at]
    const next = places.length + 1
    // A closing bracket that comes first belongs to the set.
    const close = text === '[' ? signs.indexOf(']', at + (signs[at + 1] === '!' ? 3 : 2)) : -1
    if (text === '*') places.push({ reads: () => true, next: next - 1, to: [next] })
    else if (text === '?') places.push({ reads: () => true, next })
    else if (close === -1) places.push({ reads: sign => sign === text, next, text })
    else {
      places.push({ reads: setOf(signs.slice(at + 1, close)), next })
      at = close
    }
  }
  return places
}

/** @param {string[]} signs between the brackets @returns {(sign: string) => boolean} */
function setOf(signs) {
  const negated = signs[0] === '!'
  const codes = (negated ? signs.slice(1) : signs).map(codeOf)
  /** @type {Array<[first: number, last: number]>} */
  const ranges = []
  for (let at = 0; at < codes.length; at++) {
    const first = codes[at]
    if (at + 2 < codes.length && codes[at + 1] === 0x2d) at += 2
    ranges.push([first, codes[at]])
  }
  return sign => ranges.some(([first, last]) => codeOf(sign) >= first && codeOf(sign) <= last) !== negated
}

/** @param {string} sign */
const codeOf = sign => /** @type {number} */ (sign.codePointAt(0))

/**
 * `{a,b}` matches what `a` or `b` matches, and braces may be nested. As in a shell, braces that are never closed, or without a
 * comma, match themselves; `[{]` is always a brace.
 *
 * @param {Place[]} places
 * @returns {Place[]} with branches at the places of the braces and commas that are any. A name matches if one way through
 *   the places reads it to their end
 */
function withBranches(places) {
  const branched = [...places]
  /** @type {Array<{ open: number, commas: number[] }>} */
  const begun = []
  places.forEach(({ text }, at) => {
    if (text === '{') begun.push({ open: at, commas: [] })
    else if (text === ',') begun.at(-1)?.commas.push(at)
    else if (text === '}') {
      const { open, commas } = begun.pop() ?? { open: at, commas: [] }
      if (commas.length === 0) return
      branched[open] = { to: [open, ...commas].map(before => before + 1) }
      for (const end of [...commas, at]) branched[end] = { to: [at + 1] }
    }
  })
  return branched
}

/**
 * Nothing is expanded or tried again: `{a,b}` thirty times would be a thousand million patterns. All ways through the places
 * are followed at the same time, so a name takes at most its length times the length of the pattern.
 *
 * @param {Place[]} places
 * @returns {(name: string) => boolean} whether the whole name matches
 */
function followed(places) {
  /** By place: the step at which it was reached last. */
  const reached = new Float64Array(places.length + 1)
  let step = 0
  /** @type {number[]} */
  const open = []
  /** Adds a place, and all that are reached from it without reading a character. @param {number[]} found @param {number} first */
  const reach = (found, first) => {
    open.push(first)
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (reached[at] === step) continue
      reached[at] = step
      found.push(at)
      // There may be more alternatives than a call takes arguments.
      for (const to of places[at]?.to ?? []) open.push(to)
    }
  }
  return name => {
    step++
    /** @type {number[]} */
    let found = []
    reach(found, 0)
    for (const sign of name) {
      /** @type {number[]} */
      const after = []
      step++
      for (const at of found) {
        const place = places[at]
        if (place?.next !== undefined && place.reads?.(sign)) reach(after, place.next)
      }
      if (after.length === 0) return false
      found = after
    }
    return found.includes(places.length)
  }
}

module.exports = { compileGlob }
