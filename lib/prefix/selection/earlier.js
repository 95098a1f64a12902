'use strict'

const { sameDigest } = require('../../integrity')
const { MARGIN_S, isSameTime } = require('../../select')

/** A store's clock is known from responses, whose dates have whole seconds. */
const PRECISION_S = 1
/** An object with the same digest may be this much older than the job. */
const SLACK_S = 2

/**
 * Whether an earlier run of the job has copied an object: the destination's object has the same size and was written after
 * the job started, and the source was not modified since. The journal does not name the finished objects after a range's
 * cursor, so only the times show it. The digests must also be equal if the times are too close, because the source may
 * have been replaced after it was read (lib/select/decide.js), and if the destination is not known to check what it
 * receives, because the earlier run may have been killed before it proved the object. Pure.
 *
 * @param {{ source?: import('../../types').ListedObject, destination?: import('../../types').ListedObject }} pair
 * @param {object} clocks
 * @param {number} clocks.beganMs start of the job by the destination's clock, epoch milliseconds
 * @param {number} [clocks.aheadMs] how far the destination's clock is ahead of the source's
 * @param {boolean} [clocks.taken] whether an object at the destination counts as proved: the store is known to check, or no proof is wanted
 * @param {boolean} [clocks.keepsTimes] the destination's objects have the times of their sources, and appear once they are proved
 */
function copiedEarlier({ source, destination }, { beganMs, aheadMs = 0, taken = true, keepsTimes = false }) {
  if (!source || !destination || source.bytes !== destination.bytes) return false
  if (destination.lastModifiedMs === undefined || source.lastModifiedMs === undefined) return false
  if (keepsTimes) return isSameTime(source.lastModifiedMs, destination.lastModifiedMs)
  const began = wholeSeconds(beganMs)
  const written = wholeSeconds(destination.lastModifiedMs)
  const modified = wholeSeconds(source.lastModifiedMs + aheadMs)
  if (taken && written > began + PRECISION_S && modified + MARGIN_S < written) return true
  return written >= began - SLACK_S && modified <= written && sameDigest(source.etag, destination.etag)
}

/**
 * Whether the job may have written the object at the destination. Pure.
 *
 * @param {{ destination?: import('../../types').ListedObject }} pair
 * @param {{ beganMs: number }} clocks as in `copiedEarlier`
 */
function isWrittenSince({ destination }, { beganMs }) {
  const written = destination?.lastModifiedMs
  return written !== undefined && wholeSeconds(written) >= wholeSeconds(beganMs) - SLACK_S
}

/** Listings have whole seconds. @param {number} ms */
function wholeSeconds(ms) {
  return Math.floor(ms / 1000)
}

module.exports = { copiedEarlier, isWrittenSince }
