'use strict'

/** What the caller of the library perhaps means by an option that a function has not. */

/** Names that are no misspelling, but short for another. @type {Record<string, string>} */
const SHORT_FOR = { dest: 'destination', src: 'source', onProgress: 'onEvent', abortSignal: 'signal' }

/**
 * @param {string} name
 * @param {Set<string>} known the options that there are
 * @returns {string | undefined} an advice
 */
function meant(name, known) {
  const same = [...known].find(other => other.toLowerCase() === name.toLowerCase())
  if (same) return `Perhaps you mean "${same}".`
  const positive = /^no[A-Z]/.test(name) ? name[2].toLowerCase() + name.slice(3) : ''
  if (known.has(positive)) return `Give ${positive}: false.`
  if (Object.hasOwn(SHORT_FOR, name) && known.has(SHORT_FOR[name])) return `Perhaps you mean "${SHORT_FOR[name]}".`
  const longer = [...known].find(other => other.startsWith(name) || name.startsWith(other))
  const nearest = longer ?? nearestTo(name, known)
  return nearest && `Perhaps you mean "${nearest}".`
}

/** More letters are no misspelling. */
const MOST_EDITS = 3

/** @param {string} name @param {Set<string>} known @returns {string | undefined} undefined: none is near */
function nearestTo(name, known) {
  const [nearest] = [...known]
    .map(other => ({ other, edits: editsOf(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, edits }) => edits <= Math.min(MOST_EDITS, Math.max(name.length, other.length) / 2 - 0.5))
    .sort((a, b) => a.edits - b.edits)
  return nearest?.other
}

/** The letters to insert, remove or replace (Levenshtein). @param {string} a of a caller, perhaps long @param {string} b */
function editsOf(a, b) {
  if (Math.abs(a.length - b.length) > MOST_EDITS) return Number.POSITIVE_INFINITY
  let row = [...b, ''].map((_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j] + (letter === b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1))
    }
    row = next
  }
  return row[b.length]
}

module.exports = { meant }
