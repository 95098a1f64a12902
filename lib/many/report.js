'use strict'

/**
 * Reports a job over a prefix: emits its plan and its other events, writes its progress to the journal, and tells which objects
 * have failed.
 */

const { closeSync, openSync, writeSync } = require('node:fs')
const { XferError, abortReason } = require('../errors')
const { endpointsOf } = require('../job')
const { identityOf, notice } = require('../notices')
const { tellEngine } = require('../copy')
const { reportProgress } = require('../progress')
const { walk } = require('../listing')
const { lineOf } = require('./select')
const { createTally } = require('./tally')

/** @typedef {import('../job/open').Job} Job */

/**
 * @param {Pick<Job, 'source' | 'destination' | 'engine' | 'settings' | 'run'>} job
 * @param {Pick<import('./selection').Selection, 'includesFirst'>} selection
 * @param {{ why: string, concurrency: number, limits?: import('../types').EngineLimits }} engineHow as for `tellEngine`
 * @param {Record<string, unknown> & { recursive: 'copy' | 'sync' | 'verify' }} more of the plan
 */
function announce({ source, destination, engine, settings, run }, selection, engineHow, { recursive, ...more }) {
  const notices = [
    // A store that copies objects itself is not asked for each object's attributes first: that costs a request each.
    ...(engine.runsOn === 'store' ? [notice('ATTRIBUTES_NOT_LOOKED_AT')] : []),
    ...(selection.includesFirst ? [notice('INCLUDE_ALONE')] : []),
  ]
  const places = { source: source.text, destination: destination.text, ...endpointsOf({ source, destination }) }
  const how = tellEngine(engine, { ...engineHow, settings })
  run.emit(/** @type {any} */ ({ type: 'plan', recursive, ...places, ...how, notices, ...more }))
}

/** The journal gets the progress at intervals of a tenth of the job's age: at least this, */
const KEEP_FIRST_MS = 500
/** and at most this. A resumed run looks again at what was done since the last one. */
const KEEP_EVERY_MS = 5_000

/**
 * @param {Job} job
 * @param {{ startMs: number }} work
 */
function watchPrefix(job, { startMs }) {
  const tally = createTally({ startMs })
  const report = reportProgress(job.run, tally.at)
  job.run.watchedBy(report.saw)

  return {
    ...report,
    tally,

    /**
     * Writes the ranges that are still to be done to the journal, first now and then at intervals.
     *
     * @param {import('../types').JobJournal} journal
     * @param {ReturnType<typeof import('./resumed').createCursors>} cursors
     * @returns {Promise<() => Promise<void>>} ends it
     */
    async keep(journal, cursors) {
      /** @type {NonNullable<NonNullable<import('../types').JobState['prefix']>['copied']>} */
      const before = journal.state.prefix?.copied ?? { objects: 0, bytes: 0 }
      let written = ''
      const write = async () => {
        const { counts, bytes } = tally
        const deleted = (before.deleted ?? 0) + counts.deleted
        const copied = {
          objects: before.objects + counts.copied,
          bytes: before.bytes + bytes.copied,
          // So that runs that only delete are known to have done something.
          ...(deleted > 0 && { deleted }),
        }
        const far = { ranges: cursors.ranges(), doneRanges: cursors.done(), copied }
        const text = JSON.stringify(far)
        if (text === written) return
        // What the journal forgets is in the manifest by then.
        if ((await job.run.manifestOut?.sync()) === false) return
        await journal.write({ type: 'ranges', ...far, keptMs: Date.now() })
        written = text
      }
      /** @type {NodeJS.Timeout | undefined} */
      let keeper
      let ended = !journal.kept
      const keepOn = () => {
        if (ended) return
        const waitMs = Math.min(KEEP_EVERY_MS, Math.max(KEEP_FIRST_MS, (Date.now() - startMs) / 10))
        // Where the store of the journal does not answer now it may the next time; who is taken over ends anyway.
        keeper = setTimeout(() => void write().then(keepOn, keepOn), waitMs)
      }
      await write()
      keepOn()
      return async () => {
        ended = true
        clearTimeout(keeper)
        await write()
      }
    },

    /**
     * @param {import('./selection').Selection} selection
     * @param {import('./select/filter').Rule[]} unmatched filters that matched no name
     * @returns {import('../types').PrefixSummary}
     */
    summary(selection, unmatched) {
      const { source, destination, settings } = job
      const { byStore, proofs: proof, pinnedByTime, uncompared } = tally.copies
      const itself = job.asksServer && (byStore > 0 || tally.counts.copied === 0)
      const bytes = settings.dryRun ? tally.bytes.chosen : tally.bytes.copied
      return {
        recursive: selection.mode,
        ...(settings.move && { move: /** @type {const} */ (true) }),
        source: source.text,
        destination: destination.text,
        engine: itself ? 'server' : job.engine.name,
        ...(job.asksServer && { byStore }),
        objects: tally.objects(),
        bytes,
        resumedBytes: tally.bytes.before,
        proof,
        ...(pinnedByTime > 0 && { pinnedByTime }),
        ...(uncompared > 0 && { uncompared }),
        ...(unmatched.length > 0 && { unmatched }),
        ...spentOf(report, startMs, settings.dryRun ? 0 : bytes - tally.bytes.before),
        ...(settings.dryRun && { dryRun: /** @type {const} */ (true) }),
      }
    },
  }
}

