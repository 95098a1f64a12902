'use strict'

/** Which objects are meant: by name, in the way of the AWS CLI, by time and by size. */

const { compileGlob, literalBeginning } = require('./glob')

/** @typedef {{ include: string } | { exclude: string }} Rule */

/**
 * Rules are looked at in their order: all is included at first, and the last one that fits the name decides.
 *
 * @param {object} [limits]
 * @param {readonly Rule[]} [limits.rules]
 * @param {number} [limits.newerThanMs] modified then or later; epoch milliseconds
 * @param {number} [limits.olderThanMs] modified before that
 * @param {number} [limits.minBytes] of that size or larger
 * @param {number} [limits.maxBytes] of that size or smaller
 * @returns {(name: string, object: { bytes: number, lastModifiedMs?: number }) => boolean} an object of which no time is
 *   known is new as well as old
 */
function createFilter({
  rules = [],
  newerThanMs = Number.NEGATIVE_INFINITY,
  olderThanMs = Number.POSITIVE_INFINITY,
  minBytes = 0,
  maxBytes = Number.POSITIVE_INFINITY,
} = {}) {
  // From the last one back, the first that fits decides.
  const backwards = rules.map(compileRule).reverse()
  return (name, { bytes, lastModifiedMs }) => {
    if (bytes < minBytes || bytes > maxBytes) return false
    if (lastModifiedMs !== undefined && (lastModifiedMs < newerThanMs || lastModifiedMs >= olderThanMs)) return false
    return backwards.find(({ fits }) => fits(name))?.included ?? true
  }
}

/** @param {Rule} rule */
function compileRule(rule) {
  return 'include' in rule
    ? { included: true, fits: compileGlob(rule.include) }
    : { included: false, fits: compileGlob(rule.exclude) }
}

/**
 * What every name begins with that the rules may include, so that nothing else has to be listed: of `exclude '*'` and
 * `include 'a/b*'`, `a/b`.
 *
 * @param {readonly Rule[]} rules
 * @returns {string | undefined} empty where it may be any; undefined where the rules include no name at all
 */
function includedBeginning(rules) {
  const last = rules.findLastIndex(rule => /^\*+$/.test('include' in rule ? rule.include : rule.exclude))
  if (last === -1 || 'include' in rules[last]) return ''
  const includes = rules.slice(last + 1).flatMap(rule => ('include' in rule ? [rule.include] : []))
  if (includes.length === 0) return undefined
  return includes.map(literalBeginning).reduce(sharedBeginning)
}

/** @param {string} a @param {string} b */
function sharedBeginning(a, b) {
  let shared = ''
  for (const sign of a) {
    if (!b.startsWith(sign, shared.length)) break
    shared += sign
  }
  return shared
}

module.exports = { createFilter, includedBeginning }
