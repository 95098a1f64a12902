'use strict'

/** Selects objects by name (with the AWS CLI's rules), by time and by size. */

const { compileGlob } = require('./glob')

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
 * @returns {((name: string, object: { bytes: number, lastModifiedMs?: number }) => boolean) & { unmatched: () => Unmatched[] }} an
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

module.exports = { createFilter }
