'use strict'

const { sameDigest } = require('../../integrity')
const { MARGIN_S } = require('../../select')

/** What is known of a store's clock is from answers that tell whole seconds. */
const PRECISION_S = 1
/** What is the very same may be a little older than the job. */
const SLACK_S = 2

/**
 * Whether an earlier run of the job has copied an object: what is there has its size, was written since the job began, and
 * the source was not modified since. Beyond a range's cursor nothing else tells, for the journal does not name what is
 * done. Where times are so near to each other that they do not tell, it has to be the very same: a source may have been
 * replaced after it was read (lib/select/decide.js). Likewise where a store had taken it that is not known to check what it
 * takes: a size is no proof, and the run that would have proved it may have been killed. Pure.
 *
 * @param {{ source?: import('../../types').ListedObject, destination?: import('../../types').ListedObject }} pair
 * @param {object} clocks
 * @param {number} clocks.beganMs when the job began, by the destination's clock, epoch
 * @param {number} [clocks.aheadMs] by which the destination's clock is ahead of the source's
 * @param {boolean} [clocks.taken] whether what the destination took is as it was sent: it is known to check, or no proof is wanted
 */
function copiedEarlier({ source, destination }, { beganMs, aheadMs = 0, taken = true }) {
  if (!source || !destination || source.bytes !== destination.bytes) return false
  if (destination.lastModifiedMs === undefined || source.lastModifiedMs === undefined) return false
  const began = wholeSeconds(beganMs)
  const written = wholeSeconds(destination.lastModifiedMs)
  const modified = wholeSeconds(source.lastModifiedMs + aheadMs)
  if (taken && written > began + PRECISION_S && modified + MARGIN_S < written) return true
  return written >= began - SLACK_S && modified <= written && sameDigest(source.etag, destination.etag)
}

/**
 * Whether what is there may have been written by the job. Pure.
 *
 * @param {{ destination?: import('../../types').ListedObject }} pair
 * @param {{ beganMs: number }} clocks as of copiedEarlier
 */
function isWrittenSince({ destination }, { beganMs }) {
  const written = destination?.lastModifiedMs
  return written !== undefined && wholeSeconds(written) >= wholeSeconds(beganMs) - SLACK_S
}

/** As lists tell them. @param {number} ms */
function wholeSeconds(ms) {
  return Math.floor(ms / 1000)
}

module.exports = { copiedEarlier, isWrittenSince }
