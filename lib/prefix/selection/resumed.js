'use strict'

/** What earlier runs of a job have done, and what of it one that goes on need not look at. */

const { compareNames } = require('../../listing')
const { copiedEarlier, isWrittenSince } = require('./earlier')
const { maybeUnreadable } = require('../keys')
const { notice } = require('../../notices')

/** @typedef {import('../../job/open').Job} Job */
/** @typedef {import('../flow').Judge} Judge */

/**
 * @param {Job} job of a prefix, with its journal
 * @param {import('./selection').Selection['judge']} judgeSelected as where nothing was done before
 * @param {{ folds?: boolean }} [how] folds: the destination takes some names for one, so that all have to be met
 */
function readResumed({ source, destination, settings, trust, run }, judgeSelected, { folds = false } = {}) {
  const { journal, emit } = run
  const { prefix: earlier, damaged, createdMs } = journal.state
  const resumed = earlier?.ranges !== undefined
  const failed = new Set(folds ? [] : earlier?.failed)
  /** By their times these would be taken for copied. */
  const unsure = earlier?.unsure ?? new Set()
  /** What a line said that cannot be read nobody knows: then it is all. */
  const ranges = earlier?.ranges && damaged === 0 && !folds ? earlier.ranges : [{ id: 0 }]

  const done = (ranges === earlier?.ranges && earlier.done) || { listed: 0, skipped: 0, filtered: 0 }

  /** @type {Judge} */
  function judge(pair) {
    const [there, here, from] = [destination.store.now(), Date.now(), source.store.now()]
    const aheadMs = there - from
    const verdict = judgeSelected(pair, { aheadMs, nowMs: there })
    // The job never copies what its filters leave out, whatever the times of the object at the destination look like.
    if (verdict.filtered) return verdict
    if (unsure.has(pair.name)) return sureOf(verdict)
    if (!resumed) return verdict
    const taken = !settings.proved || (trust.put() && settings.verify !== 'full')
    const clocks = { beganMs: createdMs + (there - here), aheadMs, taken }
    // One that is still to be proved goes the way of a large one, which finds it completed.
    const unread = journal.state.prefix?.objects.has(pair.name)
    const copied = !unread && copiedEarlier(pair, clocks)
    if (copied) return { action: 'skip', why: 'copied by an earlier run', earlier: true }
    // The earlier run may have been killed between the write of an object and its proof.
    const doubtful = !taken && pair.source && isWrittenSince(pair, clocks) && verdict.why !== 'exists'
    return doubtful ? sureOf(verdict) : verdict
  }

  /** What is in none of the ranges. Of what failed this run says what becomes of it. */
  function counts() {
    const { listed, skipped, filtered } = done
    const met = (/** @type {string} */ name) => maybeUnreadable(name) || ranges.some(range => isIn(range, name))
    const again = [...failed].filter(name => !met(name)).length
    return { listed: listed - again, skipped, filtered, earlier: listed - again - skipped - filtered }
  }

  return {
    resumed,
    done,
    counts,
    tell() {
      const { objects = 0 } = earlier?.copied ?? {}
      if (objects > 0) emit(notice('JOB_RESUMED', { job: journal.state.id, objects }))
    },
    /** What is still to be listed. */
    ranges,
    /** Whether that is everything. */
    all: ranges.length === 1 && ranges[0].after === undefined && ranges[0].until === undefined,
    /** Names that are tried before all others. */
    failed,
    judge,
    /** These have been tried when the lists come to them. @type {Judge} */
    judgeListed: pair =>
      pair.source && failed.has(pair.name)
        ? { action: 'skip', why: 'tried before all others', counted: true }
        : judge(pair),
    /** One of them is not at the source any more. @param {string} name */
    gone(name) {
      if (!journal.state.prefix?.objects.has(name)) journal.note({ type: 'over', name })
    },
  }
}

/**
 * What may be a wrong copy of ours is copied again, however new it is.
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

module.exports = { readResumed }