/** What a summary says of time and invocations. @param {Pick<ReturnType<typeof reportProgress>, 'counts'>} report @param {number} startMs @param {number} bytes that were moved */
function spentOf(report, startMs, bytes) {
  const { invocations, retried, throttled } = report.counts()
  const elapsedMs = Date.now() - startMs
  const bytesPerSecond = Math.round((bytes / Math.max(elapsedMs, 1)) * 1000)
  return { elapsedMs, bytesPerSecond, invocations, retried, throttled }
}

/**
 * Counts what is still to be listed, so that the progress knows how much there is. The listing of a copy goes no faster than
 * the copy; this one runs ahead of it, with one request after the other, and keeps nothing but two numbers.
 *
 * @param {Pick<import('../types').WalkOptions, 'source' | 'destination' | 'skips' | 'ranges'>} places
 * @param {(pair: import('../types').Pair) => number | undefined} sizeOf in bytes; undefined: it does not count
 * @param {{ through: boolean, objects: number, bytes: number }} found what was counted, to which it adds
 */
function createAhead(places, sizeOf, found) {
  const over = new AbortController()
  /** @type {Promise<void> | undefined} */
  let counting

  async function count() {
    for await (const step of walk({ ...places, lists: 1, signal: over.signal })) {
      if (step.type !== 'pairs') continue
      for (const pair of step.pairs) {
        const bytes = sizeOf(pair)
        if (bytes === undefined) continue
        found.objects++
        found.bytes += bytes
      }
    }
    found.through = true
  }

  return {
    /** Call it when the copy makes the listing wait. */
    start() {
      // A failure that matters is met by the listing itself.
      counting ??= over.signal.aborted ? undefined : count().catch(() => {})
    },

    /** Resolves once nothing is asked any more. */
    async end() {
      over.abort()
      await counting
    },
  }
}

/** @typedef {import('../types').Notice} Notice */

/** Limit for notices whose other facts differ from object to object. */
const MOST_TOLD = 1_000

/**
 * A notice that applies to many objects is emitted for the first one, and not a million times.
 *
 * @param {(event: Notice) => void} emit
 * @returns {(notice: Notice) => void} emits the notice unless the same was emitted for another object
 */
function createNotifyOnce(emit) {
  /** @type {Set<string>} */
  const told = new Set()
  return notice => {
    const identity = identityOf(notice, { anywhere: true })
    if (told.has(identity) || told.size === MOST_TOLD) return
    told.add(identity)
    emit(notice)
  }
}

/** Objects that could not be copied: counts them, writes their names to a file, and makes the error that the job ends with. */

/** @typedef {import('../types').XferError} XferError */

