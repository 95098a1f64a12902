'use strict'

/** Decides what to do with one name, from both sides' lists and what is known of their clocks. Pure. */

const { sameDigest, sameMd5 } = require('../../integrity')

/**
 * A source may be replaced after it was read and before its copy is written. Then the copy has the later time but the
 * older bytes. After a copy that takes longer than this the source is checked again (lib/many/writers.js).
 */
const LONGEST_COPY_S = 2
/** Clocks are compared by the `Date` headers of answers, which have whole seconds. */
const CLOCK_PRECISION_S = 2
/** A copy that is later than its source by this much was made from the current source. */
const MARGIN_S = LONGEST_COPY_S + CLOCK_PRECISION_S

/** Of both sides. @type {Clocks} */
const SAME_CLOCK = { aheadMs: 0, nowMs: Number.POSITIVE_INFINITY }

/** @typedef {import('../../types').ListedObject} ListedObject */
/** @typedef {Pick<ListedObject, 'bytes' | 'etag' | 'lastModifiedMs' | 'sums'>} Listed */

/** @typedef {import('../../types').Decision} Decision */

/**
 * @typedef {object} Clocks
 * @property {number} aheadMs how far the destination's clock is ahead of the source's
 * @property {number} nowMs the destination's clock, since the epoch
 */

/**
 * @param {{ source?: Listed, destination?: Listed }} pair at least one of them
 * @param {object} how
 * @param {'copy' | 'sync'} how.mode `copy` takes everything, `sync` only what differs
 * @param {boolean} [how.ignoreExisting] keep every object that the destination has
 * @param {boolean} [how.update] keep every object that is newer at the destination
 * @param {boolean} [how.sizeOnly] in a sync: equal sizes mean equal objects
 * @param {boolean} [how.checksum] in a sync: compare contents, not times
 * @param {boolean} [how.deletes] in a sync: delete what the source does not have
 * @param {boolean} [how.keepsTimes] the destination's objects have the modification times of their sources
 * @param {boolean} [how.notesTimes] the source's times are noted at the destination: where its list leaves a doubt, a HEAD tells
 * @param {Clocks} [clocks] absent: both sides use the same clock
 * @returns {Decision}
 */
function decide({ source, destination }, how, clocks) {
  const { mode, ignoreExisting, update, deletes, keepsTimes } = how
  if (!source) return { action: mode === 'sync' && deletes ? 'delete' : 'skip', why: 'extra' }
  if (!destination) return { action: 'copy', why: 'new' }
  if (ignoreExisting) return { action: 'skip', why: 'exists' }
  const decision = byDifference({ source, destination }, how, clocks)
  // A file has the time of its source, by the source's clock.
  if (decision.action === 'skip' || !isNewer(destination, source, keepsTimes ? SAME_CLOCK : clocks)) return decision
  return update ? { action: 'skip', why: 'newer-there' } : { ...decision, newerThere: true }
}

/**
 * @param {{ source: Listed, destination: Listed }} pair
 * @param {Parameters<typeof decide>[1]} how
 * @param {Clocks} [clocks]
 * @returns {Decision}
 */
function byDifference({ source, destination }, { mode, sizeOnly, checksum, keepsTimes, notesTimes }, clocks) {
  if (mode === 'copy') return { action: 'copy', why: 'all' }
  if (source.bytes !== destination.bytes) return { action: 'copy', why: 'size' }
  if (sizeOnly) return { action: 'skip', why: 'same-size' }
  if (checksum) return byContent(source, destination)
  const [ours, theirs] = [source.lastModifiedMs, destination.lastModifiedMs]
  if (ours === undefined || theirs === undefined) return { action: 'copy', why: 'time' }
  if (keepsTimes) {
    // The source may note another time in its metadata than the list tells: that of the file that it was made of.
    return isSameTime(ours, theirs) ? { action: 'skip', why: 'same-time' } : { action: 'compare', why: 'other-time' }
  }
  const decision = byTime({ source, destination }, wholeSeconds(ours), wholeSeconds(theirs), clocks)
  return notesTimes && decision.why === 'newer' ? { action: 'compare', why: 'near' } : decision
}

/**
 * Different ETags prove nothing: one of them may be no MD5 (an ETag of an encrypted object can look like one), and the
 * parts may have had other sizes.
 *
 * @param {Listed} source
 * @param {Listed} destination
 * @returns {Decision}
 */
function byContent(source, destination) {
  if (source.bytes === 0) return { action: 'skip', why: 'same-size' }
  return sameBytes(source, destination) ?? { action: 'compare', why: 'etag' }
}

