'use strict'

/** Where the names of a prefix are divided into ranges of about as many names each, which workers copy side by side. */

const { compareNames, walk } = require('../listing')

/** Names of a range, if nobody says how many ranges there are to be. */
const AUTO_NAMES = 1_000_000
/** Of all names so many are remembered, evenly: a range is right to a ten thousandth of all. */
const MOST_MARKS = 20_000

/**
 * Lists the source, and keeps a part of the names.
 *
 * @param {Pick<import('../job/open').Job, 'source' | 'run'>} job of the prefix
 * @param {Pick<import('./selection').Selection, 'skips'>} selection
 * @param {number | 'auto'} wanted how many ranges; there are fewer if there are not so many names
 * @returns {Promise<{ names: number, ranges: Array<{ after?: string, until?: string }> }>} in order
 */
async function splitNames({ source, run: { cancel } }, { skips }, wanted) {
  /** Each stands for `weight` names up to it. @type {Array<{ name: string, weight: number }>} */
  let marks = []
  let each = 1
  let names = 0
  for await (const step of walk({ source, skips, signal: cancel })) {
    if (step.type !== 'pairs') continue
    const { pairs } = step
    names += pairs.length
    for (let end = 0; end < pairs.length; ) {
      const weight = Math.min(each, pairs.length - end)
      end += weight
      marks.push({ name: pairs[end - 1].name, weight })
    }
    if (marks.length <= MOST_MARKS) continue
    marks = thinned(marks)
    each *= 2
  }
  const count = wanted === 'auto' ? Math.ceil(names / AUTO_NAMES) : wanted
  return { names, ranges: rangesBetween(boundsOf(sorted(marks), names / count)) }
}

/** @param {Array<{ name: string, weight: number }>} marks */
const sorted = marks => marks.sort((one, other) => compareNames(one.name, other.name))

/** One in place of each two. @param {Array<{ name: string, weight: number }>} marks */
function thinned(marks) {
  return sorted(marks).flatMap((mark, i, all) => {
    if (i % 2 === 1) return { name: mark.name, weight: mark.weight + all[i - 1].weight }
    return i === all.length - 1 ? mark : []
  })
}

/** The last name of each range but the last one. @param {Array<{ name: string, weight: number }>} marks in order @param {number} size names of a range */
function boundsOf(marks, size) {
  /** @type {string[]} */
  const bounds = []
  let seen = 0
  for (const { name, weight } of marks.slice(0, -1)) {
    seen += weight
    if (seen >= size * (bounds.length + 1)) bounds.push(name)
  }
  return bounds
}

/** @param {string[]} bounds @returns {Array<{ after?: string, until?: string }>} */
function rangesBetween(bounds) {
  return [...bounds, undefined].map((until, i) => ({
    ...(i > 0 && { after: bounds[i - 1] }),
    ...(until !== undefined && { until }),
  }))
}

module.exports = { splitNames }
