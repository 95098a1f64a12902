'use strict'

/**
 * What earlier runs of a job have done, and the progress that is kept for the next one. A resumed run lists everything again: first
 * the names that no run has done, then the rest. For an object that the journal knows as done the copy, its HEAD and its proof are
 * saved; whether it is still at the destination is looked at again.
 */

const { compareNames } = require('../listing')
const { notice } = require('../notices')
const { sameDigest, sameEtag } = require('../integrity')
const { MARGIN_S, isSameTime, wholeSeconds } = require('./select')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('./flow').Judge} Judge */

/**
 * @param {Job} job of a prefix, with its journal
 * @param {import('./selection').Selection['judge']} judgeSelected the judgement of a first run
 * @param {{ compares: boolean, folds: boolean }} how compares: the destination is looked at as well; folds: it treats some names as one, so
 *   the ranges that earlier runs have done are processed again
 */
function readResumed({ source, destination, settings, trust, run }, judgeSelected, { compares, folds }) {
  const { journal, emit } = run
  const { prefix: earlier, damaged, createdMs, within } = journal.state
  const resumed = earlier?.ranges !== undefined
  /** Objects that may be wrong at the destination; their times would make them look copied. */
  const unsure = new Set([...(earlier?.unsure ?? []), ...(journal.doubted ?? [])])
  /** Objects that failed although the rest of their range is done. */
  const failed = new Set(earlier?.failed)
  // A damaged line may have held a range.
  const ranges =
    damaged === 0 && !folds && earlier?.ranges ? rangesOf(earlier, within) : { open: [{ id: 0, ...within }], done: [] }

  /** When the name was known to be done. @param {string} place its name, or the place of its row */
  const doneMsOf = place => ranges.done.find(range => isIn(range, place))?.doneMs

  /** @type {Judge} */
  function judge(pair) {
    const [there, here, from] = [destination.store.now(), Date.now(), source.store.now()]
    const aheadMs = there - from
    const verdict = judgeSelected(pair, { aheadMs, nowMs: there })
    // Filters come first: the job never copies what they exclude, whatever the destination's times are.
    if (verdict.filtered) return verdict
    const isUnsure = unsure.has(pair.name)
    // A source that is still there was not moved, whatever the times say.
    if (!resumed || settings.move || !pair.source) return isUnsure ? sureOf(verdict) : verdict
    const place = /** @type {import('./named').NamedPair} */ (pair).at ?? pair.name
    const doneMs = failed.has(pair.name) ? undefined : doneMsOf(place)
    const atDestination = (/** @type {number} */ ms) => ms + (there - here)
    // Neither times nor ETags show that an object was read back.
    const readsBack = settings.verify === 'full'
    const { keepsTimes } = destination.store.can
    const clocks = { beganMs: atDestination(createdMs), aheadMs, keepsTimes }
    if (isUnsure) {
      // The function may have written it after nobody waited for it any more. Equal digests prove it.
      const proved = !readsBack && copiedEarlier(pair, { ...clocks, keepsTimes: false, taken: false })
      return proved ? EARLIER : sureOf(verdict)
    }
    if (doneMs !== undefined && !earlier?.beside) {
      const done = { ...clocks, doneMs: atDestination(doneMs) }
      if (compares ? copiedEarlier(pair, done) : isUnchangedSince(pair.source, done)) return EARLIER
    }
    if (isSameCopy(pair, earlier?.copies?.get(pair.name))) return EARLIER
    const taken = !settings.proved || (trust.put() && !readsBack && !earlier?.beside)
    // An object that is still to be proved is copied as a large one, whose journal shows that its upload is completed.
    const unread = journal.state.prefix?.objects.has(pair.name)
    const copied = !unread && !readsBack && copiedEarlier(pair, { ...clocks, taken })
    if (copied) return EARLIER
    // The earlier run may have been killed after it wrote the object and before it proved it.
    const unproved = unread || !taken
    // What is newer and of another size is somebody else's.
    const kept = verdict.why === 'exists' || (verdict.why === 'newer-there' && !isSameSize(pair))
    return unproved && isWrittenSince(pair, clocks) && !kept ? sureOf(verdict) : verdict
  }

  const { objects = 0 } = earlier?.copied ?? {}
  if (resumed && objects > 0) emit(notice('JOB_RESUMED', { job: journal.state.id, objects, dryRun: settings.dryRun }))
  return {
    resumed,
    ranges,
    /** Whether an earlier run has dealt with the name. @param {string} name */
    isDone: name => doneMsOf(name) !== undefined,
    /** When it was known to be done, by the destination's clock. @param {string} name */
    doneMsThere(name) {
      const doneMs = doneMsOf(name)
      return doneMs === undefined ? undefined : doneMs + destination.store.now() - Date.now()
    },
    judge,
  }
}

/** @type {import('../types').Verdict} */
const EARLIER = Object.freeze({ action: 'skip', why: 'copied by an earlier run', earlier: true })

/** @typedef {import('../types').DoneRange} DoneRange */

/** The identifiers of ranges that are looked at again are above those of all others. */
const FIRST_DONE = 1_000_000

