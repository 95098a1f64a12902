'use strict'

/** What earlier runs of a job have done, and what a resumed run can skip. */

const { compareNames } = require('../../listing')
const { maybeUnreadable } = require('../keys')
const { notice } = require('../../notices')
const { sameDigest } = require('../../integrity')
const { MARGIN_S, isSameTime, wholeSeconds } = require('../../select')

/** @typedef {import('../../job/open').Job} Job */
/** @typedef {import('../flow').Judge} Judge */

/**
 * @param {Job} job of a prefix, with its journal
 * @param {import('./selection').Selection['judge']} judgeSelected the judgement of a first run
 * @param {{ folds?: boolean }} [how] folds: the destination treats some names as one, so every name has to be listed again
 */
function readResumed({ source, destination, settings, trust, run }, judgeSelected, { folds = false } = {}) {
  const { journal, emit } = run
  const { prefix: earlier, damaged, createdMs } = journal.state
  const resumed = earlier?.ranges !== undefined
  const failed = new Set(folds ? [] : earlier?.failed)
  /** Objects that may be wrong at the destination; their times would make them look copied. */
  const unsure = new Set([...(earlier?.unsure ?? []), ...(journal.doubted ?? [])])
  /** A damaged line of the journal may have held a range: then everything is listed again. */
  const ranges = earlier?.ranges && damaged === 0 && !folds ? earlier.ranges : [{ id: 0 }]

  const done = (ranges === earlier?.ranges && earlier.done) || { listed: 0, skipped: 0, filtered: 0 }

  /** @type {Judge} */
  function judge(pair) {
    const [there, here, from] = [destination.store.now(), Date.now(), source.store.now()]
    const aheadMs = there - from
    const verdict = judgeSelected(pair, { aheadMs, nowMs: there })
    // Filters come first: the job never copies what they exclude, whatever the destination's times are.
    if (verdict.filtered) return verdict
    if (unsure.has(pair.name)) return sureOf(verdict)
    // A source that is still there was not moved, whatever the times say.
    if (!resumed || settings.move) return verdict
    // Neither times nor ETags show that an object was read back.
    const readsBack = settings.verify === 'full'
    const taken = !settings.proved || (trust.put() && !readsBack && !earlier?.beside)
    const { keepsTimes } = destination.store.can
    const clocks = { beganMs: createdMs + (there - here), aheadMs, taken, keepsTimes }
    // An object that is still to be proved is copied as a large one, whose journal shows that its upload is completed.
    const unread = journal.state.prefix?.objects.has(pair.name)
    const copied = !unread && !readsBack && copiedEarlier(pair, clocks)
    if (copied) return { action: 'skip', why: 'copied by an earlier run', earlier: true }
    // The earlier run may have been killed after it wrote the object and before it proved it.
    const unproved = unread || !taken
    const doubtful = unproved && pair.source && isWrittenSince(pair, clocks) && verdict.why !== 'exists'
    return doubtful ? sureOf(verdict) : verdict
  }

  /** Counts of the names outside of the ranges, without those that failed: this run counts them again. */
  function counts() {
    const { listed, skipped, filtered } = done
    const met = (/** @type {string} */ name) => maybeUnreadable(name) || ranges.some(range => isIn(range, name))
    const again = [...failed].filter(name => !met(name)).length
    return { listed: listed - again, skipped, filtered, earlier: listed - again - skipped - filtered }
  }

  const { objects = 0 } = earlier?.copied ?? {}
  if (resumed && objects > 0) emit(notice('JOB_RESUMED', { job: journal.state.id, objects, dryRun: settings.dryRun }))
  return {
    resumed,
    done,
    counts,
    /** Ranges that are still to be listed. */
    ranges,
    /** Whether they cover everything. */
    all: ranges.length === 1 && ranges[0].after === undefined && ranges[0].until === undefined,
    /** Names that failed in earlier runs; they are tried first. */
    failed,
    judge,
    /** For listed names: those that failed earlier have been tried by then. @type {Judge} */
    judgeListed: pair =>
      pair.source && failed.has(pair.name)
        ? { action: 'skip', why: 'tried before all others', counted: true }
        : judge(pair),
    /** An object that failed earlier is no longer at the source. @param {string} name */
    gone(name) {
      if (!journal.state.prefix?.objects.has(name)) journal.note({ type: 'over', name })
    },
  }
}

/**
 * An object that may be a wrong copy of ours is copied again, even if it is newer than the source.
 *
 * @param {import('./selection').Verdict} verdict
 * @returns {import('./selection').Verdict}
 */
function sureOf(verdict) {
  const skips = (verdict.action === 'skip' && !verdict.filtered) || verdict.action === 'compare'
  return skips ? { action: 'copy', why: 'what is there was not proved', unsure: true } : verdict
}

/** @param {import('../../types').NameRange} range @param {string} name */
function isIn({ after, until }, name) {
  return (
    (after === undefined || compareNames(name, after) > 0) && (until === undefined || compareNames(name, until) <= 0)
  )
}

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

module.exports = { copiedEarlier, readResumed }
