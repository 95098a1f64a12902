'use strict'

/** What becomes of one name: from what both sides' lists say of it, and what is known of their clocks. Pure. */

const { sameDigest } = require('../integrity')

/**
 * A source may be replaced after it was read, and before the copy is written: then the copy is the later one, and another.
 * By so much, for after a copy that takes longer the source is looked at once more (lib/prefix/write/slow.js).
 */
const LONGEST_COPY_S = 2
/** What is known of two stores' clocks is from answers that tell whole seconds. */
const CLOCK_PRECISION_S = 2
/** By so much a copy has to be the later one to be of the source as it is. */
const MARGIN_S = LONGEST_COPY_S + CLOCK_PRECISION_S

/** @typedef {import('../types').ListedObject} ListedObject */
/** @typedef {Pick<ListedObject, 'bytes' | 'etag' | 'lastModifiedMs'>} Listed */

/**
 * Why, in a word: `all` (a copy takes everything), `new` (the destination has none), `size` (of another size), `newer`
 * (the source was modified after the destination was, or in the same second), `time` (no time is known), `exists` (what
 * exists is left), `older`, `same-size`, `same-etag`, `etag` (the ETags do not tell), `near` (nor do the times, for they
 * are too near to each other, or the destination's is in the future), `extra` (the source has none).
 *
 * @typedef {'all' | 'new' | 'size' | 'newer' | 'time' | 'exists' | 'older' | 'same-size' | 'same-etag' | 'etag' | 'near' | 'extra'} Why
 */

/**
 * `compare`: the lists do not tell whether the two are equal; their checksums have to be asked for, and without any that
 * proves it, they are copied.
 *
 * @typedef {{ action: 'copy' | 'skip' | 'delete' | 'compare', why: Why }} Decision
 *
 * @typedef {object} Clocks
 * @property {number} aheadMs by which the destination's clock is ahead of the source's
 * @property {number} nowMs by the destination's clock, epoch
 */

/**
 * @param {{ source?: Listed, destination?: Listed }} pair at least one of them
 * @param {object} how
 * @param {'copy' | 'sync'} how.mode a copy takes everything, a sync what is not the same already
 * @param {boolean} [how.ignoreExisting] what the destination has is left as it is
 * @param {boolean} [how.sizeOnly] of a sync: of equal size is the same
 * @param {boolean} [how.checksum] of a sync: of equal content is the same
 * @param {boolean} [how.deletes] of a sync: what the source has not goes
 * @param {Clocks} [clocks] absent: both are one
 * @returns {Decision}
 */
function decide({ source, destination }, { mode, ignoreExisting, sizeOnly, checksum, deletes }, clocks) {
  if (!source) return { action: mode === 'sync' && deletes ? 'delete' : 'skip', why: 'extra' }
  if (!destination) return { action: 'copy', why: 'new' }
  if (ignoreExisting) return { action: 'skip', why: 'exists' }
  if (mode === 'copy') return { action: 'copy', why: 'all' }
  if (source.bytes !== destination.bytes) return { action: 'copy', why: 'size' }
  if (sizeOnly) return { action: 'skip', why: 'same-size' }
  return checksum ? byContent(source, destination) : byTime(source, destination, clocks)
}

/**
 * Of two ETags that differ nobody knows whether both are MD5s: those of objects that are encrypted with a key of KMS look
 * like it. And parts may have been of other sizes.
 *
 * @param {Listed} source
 * @param {Listed} destination
 * @returns {Decision}
 */
function byContent(source, destination) {
  if (source.bytes === 0) return { action: 'skip', why: 'same-size' }
  return sameDigest(source.etag, destination.etag)
    ? { action: 'skip', why: 'same-etag' }
    : { action: 'compare', why: 'etag' }
}

/**
 * Stores tell whole seconds: of two that are equal nobody knows which was later. An ETag settles that; but not of a source
 * that is newer, for its metadata may be what changed.
 *
 * @param {Listed} source
 * @param {Listed} destination
 * @param {Clocks} [clocks]
 * @returns {Decision}
 */
function byTime(source, destination, { aheadMs, nowMs } = { aheadMs: 0, nowMs: Number.POSITIVE_INFINITY }) {
  const [ours, theirs] = [source.lastModifiedMs, destination.lastModifiedMs].map(wholeSeconds)
  if (ours === undefined || theirs === undefined) return { action: 'copy', why: 'time' }
  const ahead = aheadOf(aheadMs)
  const modified = ours + ahead
  if (modified > theirs + (ahead > 0 ? CLOCK_PRECISION_S : 0)) return { action: 'copy', why: 'newer' }
  const future = theirs > nowMs / 1000 + MARGIN_S
  if (modified + MARGIN_S < theirs && !future) return { action: 'skip', why: 'older' }
  if (source.bytes === 0) return { action: 'skip', why: 'same-size' }
  if (sameDigest(source.etag, destination.etag)) return { action: 'skip', why: 'same-etag' }
  const undecided = ahead === 0 && modified === theirs
  return undecided ? { action: 'copy', why: 'newer' } : { action: 'compare', why: 'near' }
}

/**
 * By how many seconds the source's times are put later. They are not put earlier: a clock that is behind now may have been
 * right when the copy was written, and a change would be missed.
 *
 * @param {number} aheadMs
 */
function aheadOf(aheadMs) {
  return aheadMs > CLOCK_PRECISION_S * 1000 ? Math.ceil(aheadMs / 1000) : 0
}

/** Some tell milliseconds, and the other side may not. @param {number | undefined} ms */
function wholeSeconds(ms) {
  return ms === undefined ? undefined : Math.floor(ms / 1000)
}

module.exports = { LONGEST_COPY_S, MARGIN_S, decide }