/**
 * @param {Listed} source
 * @param {Listed} destination
 * @returns {Decision | undefined} undefined: the lists do not tell
 */
function sameBytes(source, destination) {
  if (sameDigest(source.etag, destination.etag)) return { action: 'skip', why: 'same-etag' }
  return sameMd5(source, destination) ? { action: 'skip', why: 'same-content' } : undefined
}

/**
 * Times have whole seconds, so two equal times do not show which object is later. Equal ETags then decide. They do not
 * decide when the source is newer, because its metadata may have changed.
 *
 * @param {{ source: Listed, destination: Listed }} pair
 * @param {number} ours
 * @param {number} theirs
 * @param {Clocks} [clocks]
 * @returns {Decision}
 */
function byTime({ source, destination }, ours, theirs, clocks = SAME_CLOCK) {
  const { ahead, doubt } = aheadOf(clocks)
  const modified = ours + ahead
  if (modified > theirs + doubt) return { action: 'copy', why: 'newer' }
  const future = theirs > clocks.nowMs / 1000 + MARGIN_S
  if (modified + MARGIN_S < theirs && !future) return { action: 'skip', why: 'older' }
  if (source.bytes === 0) return { action: 'skip', why: 'same-size' }
  const same = sameBytes(source, destination)
  if (same) return same
  const undecided = ahead === 0 && modified === theirs
  return undecided ? { action: 'copy', why: 'newer' } : { action: 'compare', why: 'near' }
}

/**
 * Whether the destination's object is later than its source, in whole seconds. Equal times show nothing.
 *
 * @param {Listed} destination
 * @param {Listed} source
 * @param {Clocks} [clocks]
 */
function isNewer({ lastModifiedMs: theirs }, { lastModifiedMs: ours }, clocks = SAME_CLOCK) {
  if (ours === undefined || theirs === undefined) return false
  const { ahead, doubt } = aheadOf(clocks)
  return wholeSeconds(theirs) > wholeSeconds(ours) + ahead + doubt
}

/**
 * @param {Clocks} clocks
 * @returns {{ ahead: number, doubt: number }} in seconds: how far the destination's clock is ahead, and how exactly that is known
 */
function aheadOf({ aheadMs }) {
  // Never less than 0: a clock that is behind now may have been right when the copy was written, and then a change would be
  // hidden.
  if (aheadMs <= CLOCK_PRECISION_S * 1000) return { ahead: 0, doubt: 0 }
  return { ahead: Math.ceil(aheadMs / 1000), doubt: CLOCK_PRECISION_S }
}

/** Some stores report milliseconds, others only seconds. @param {number} ms */
const wholeSeconds = ms => Math.floor(ms / 1000)

/**
 * The first and last seconds that file systems keep: Linux keeps these of what is beyond them. They are `s_time_min` and
 * `s_time_max` in each one's folder of https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/tree/fs
 */
const TIME_LIMITS = [
  { of: 'ext2, ext3, ext4 with inodes of 128 bytes, XFS without bigtime', first: -(2 ** 31), last: 2 ** 31 - 1 },
  { of: 'ext4', first: -(2 ** 31), last: 2 ** 34 - 2 ** 31 - 1 },
  { of: 'XFS', first: -(2 ** 31), last: 18_446_744_072 - 2 ** 31 },
  { of: 'NFS version 3', first: 0, last: 2 ** 32 - 1 },
  { of: 'FAT', first: Date.UTC(1980) / 1000, last: Date.UTC(2107, 11, 31, 23, 59, 58) / 1000 },
  { of: 'exFAT', first: Date.UTC(1980) / 1000, last: Date.UTC(2107, 11, 31, 23, 59, 59) / 1000 },
]

/** Whether a file system keeps no more of the original's time. @param {number} original @param {number} copied */
function isCut(original, copied) {
  return TIME_LIMITS.some(({ first, last }) => copied === 1000 * (original > copied ? last : first))
}

/**
 * Whether the time that a copy has, or notes, is that of its original. The copy's may have whole seconds, because a store told no more
 * when it was made, or because its file system keeps no more; or be the last that its file system knows. A file that merely appeared in the same second has a fraction of its
 * own. Pure.
 *
 * @param {number} original epoch milliseconds
 * @param {number} copied epoch milliseconds
 */
function isSameTime(original, copied) {
  // What a file system keeps of a fraction may be rounded.
  if (Math.abs(original - copied) <= 1 || isCut(original, copied)) return true
  return Math.floor(original / 1000) === copied / 1000
}

module.exports = { LONGEST_COPY_S, MARGIN_S, decide, isSameTime, wholeSeconds }
