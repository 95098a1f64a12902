'use strict'

/** Selects objects by name (with the AWS CLI's rules), by time and by size. */

const { compileGlob } = require('./glob')

/** @typedef {{ include: string } | { exclude: string }} Rule */

/**
 * Every name is included at first; the last rule that matches it decides.
 *
 * @param {object} [limits]
 * @param {readonly Rule[]} [limits.rules]
 * @param {number} [limits.newerThanMs] modified at this time or later; milliseconds since the epoch
 * @param {number} [limits.olderThanMs] modified before this time
 * @param {number} [limits.minBytes] this size or larger
 * @param {number} [limits.maxBytes] this size or smaller
 * @returns {((name: string, object: { bytes: number, lastModifiedMs?: number }) => boolean) & { unmatched: () => Rule[] }} an
 *   object without a time passes both time limits; unmatched: the rules that have matched no name so far
 */
function createFilter({
  rules = [],
  newerThanMs = Number.NEGATIVE_INFINITY,
  olderThanMs = Number.POSITIVE_INFINITY,
  minBytes = 0,
  maxBytes = Number.POSITIVE_INFINITY,
} = {}) {
  // Searched from the last rule back: the first match decides.
  const backwards = rules.map(compileRule).reverse()
  /** Also of rules that decide nothing, because a later one matches the same names. */
  const unmatched = new Set(backwards)
  /** @param {string} name @param {{ bytes: number, lastModifiedMs?: number }} object */
  const keeps = (name, { bytes, lastModifiedMs }) => {
    for (const rule of unmatched) if (rule.fits(name)) unmatched.delete(rule)
    if (bytes < minBytes || bytes > maxBytes) return false
    if (lastModifiedMs !== undefined && (lastModifiedMs < newerThanMs || lastModifiedMs >= olderThanMs)) return false
    return backwards.find(({ fits }) => fits(name))?.included ?? true
  }
  return Object.assign(keeps, { unmatched: () => [...unmatched].map(({ rule }) => rule).reverse() })
}

/** @param {Rule} rule */
function compileRule(rule) {
  return 'include' in rule
    ? { rule, included: true, fits: compileGlob(rule.include) }
    : { rule, included: false, fits: compileGlob(rule.exclude) }
}

module.exports = { createFilter }
