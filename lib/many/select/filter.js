'use strict'

/** Selects objects by name (with the AWS CLI's rules), by time and by size. */

/** @typedef {{ include: string } | { exclude: string }} Rule */
/** meant: what the rule was perhaps meant to be, which matches names. @typedef {{ rule: Rule, meant?: Rule }} Unmatched */

/**
 * Every name is included at first; the last rule that matches it decides.
 *
 * @param {object} [limits]
 * @param {readonly Rule[]} [limits.rules]
 * @param {string} [limits.prefix] the key of the prefix that names are below
 * @param {number} [limits.newerThanMs] modified at this time or later; milliseconds since the epoch
 * @param {number} [limits.olderThanMs] modified before this time
 * @param {number} [limits.minBytes] this size or larger
 * @param {number} [limits.maxBytes] this size or smaller
 * @returns {((name: string, object: { bytes: number, lastModifiedMs?: number }) => boolean) & { excludesBelow: (folder: string) => boolean, unmatched: () => Unmatched[] }} an
 *   object without a time passes both time limits; unmatched: the rules that have matched no name so far
 */
function createFilter({ rules = [], prefix = '', ...limits } = {}) {
  const { newerThanMs = Number.NEGATIVE_INFINITY, olderThanMs = Number.POSITIVE_INFINITY } = limits
  const { minBytes = 0, maxBytes = Number.POSITIVE_INFINITY } = limits
  // Searched from the last rule back: the first match decides.
  const backwards = rules.map(rule => compileRule(rule, prefix)).reverse()
  /** Also of rules that decide nothing, because a later one matches the same names. */
  const unmatched = new Set(backwards)
  /** @param {string} name @param {{ bytes: number, lastModifiedMs?: number }} object */
  const keeps = (name, { bytes, lastModifiedMs }) => {
    for (const one of unmatched) {
      if (one.fits(name)) unmatched.delete(one)
      else for (const choice of one.meant) choice.seen ||= choice.fits(name)
    }
    if (bytes < minBytes || bytes > maxBytes) return false
    if (lastModifiedMs !== undefined && (lastModifiedMs < newerThanMs || lastModifiedMs >= olderThanMs)) return false
    return backwards.find(({ fits }) => fits(name))?.included ?? true
  }
  return Object.assign(keeps, {
    /** Whether the rules exclude every name below a folder, as far as can be told. @param {string} folder with its slash */
    excludesBelow(folder) {
      for (const one of backwards) {
        const below = one.fits.below(folder)
        if (below === 'none') continue
        unmatched.delete(one)
        if (one.included) return false
        if (below === 'all') return true
      }
      return false
    },
    unmatched: () =>
      [...unmatched].reverse().map(({ rule, included, meant }) => {
        const found = meant.find(({ seen }) => seen)?.pattern
        return { rule, ...(found !== undefined && { meant: included ? { include: found } : { exclude: found } }) }
      }),
  })
}

/** @param {Rule} rule @param {string} prefix */
function compileRule(rule, prefix) {
  const included = 'include' in rule
  const pattern = included ? rule.include : rule.exclude
  return { rule, included, fits: compileGlob(pattern), meant: meantPatterns(pattern, prefix) }
}

/**
 * What a pattern was perhaps meant to be that matches no name: names are relative to the source's prefix and begin with no
 * slash, and a pattern is for the whole name. Pure.
 *
 * @param {string} pattern
 * @param {string} prefix the key of the source's prefix
 * @returns {Array<{ pattern: string, fits: (name: string) => boolean, seen: boolean }>} other patterns, the likeliest first;
 *   seen: whether it matches one of the names so far
 */
function meantPatterns(pattern, prefix) {
  const path = pattern.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '').replace(/^(?:\.?\/)+/, '')
  const names = prefix !== '' && path.startsWith(prefix) ? [path.slice(prefix.length), path] : [path]
  const patterns = names.flatMap(name => {
    const folder = name.replace(/\/+$/, '')
    if (folder === '') return []
    return folder.endsWith('*') ? [folder] : [`${folder}/*`, folder]
  })
  return patterns.filter(one => one !== pattern).map(one => ({ pattern: one, fits: compileGlob(one), seen: false }))
}

/**
 * The AWS CLI's patterns, which are those of Python's fnmatch: `*` matches any characters, `?` one character, `[seq]` one
 * character of the set, `[!seq]` one that is not in the set. A slash is an ordinary character, and there is no escape
 * character. A bracket that is never closed matches itself. In addition, `{a,b}` matches `a` or `b`.
 * https://docs.aws.amazon.com/cli/latest/reference/s3/#use-of-exclude-and-include-filters
 */

/**
 * Whether the whole name matches. `below`: whether names that begin so do; `some`: perhaps.
 *
 * @typedef {((name: string) => boolean) & { below: (beginning: string) => 'none' | 'some' | 'all' }} Fits
 */

/**
 * @param {string} pattern
 * @returns {Fits}
 */
function compileGlob(pattern) {
  return followed(withBranches(placesOf(pattern)))
}

/**
 * A place in a pattern.
 *
 * @typedef {object} FilterPlace
 * @property {(sign: string) => boolean} [reads] whether it reads the character; absent: it reads none
 * @property {number} [next] the place after it has read
 * @property {number[]} [to] places that are reached from it without reading
 * @property {string} [text] the only character that it reads, outside of brackets
 */

/** @param {string} pattern @returns {FilterPlace[]} */
function placesOf(pattern) {
  /** @type {FilterPlace[]} */
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
 * @param {FilterPlace[]} places
 * @returns {FilterPlace[]} with branches at the places of the braces and commas that are any. A name matches if one way through
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
 * @param {FilterPlace[]} places
 * @returns {Fits}
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
  /** @param {string} name @returns {number[]} the places after it */
  const read = name => {
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
      if (after.length === 0) return after
      found = after
    }
    return found
  }
  /** Whether it is a `*` that the pattern ends with. @param {number} at */
  const takesAll = at => places[at]?.next === at && places[at].to?.includes(places.length) === true
  const fits = (/** @type {string} */ name) => read(name).includes(places.length)
  return Object.assign(fits, {
    below(/** @type {string} */ beginning) {
      const found = read(beginning)
      return found.some(takesAll) ? 'all' : found.length > 0 ? 'some' : 'none'
    },
  })
}

module.exports = { createFilter }
