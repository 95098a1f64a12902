'use strict'

/** Errors of comparisons: of two objects, and of what is below two prefixes. */

const { EXIT } = require('./exit')

/** @type {Record<string, import('.').Row>} */
module.exports = {
  OBJECTS_DIFFER: {
    exit: EXIT.INTEGRITY,
    message: f => {
      if (f.pairs)
        return `The prefixes ${f.source} and ${f.destination} are not equal: ${differences(f.pairs)}${named(f)}.`
      return f.location === undefined
        ? `The objects ${f.source} and ${f.destination} are not equal: ${f.reason}.`
        : `The bytes of ${f.location} have the ${f.sum} ${f.found}, and its store keeps ${f.expected} for them.`
    },
    hint: ({ pairs, location }) => {
      if (!pairs) {
        return location === undefined
          ? 'Find out which of the two is right, and copy that one again.'
          : 'Copy it again from an undamaged object.'
      }
      return pairs.differing + pairs.missing > 0
        ? 'Find out which side is right; xfer sync --checksum copies what is missing or differs.'
        : 'Nothing is missing at the destination; --one-way accepts what only the destination has.'
    },
  },
}

/** @param {number} many */
function count(many) {
  return many.toLocaleString('en-US')
}

/** @param {import('../../api/summaries').PairCounts} pairs */
function differences({ listed, differing, missing, extra, failed }) {
  const kinds = [
    ...(differing > 0 ? [`${count(differing)} ${differing === 1 ? 'differs' : 'differ'}`] : []),
    ...(missing > 0 ? [`${count(missing)} missing`] : []),
    ...(extra > 0 ? [`${count(extra)} extra`] : []),
    ...(failed > 0 ? [`${count(failed)} not compared`] : []),
  ]
  return `of ${count(listed)} ${listed === 1 ? 'name' : 'names'} ${kinds.join(', ')}`
}

/** The first few of them. @param {Record<string, any>} facts names: string[]; more: number */
function named({ names = [], more = 0 }) {
  if (names.length === 0) return ''
  return ` (${names.map((/** @type {string} */ name) => JSON.stringify(name)).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''})`
}
