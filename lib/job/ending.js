'use strict'

/** Whether a job that ends early leaves something to resume. */

const { leavesNothing } = require('../journal')

/** @typedef {import('../types').JobState} JobState */

/**
 * @param {import('../types').XferError} error
 * @param {JobState} state
 * @returns {boolean} false: a second run may continue the job
 */
function hasEnded(error, state) {
  if (state.options.recursive) return isOver(error, state)
  // A copy that has not found its source has nothing to resume.
  return Boolean(error.final) || state.object === undefined || !mayGoOn(error)
}

/** @param {JobState} state */
function nothingLeft(state) {
  return leavesNothing(state) && [...(state.prefix?.objects.values() ?? [])].every(leavesNothing)
}

/** @param {JobState} state */
function nothingCopied({ parts, prefix }) {
  const objects = [...(prefix?.objects.values() ?? [])]
  return parts.size === 0 && !prefix?.copied?.objects && objects.every(object => object.parts.size === 0)
}

/** Everything is copied, and nothing was deleted, for a reason that another run would meet again. */
const UNDELETED = new Set(['NOTHING_FOUND', 'LISTING_UNPROVED', 'TOO_MANY_DELETIONS'])

/** Whether a job over a prefix is finished or has done nothing, so that there is nothing to resume. @param {import('../types').XferError} error @param {JobState} state */
function isOver(error, { prefix, options }) {
  if (error.code === 'OBJECTS_FAILED') {
    // The next sync finds by itself what is copied, but would take an unproved object for copied by its time and size.
    const finds = options.recursive === 'sync' || !prefix?.copied?.objects
    return !error.facts.stopped && !prefix?.unsure?.size && finds
  }
  if (UNDELETED.has(error.code)) return true
  return !mayGoOn(error) && !prefix?.copied?.objects && !prefix?.failed.size
}

/** Whether a second run may help although nothing is copied yet. @param {import('../types').XferError} error */
function mayGoOn({ code, retryable, throttled }) {
  return (
    retryable ||
    throttled ||
    [
      ...['INTERRUPTED', 'HANDLER_FAILED', 'TIMED_OUT', 'PART_FAILED', 'OUTAGE', 'SOURCE_KEPT'],
      ...['CREDENTIALS_EXPIRED', 'BAD_CREDENTIALS'],
    ].includes(code)
  )
}

module.exports = { hasEnded, nothingCopied, nothingLeft }