/** Errors that end the job: every other object would fail in the same way. */
const OF_ALL = new Set(
  `NO_SUCH_BUCKET NO_CREDENTIALS CREDENTIALS_REFUSED CREDENTIALS_EXPIRED BAD_CREDENTIALS NOT_A_STORE READ_BACK_REFUSED
  OUTAGE INTERRUPTED HANDLER_FAILED TIMED_OUT INTERNAL JOB_TAKEN`.split(/\s+/),
)
/** If this many first objects fail with the same code, and a retry does not help, the job ends: the others would fail too. */
const MOST_ALIKE = 100
/** Errors of one name, which say nothing about other objects. */
const OF_NAMES = new Set(['KEY_INVALID', 'KEY_UNREADABLE', 'NAMES_FOLDED', 'NO_NAME', 'ROW_OUTDATED'])
/** Exit status of the engine's errors. */
const ENGINE = 5

/** Whether it ends the job: every other object would fail in the same way. @param {XferError} error */
function isOfAll({ code, exitCode }) {
  return OF_ALL.has(code) || exitCode === ENGINE
}

/**
 * @param {object} how
 * @param {Pick<import('../job/open').Job, 'settings' | 'run'>} how.job once it is cancelled nothing more is to begin
 * @param {Pick<import('./selection').Selection, 'failures'>} how.selection
 * @param {ReturnType<typeof import('./tally').createTally>} how.tally
 * @param {() => XferError | undefined} how.failure the error that stopped the scheduler for all objects
 */
function createFailures({ job, selection: { failures: path }, tally, failure }) {
  const { dryRun, move } = job.settings
  /** Opened, and so emptied, when this job lists its first object or its first object fails. Until then the file has the names of an earlier job. @type {number | undefined} */
  let file
  let broken = false
  /** The error that ends the job. @type {XferError | undefined} */
  let fatal
  /** The code that all failures so far have in common; undefined: there are several codes, or other objects may succeed. @type {string | undefined} */
  let alike

  /** Whether the first objects have all failed in the same way. @param {XferError} error of the last one */
  function isHopeless({ code, retryable, throttled }) {
    const { failed } = tally.counts
    if (failed === 1) alike = code
    if (code !== alike || retryable || throttled || OF_NAMES.has(code)) alike = undefined
    return alike !== undefined && failed === MOST_ALIKE && !tally.hasDone()
  }

  /** @param {boolean} stopped */
  const summed = stopped =>
    new XferError('OBJECTS_FAILED', {
      objects: tally.objects(),
      ...(move && { verb: 'moved' }),
      failures: broken ? undefined : path,
      stopped,
      ...(stopped && { alike }),
      first: tally.told,
    })

  /** Why the job was stopped. The sum of failures is taken anew: objects in flight have finished since. */
  const reason = () => (fatal?.code === 'OBJECTS_FAILED' ? summed(true) : fatal)

  /** Written synchronously, so that the file is complete when the job ends; failures are few. @param {string} text */
  function write(text) {
    if (path === undefined || dryRun || broken) return
    try {
      file ??= openSync(path, 'w')
      writeSync(file, text)
    } catch (cause) {
      broken = true
      const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
      job.run.emit(notice('FAILURES_NOT_WRITTEN', { path, reason: code }))
    }
  }

  return {
    /** @param {string} name @param {XferError} error @param {import('./tally').Moved} moved @param {boolean} [last] all others are done: it stops none */
    note(name, error, moved, last = false) {
      // An object that was cancelled with the job has not failed.
      if (job.run.cancel?.aborted && error.code === abortReason(job.run.cancel).code) {
        fatal ??= error
        return false
      }
      const ended = failure() ?? (isOfAll(error) ? error : undefined)
      if (ended) {
        fatal ??= ended
        job.run.end(ended)
        return false
      }
      tally.failed({ name, code: error.code, message: error.message }, moved)
      write(lineOf(name))
      if (!dryRun && !last && isHopeless(error) && !fatal) {
        fatal = summed(true)
        job.run.end(fatal)
      }
      return true
    },

    /** @throws {XferError} if anything failed */
    check() {
      const error = reason()
      if (error) throw error
      if (tally.counts.failed > 0) throw summed(false)
    },

    reason,

    close() {
      if (tally.counts.listed > 0) write('')
      if (file !== undefined) closeSync(file)
    },
  }
}

module.exports = { announce, createAhead, createFailures, createNotifyOnce, isOfAll, spentOf, watchPrefix }