/**
 * What no run has done, and everything else, whose names are looked at again. Pure.
 *
 * @param {NonNullable<import('../types').JobState['prefix']>} earlier
 * @param {import('../types').JobState['within']} [within] all that the job is about
 * @returns {{ open: Array<import('../types').NameRange & { id: number }>, done: Array<DoneRange & { id: number }> }}
 */
function rangesOf(
  { ranges = [], doneRanges: done = [], keptMs = Number.POSITIVE_INFINITY },
  { after: start, until: end } = {},
) {
  const byStart = (/** @type {{ after?: string }} */ one, /** @type {{ after?: string }} */ other) =>
    one.after === undefined ? -1 : other.after === undefined ? 1 : compareNames(one.after, other.after)
  /** @type {DoneRange[]} */
  const found = [...done]
  /** Everything up to this name is in one of them; undefined: nothing yet. */
  let through = start
  let isAll = false
  for (const { after, until } of [...ranges, ...done].sort(byStart)) {
    const isGap = after !== undefined && (through === undefined || compareNames(through, after) < 0)
    if (isGap && !isAll) found.push({ after: through, until: after, doneMs: keptMs })
    isAll ||= until === end
    through = until
  }
  if (!isAll) found.push({ after: through, until: end, doneMs: keptMs })
  return {
    open: ranges.map((range, id) => ({ ...range, id })),
    done: found.sort(byStart).map((range, i) => ({ ...range, id: FIRST_DONE + i })),
  }
}

/**
 * An object that may be a wrong copy of ours is copied again, even if it is newer than the source.
 *
 * @param {import('../types').Verdict} verdict
 * @returns {import('../types').Verdict}
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

/** When it was written: a file has the time of its source beside it. @param {import('../types').ListedObject} object */
const writtenMs = ({ changedMs, lastModifiedMs }) => changedMs ?? lastModifiedMs

/**
 * Whether an earlier run of the job has copied an object: the destination's object has the same size and was written after the job
 * started, and the source was not modified since. The journal does not name the finished objects, so only the times show it. The
 * digests must also be equal if the times are too close, because the source may have been replaced after it was read
 * (lib/many/select/decide.js), and if the destination is not known to check what it receives, because the earlier run may have been
 * killed before it proved the object. Pure.
 *
 * @param {{ source?: import('../types').ListedObject, destination?: import('../types').ListedObject }} pair
 * @param {object} clocks
 * @param {number} clocks.beganMs start of the job by the destination's clock, epoch milliseconds
 * @param {number} [clocks.doneMs] by the same clock: the name was done by then, so an object that was written later is not the job's
 * @param {number} [clocks.aheadMs] how far the destination's clock is ahead of the source's
 * @param {boolean} [clocks.taken] whether an object at the destination counts as proved: the store is known to check, or no proof is wanted
 * @param {boolean} [clocks.keepsTimes] the destination's objects have the times of their sources, and appear once they are proved
 */
function copiedEarlier({ source, destination }, { beganMs, doneMs, aheadMs = 0, taken = true, keepsTimes = false }) {
  if (!source || !destination || source.bytes !== destination.bytes) return false
  if (destination.lastModifiedMs === undefined) return false
  const began = wholeSeconds(beganMs)
  const written = wholeSeconds(writtenMs(destination) ?? 0)
  const isOurs = written >= began - SLACK_S && (doneMs === undefined || written <= wholeSeconds(doneMs) + SLACK_S)
  // The row of a manifest names the version.
  const isPinned = doneMs !== undefined && source.pinned === true && source.etag !== ''
  if (source.lastModifiedMs === undefined) return isPinned && !keepsTimes && isOurs
  // One clock tells both times of a file, and a file of another program may have any time of its source.
  if (keepsTimes) {
    const since = (destination.changedMs ?? 0) >= beganMs
    return since && isOurs && isSameTime(source.lastModifiedMs, destination.lastModifiedMs)
  }
  if (isPinned) return isOurs
  if (!isOurs) return false
  const modified = wholeSeconds(source.lastModifiedMs + aheadMs)
  if (taken && written > began + PRECISION_S && modified + MARGIN_S < written) return true
  return modified <= written && sameDigest(source.etag, destination.etag)
}

/**
 * The same, where the destination may not be looked at: the source was not modified since the name was done. Pure.
 *
 * @param {import('../types').ListedObject} source
 * @param {{ doneMs: number, aheadMs: number }} clocks
 */
function isUnchangedSince({ lastModifiedMs, pinned, etag }, { doneMs, aheadMs }) {
  if (pinned && etag !== '') return true
  return lastModifiedMs !== undefined && wholeSeconds(lastModifiedMs + aheadMs) + MARGIN_S < wholeSeconds(doneMs)
}

/**
 * Whether both objects are those of a copy that the journal has by its ETags. Pure.
 *
 * @param {{ source?: import('../types').ListedObject, destination?: import('../types').ListedObject }} pair
 * @param {import('../types').KnownCopy} [copy]
 */
