'use strict'

/**
 * Guards that keep `--delete` from emptying a destination by mistake. They refuse an empty source (such as a mistyped
 * prefix), a listing of the source that may be incomplete, and too large a share of deletions. They run after both
 * listings and before the first deletion. Pure.
 */

const { XferError } = require('../../errors')

/** The limit without `--max-delete`: at most half, if there are more than 100 objects. */
const USUAL = { percent: 50, ofMoreThan: 100 }

/** Smaller differences between two products of decimal fractions are rounding errors. */
const ROUNDING = 1e-12

/** @typedef {{ count: number } | { percent: number, ofMoreThan: number }} MostDeleted */

/**
 * @param {{ count: number } | { percent: number } | undefined} share the value of `--max-delete`; percent: of the destination's objects that pass the filters
 * @returns {MostDeleted}
 */
function readMostDeleted(share) {
  if (share === undefined) return USUAL
  return 'percent' in share ? { percent: share.percent, ofMoreThan: 0 } : share
}

/**
 * @param {object} found counts after both sides were listed completely
 * @param {number} found.source objects below the source's prefix, before filters
 * @param {number} found.chosen objects of the destination that pass the filters
 * @param {number} found.deletions those of them that the source does not have
 * @param {string[]} [found.lacks] fields that are missing in the source's listing, without which it may be incomplete
 * @param {object} how
 * @param {MostDeleted} how.mostDeleted
 * @param {import('../../types').ObjectCounts} how.objects so far, for the error
 * @param {{ source: string, destination: string }} how.places for people
 * @throws {XferError} NOTHING_FOUND, LISTING_UNPROVED, TOO_MANY_DELETIONS
 */
function checkDeletions({ source, chosen, deletions, lacks }, { mostDeleted, objects, places }) {
  if (source === 0) throw new XferError('NOTHING_FOUND', { ...places, deletes: true, objects })
  if (deletions > 0 && lacks) {
    throw new XferError('LISTING_UNPROVED', { ...places, deletions, lacks: lacks.join(', '), objects })
  }
  if (deletions === 0 || !isTooMany(mostDeleted, { chosen, deletions })) return
  throw new XferError('TOO_MANY_DELETIONS', {
    ...places,
    deletions,
    chosen,
    limit: describeLimit(mostDeleted),
    objects,
  })
}

/** @param {MostDeleted} most @param {{ chosen: number, deletions: number }} found */
function isTooMany(most, { chosen, deletions }) {
  if ('count' in most) return deletions > most.count
  return chosen > most.ofMoreThan && deletions * 100 > most.percent * chosen * (1 + ROUNDING)
}

/** @param {MostDeleted} most @returns {string} the end of a sentence */
function describeLimit(most) {
  if (most === USUAL) return 'more than half of them'
  if ('count' in most) return `more than the ${most.count.toLocaleString('en-US')} of --max-delete`
  return `more than the ${most.percent}% of --max-delete`
}

module.exports = { checkDeletions, readMostDeleted }
