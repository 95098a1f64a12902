'use strict'

/** What earlier runs of a job have done and a resumed run can skip, and the progress that is kept for the next one. */

const { compareNames } = require('../listing')
const { notice } = require('../notices')
const { sameDigest } = require('../integrity')
const { MARGIN_S, isSameTime, wholeSeconds } = require('../select')
const { maybeUnreadable } = require('./keys')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('./flow').Judge} Judge */

/**
 * @param {Job} job of a prefix, with its journal
 * @param {import('./selection').Selection['judge']} judgeSelected the judgement of a first run
 * @param {{ folds?: boolean, rows?: boolean }} [how] folds: the destination treats some names as one, so every name has to be listed again;
 *   rows: the ranges are of rows of a manifest
 */
function readResumed(
  { source, destination, settings, trust, run },
  judgeSelected,
  { folds = false, rows = false } = {},
) {
  const { journal, emit } = run
  const { prefix: earlier, damaged, createdMs } = journal.state
  const resumed = earlier?.ranges !== undefined
  const failed = new Set(folds || rows ? [] : earlier?.failed)
  /** Objects that may be wrong at the destination; their times would make them look copied. */
  const unsure = new Set([...(earlier?.unsure ?? []), ...(journal.doubted ?? [])])
  /** A damaged line of the journal may have held a range: then everything is listed again. */
  const kept = damaged === 0 && !folds ? earlier?.ranges : undefined
  const ranges = kept?.map((range, id) => (rows ? { ...range, id } : range)) ?? [{ id: 0 }]

  const done = (kept && earlier?.done) || { listed: 0, skipped: 0, filtered: 0 }

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
    // What is newer and of another size is somebody else's.
    const kept = verdict.why === 'exists' || (verdict.why === 'newer-there' && !isSameSize(pair))
    const doubtful = unproved && pair.source && isWrittenSince(pair, clocks) && !kept
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

/** @param {import('../types').NameRange} range @param {string} name */
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
 * @param {{ source?: import('../types').ListedObject, destination?: import('../types').ListedObject }} pair
 * @param {object} clocks
 * @param {number} clocks.beganMs start of the job by the destination's clock, epoch milliseconds
 * @param {number} [clocks.aheadMs] how far the destination's clock is ahead of the source's
 * @param {boolean} [clocks.taken] whether an object at the destination counts as proved: the store is known to check, or no proof is wanted
 * @param {boolean} [clocks.keepsTimes] the destination's objects have the times of their sources, and appear once they are proved
 */
function copiedEarlier({ source, destination }, { beganMs, aheadMs = 0, taken = true, keepsTimes = false }) {
  if (!source || !destination || !isSameSize({ source, destination })) return false
  if (destination.lastModifiedMs === undefined || source.lastModifiedMs === undefined) return false
  if (keepsTimes) return isSameTime(source.lastModifiedMs, destination.lastModifiedMs)
  const began = wholeSeconds(beganMs)
  const written = wholeSeconds(destination.lastModifiedMs)
  const modified = wholeSeconds(source.lastModifiedMs + aheadMs)
  if (taken && written > began + PRECISION_S && modified + MARGIN_S < written) return true
  return written >= began - SLACK_S && modified <= written && sameDigest(source.etag, destination.etag)
}

/** @param {{ source?: import('../types').ListedObject, destination?: import('../types').ListedObject }} pair */
const isSameSize = ({ source, destination }) => source?.bytes === destination?.bytes

/**
 * Whether the job may have written the object at the destination. Pure.
 *
 * @param {{ destination?: import('../types').ListedObject }} pair
 * @param {{ beganMs: number }} clocks as in `copiedEarlier`
 */
function isWrittenSince({ destination }, { beganMs }) {
  const written = destination?.lastModifiedMs
  return written !== undefined && wholeSeconds(written) >= wholeSeconds(beganMs) - SLACK_S
}

/**
 * The progress of each range of names while many objects are in flight. Everything up to a range's cursor is done, so a
 * resumed run starts there. Finished objects are not remembered one by one, even if an earlier one takes hours. Pure.
 *
 * @typedef {{ number: number, before: string | undefined, counts: Counts }} Entry number: by order of start;
 *   before: the last name before it; counts: of the names up to `before`
 * @typedef {object} Range
 * @property {string | undefined} until the last name of the range; undefined: to the end
 * @property {Pick<Entry, 'before' | 'counts'>} judged the names up to `before` were listed and judged; counts of those names
 * @property {Counts} counts of all names that were listed and judged
 * @property {Set<Entry>} begun in flight, in order
 * @property {Array<Entry & { until: string }>} again rows of a manifest that failed, with the rows before them from `before` on; counts: of these, less than zero
 * @property {Entry | undefined} left the first one that a resumed run has to process again
 * @property {boolean} ended all names of the range were listed and judged
 */

/**
 * How an object ended. false: a resumed run has to process it again, and all after it; again: it alone, one of the rows of a manifest.
 *
 * @typedef {boolean | 'again'} Done
 */

/** Objects of the source. @typedef {NonNullable<NonNullable<import('../types').JobState['prefix']>['done']>} Counts */

/** Rows that failed, each of which is kept by itself. */
const MOST_AGAIN = 10_000

const NONE = Object.freeze({ listed: 0, skipped: 0, filtered: 0 })

/**
 * @param {Array<{ id: number, after?: string, until?: string }>} ranges to start with
 * @param {Counts} [done] of the names outside of these ranges
 */
function createCursors(ranges, done = NONE) {
  /** @type {Map<number | undefined, Range>} unfinished ranges */
  const open = new Map()
  let began = 0
  /** Counts of finished ranges. */
  let over = { ...done }
  for (const range of ranges) add(range)

  /** @param {{ id: number, after?: string, until?: string }} range */
  function add({ id, after, until }) {
    open.set(id, {
      until,
      judged: { before: after, counts: NONE },
      counts: { ...NONE },
      begun: new Set(),
      again: [],
      left: undefined,
      ended: false,
    })
  }

  /** @param {number | undefined} id @param {Range} range */
  function closeEnded(id, { ended, begun, left, judged, again }) {
    if (!ended || begun.size > 0 || left || again.length > 0) return
    over = sum(over, judged.counts)
    open.delete(id)
  }

  return {
    /** Ends the range earlier: the names after `until` become a range of their own. @param {Pick<import('../types').SplitStep, 'range' | 'until' | 'into'>} step */
    split({ range: id, until, into }) {
      const range = open.get(id)
      if (range) range.until = until
      add(into)
    },

    /**
     * Starts an object; all names before it were listed and judged.
     *
     * @param {number | undefined} id undefined: of no range, here and below
     * @param {string} name greater than all earlier names of its range
     * @returns {(done?: Done) => void} call it once the object is finished
     */
    begin(id, name) {
      const range = open.get(id)
      if (!range) return () => {}
      const entry = { number: ++began, ...range.judged }
      range.begun.add(entry)
      const judged = { before: name, counts: { ...range.counts } }
      range.judged = judged
      return (done = true) => {
        if (!range.begun.delete(entry)) return
        if (done === 'again' && range.again.length < MOST_AGAIN) {
          range.again.push({ ...entry, until: name, counts: sum(entry.counts, judged.counts, -1) })
        } else if (done !== true && (!range.left || entry.number < range.left.number)) range.left = entry
        closeEnded(id, range)
      }
    },

    /**
     * Counts one more object of the source; call it before `begin`.
     *
     * @param {number | undefined} id
     * @param {'skipped' | 'filtered'} [as]
     */
    counted(id, as) {
      const range = open.get(id)
      if (!range) return
      range.counts.listed++
      if (as) range.counts[as]++
    },

    /** All names up to this one were listed and judged, and the chosen ones have started. @param {number | undefined} id @param {string} [through] */
    gave(id, through) {
      const range = open.get(id)
      if (range) range.judged = { before: through, counts: { ...range.counts } }
    },

    /** All names of the range were listed and judged. @param {number} id */
    end(id) {
      const range = /** @type {Range} */ (open.get(id))
      range.ended = true
      closeEnded(id, range)
    },

    /** What a resumed run has to list. @returns {Array<{ id: number, after?: string, until?: string }>} empty if all is done */
    ranges: () =>
      [...open].flatMap(([id, range]) =>
        [...againOf(range), ...restOf(range)].map(({ before, until }) => ({
          id: /** @type {number} */ (id),
          after: before,
          until,
        })),
      ),

    /** Counts of the names outside of these ranges. @returns {Counts} */
    done: () =>
      [...open.values()]
        .flatMap(range => [cursorOf(range), ...againOf(range)])
        .reduce((all, { counts }) => sum(all, counts), over),
  }
}

/** @param {Range} range @returns {Pick<Entry, 'before' | 'counts'>} before: the last name of which it and all names before it are done; undefined: none is */
function cursorOf({ begun, left, judged }) {
  const [first] = begun
  if (left && (!first || left.number < first.number)) return left
  return first ?? judged
}

/** Rows before the cursor that failed. @param {Range} range */
function againOf(range) {
  const { number = Number.POSITIVE_INFINITY } = /** @type {Partial<Entry>} */ (cursorOf(range))
  return range.again.filter(one => one.number < number)
}

/** What a resumed run has to list after the cursor: nothing if only rows that failed are left. @param {Range} range */
function restOf(range) {
  const { ended, begun, left, until } = range
  return ended && begun.size === 0 && !left ? [] : [{ before: cursorOf(range).before, until }]
}

/** @param {Counts} a @param {Counts} b @param {1 | -1} [sign] of `b` @returns {Counts} */
function sum(a, b, sign = 1) {
  return {
    listed: a.listed + sign * b.listed,
    skipped: a.skipped + sign * b.skipped,
    filtered: a.filtered + sign * b.filtered,
  }
}

module.exports = { copiedEarlier, isIn, readResumed, createCursors }
