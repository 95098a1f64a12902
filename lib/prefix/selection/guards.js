'use strict'

/**
 * What keeps `--delete` from emptying a destination by mistake: an empty source, such as a mistyped prefix, a list of the
 * source that may be short, and a number of deletions that is out of proportion. Judged once all is listed, and before the first deletion. Pure.
 */

const { XferError } = require('../../errors')

/** Without `--max-delete`: more than this is refused, of more objects than this. */
const USUAL = { percent: 50, ofMoreThan: 100 }

/** What is less is no difference between two products of decimal numbers. */
const ROUNDING = 1e-12

/** @typedef {{ count: number } | { percent: number, ofMoreThan: number }} MostDeleted */

/**
 * @param {{ count: number } | { percent: number } | undefined} share of `--max-delete`: of the chosen names that the destination lists
 * @returns {MostDeleted}
 */
function readMostDeleted(share) {
  if (share === undefined) return USUAL
  return 'percent' in share ? { percent: share.percent, ofMoreThan: 0 } : share
}

/**
 * @param {object} found when both sides were listed to their end
 * @param {number} found.source objects below the source's prefix, before filters
 * @param {number} found.chosen names that the destination lists, and that filters do not leave out
 * @param {number} found.deletions of these, which the source has not
 * @param {string[]} [found.lacks] what the source's list leaves out, so that nobody knows whether it was told to its end
 * @param {object} how
 * @param {boolean} how.allowEmptySource
 * @param {MostDeleted} how.mostDeleted
 * @param {import('../../types').ObjectCounts} how.objects so far, for the error
 * @param {{ source: string, destination: string }} how.places for people
 * @throws {XferError} SOURCE_EMPTY, LISTING_UNPROVED, TOO_MANY_DELETIONS
 */
function checkDeletions({ source, chosen, deletions, lacks }, { allowEmptySource, mostDeleted, objects, places }) {
  if (source === 0 && !allowEmptySource) throw new XferError('SOURCE_EMPTY', { ...places, objects })
  if (deletions > 0 && lacks) {
    throw new XferError('LISTING_UNPROVED', { ...places, deletions, lacks: lacks.join(', '), objects })
  }
  if (deletions === 0 || !isTooMany(mostDeleted, { chosen, deletions })) return
  throw new XferError('TOO_MANY_DELETIONS', { ...places, deletions, chosen, limit: told(mostDeleted), objects })
}

/** @param {MostDeleted} most @param {{ chosen: number, deletions: number }} found */
function isTooMany(most, { chosen, deletions }) {
  if ('count' in most) return deletions > most.count
  return chosen > most.ofMoreThan && deletions * 100 > most.percent * chosen * (1 + ROUNDING)
}

/** @param {MostDeleted} most @returns {string} the end of a sentence */
function told(most) {
  if (most === USUAL) return 'more than half of them'
  if ('count' in most) return `more than the ${most.count.toLocaleString('en-US')} of --max-delete`
  return `more than the ${most.percent}% of --max-delete`
}

module.exports = { checkDeletions, readMostDeleted }
