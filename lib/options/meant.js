'use strict'

/** What the caller of the library perhaps means by an option that a function has not. Loaded only then. */

/** Names that are no misspelling, but short for another. @type {Record<string, string>} */
const SHORT_FOR = { dest: 'destination', src: 'source', onProgress: 'onEvent', abortSignal: 'signal' }

/**
 * @param {string} name
 * @param {Set<string>} known the options that there are
 * @param {(name: string) => string | undefined} elsewhere the advice for an option that is right elsewhere
 * @returns {string | undefined} an advice
 */
function meant(name, known, elsewhere) {
  const same = [...known].find(other => other.toLowerCase() === name.toLowerCase())
  if (same) return `Perhaps you mean "${same}".`
  const positive = /^no[A-Z]/.test(name) ? name[2].toLowerCase() + name.slice(3) : ''
  if (known.has(positive)) return `Give ${positive}: false.`
  if (Object.hasOwn(SHORT_FOR, name) && known.has(SHORT_FOR[name])) return `Perhaps you mean "${SHORT_FOR[name]}".`
  const place = elsewhere(name)
  if (place) return place
  const most = Math.min(3, Math.floor(name.length / 3))
  const [nearest] = [...known]
    .map(other => ({ other, steps: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps)
  return nearest && `Perhaps you mean "${nearest.other}".`
}

/** The number of letters to add, remove or replace. @param {string} a @param {string} b @returns {number} */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + (b[j] === letter ? 0 : 1)))
    row = next
  }
  return row[b.length]
}

module.exports = { meant }