function isSameCopy({ source, destination }, copy) {
  if (!source || !destination || !copy || source.bytes !== destination.bytes) return false
  return copy.from !== '' && sameEtag(source.etag, copy.from) && sameEtag(destination.etag, copy.etag)
}

/**
 * Whether the job may have written the object at the destination. Pure.
 *
 * @param {{ destination?: import('../types').ListedObject }} pair
 * @param {{ beganMs: number }} clocks as in `copiedEarlier`
 */
function isWrittenSince({ destination }, { beganMs }) {
  const written = destination && writtenMs(destination)
  return written !== undefined && wholeSeconds(written) >= wholeSeconds(beganMs) - SLACK_S
}

/**
 * The progress of each range of names while many objects are in flight. Everything up to a range's cursor is done, so a
 * resumed run starts there. Finished objects are not remembered one by one, even if an earlier one takes hours. In a range that
 * an earlier run had done, everything counts as done except what is in flight. Pure.
 *
 * @typedef {{ number: number, before: string | undefined }} BegunEntry number: by order of start; before: the last name before it
 * @typedef {object} CursorRange
 * @property {string | undefined} after the names begin after this one
 * @property {string | undefined} until the last name of the range; undefined: to the end
 * @property {number} [doneMs] an earlier run had done it by then
 * @property {string | undefined} judged the names up to this one were listed and judged
 * @property {Set<BegunEntry>} begun in flight, in order
 * @property {BegunEntry | undefined} left the first one that a resumed run has to process again
 * @property {boolean} ended all names of the range were listed and judged
 */

/** How an object ended. false: a resumed run has to process it again, and all after it. @typedef {boolean} DoneOrLeft */

/** @param {Array<import('../types').NameRange & { id: number, doneMs?: number }>} ranges to start with */
function createCursors(ranges) {
  /** @type {Map<number | undefined, CursorRange>} unfinished ranges */
  const open = new Map()
  let began = 0
  for (const range of ranges) add(range)

  /** @param {import('../types').NameRange & { id: number, doneMs?: number }} range */
  function add({ id, after, until, doneMs }) {
    open.set(id, { after, until, doneMs, judged: after, begun: new Set(), left: undefined, ended: false })
  }

  return {
    /** Ends the range earlier: the names after `until` become a range of their own. @param {Pick<import('../types').SplitStep, 'range' | 'until' | 'into'>} step */
    split({ range: id, until, into }) {
      const range = open.get(id)
      if (range) range.until = until
      add({ ...into, doneMs: range?.doneMs })
    },

    /**
     * Starts an object; all names before it were listed and judged.
     *
     * @param {number | undefined} id undefined: of no range, here and below
     * @param {string} name greater than all earlier names of its range
     * @returns {(done?: DoneOrLeft) => void} call it once the object is finished
     */
    begin(id, name) {
      const range = open.get(id)
      if (!range) return () => {}
      const entry = { number: ++began, before: range.judged }
      range.begun.add(entry)
      range.judged = name
      return (done = true) => {
        if (!range.begun.delete(entry)) return
        if (!done && (!range.left || entry.number < range.left.number)) range.left = entry
        if (range.ended && range.begun.size === 0 && !range.left) open.delete(id)
      }
    },

    /** All names up to this one were listed and judged, and the chosen ones have started. @param {number | undefined} id @param {string} [through] */
    gave(id, through) {
      const range = open.get(id)
      if (range) range.judged = through
    },

    /** All names of the range were listed and judged. @param {number} id */
    end(id) {
      const range = /** @type {CursorRange} */ (open.get(id))
      range.ended = true
      if (range.begun.size === 0 && !range.left) open.delete(id)
    },

    /** What no run has done. @returns {Array<import('../types').NameRange & { id: number }>} empty if all is done */
    ranges: () =>
      [...open].flatMap(([id, range]) => {
        const { before, isOpen } = cursorOf(range)
        const until = range.doneMs === undefined ? range.until : range.judged
        return isOpen || (range.doneMs === undefined && !range.ended)
          ? [{ id: /** @type {number} */ (id), after: before, until }]
          : []
      }),

    /** What an earlier run had done, and this one has not looked at. @returns {DoneRange[]} */
    done: () =>
      [...open.values()].flatMap(({ doneMs, judged, until, ended }) =>
        doneMs === undefined || ended || (until !== undefined && judged === until)
          ? []
          : [{ after: judged, until, doneMs }],
      ),
  }
}

/** @param {CursorRange} range @returns {{ before: string | undefined, isOpen: boolean }} before: the last name of which it and all names before it are done */
function cursorOf({ begun, left, judged }) {
  const [first] = begun
  if (left && (!first || left.number < first.number)) return { before: left.before, isOpen: true }
  return first ? { before: first.before, isOpen: true } : { before: judged, isOpen: false }
}

/** @param {{ source?: import('../types').ListedObject, destination?: import('../types').ListedObject }} pair */
const isSameSize = ({ source, destination }) => source?.bytes === destination?.bytes

module.exports = { copiedEarlier, createCursors, isIn, rangesOf, readResumed }
