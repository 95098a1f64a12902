'use strict'

/** Objects that could not be copied: counts them, writes their names to a file, and makes the error that the job ends with. */

const { closeSync, openSync, writeSync } = require('node:fs')
const { XferError, abortReason } = require('../errors')
const { lineOf } = require('./select')
const { notice } = require('../notices')

/** @typedef {import('../types').XferError} XferError */

/** Errors that end the job: every other object would fail in the same way. */
const OF_ALL = new Set([
  ...['NO_SUCH_BUCKET', 'NO_CREDENTIALS', 'CREDENTIALS_REFUSED', 'CREDENTIALS_EXPIRED', 'BAD_CREDENTIALS'],
  ...[
    'NOT_A_STORE',
    'READ_BACK_REFUSED',
    'OUTAGE',
    'INTERRUPTED',
    'HANDLER_FAILED',
    'TIMED_OUT',
    'INTERNAL',
    'JOB_TAKEN',
  ],
])
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
    /** @param {string} name @param {XferError} error @param {import('./tally').Moved} moved */
    note(name, error, moved) {
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
      if (!dryRun && isHopeless(error) && !fatal) {
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

module.exports = { createFailures, isOfAll }
