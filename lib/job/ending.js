'use strict'

/** Whether a job that ends early leaves something to resume. */

const { leavesNothing, objectsOf } = require('../journal')
const { XferError, asXferError } = require('../errors')
const { ABORT_LIMIT_MS, abortLeft } = require('../destination')

/** @typedef {import('../types').JobState} JobState */

/**
 * @param {import('../types').XferError} error
 * @param {JobState} state
 * @returns {boolean} false: a second run may continue the job
 */
function hasEnded(error, state) {
  if (state.options.recursive) return isOver(error, state)
  // A copy that has not found its source has nothing to resume.
  return Boolean(error.final) || state.object === undefined || !mayGoOn(error)
}

/** @param {JobState} state */
function nothingLeft(state) {
  return objectsOf(state).every(([, object]) => leavesNothing(object))
}

/** @param {JobState} state */
function nothingCopied(state) {
  return !state.prefix?.copied?.objects && objectsOf(state).every(([, { parts }]) => parts.size === 0)
}

/** Everything is copied, and nothing was deleted, for a reason that another run would meet again. */
const UNDELETED = new Set(['NOTHING_FOUND', 'LISTING_UNPROVED', 'TOO_MANY_DELETIONS'])

/** Whether a job over a prefix is finished or has done nothing, so that there is nothing to resume. @param {import('../types').XferError} error @param {JobState} state */
function isOver(error, { prefix, options }) {
  if (error.code === 'OBJECTS_FAILED') {
    // The next sync finds by itself what is copied, but would take an unproved object for copied by its time and size.
    const finds = options.recursive === 'sync' || !prefix?.copied?.objects
    return !error.facts.stopped && !prefix?.unsure.size && finds
  }
  if (UNDELETED.has(error.code)) return true
  return !mayGoOn(error) && !prefix?.copied?.objects && !prefix?.failed.size
}

/** A second run may not meet it again. */
const PASSING = new Set([
  ...['INTERRUPTED', 'HANDLER_FAILED', 'TIMED_OUT', 'PART_FAILED', 'OUTAGE', 'SOURCE_KEPT'],
  ...['CREDENTIALS_EXPIRED', 'BAD_CREDENTIALS'],
])

/** Whether a second run may help although nothing is copied yet. @param {import('../types').XferError} error */
function mayGoOn({ code, retryable, throttled }) {
  return retryable || throttled || PASSING.has(code)
}

/**
 * `--restart`: ends an unfinished job whose copy starts over, and aborts the uploads of its earlier runs.
 *
 * @param {import('../types').JobJournal} kept
 * @param {import('../types').Journal} journal
 * @param {{ destination: import('./contract').Side, emit: import('./contract').Run['emit'] }} job
 */
async function discard({ state, uploads }, journal, { destination, emit }) {
  const { store, key, text } = destination
  const { id } = state
  let signal = AbortSignal.timeout(ABORT_LIMIT_MS)
  try {
    for (const [name, object] of objectsOf(state)) {
      signal = AbortSignal.timeout(ABORT_LIMIT_MS)
      const own = { destination: { store, key: key + name, text: text + name }, run: { journal: { uploads }, emit } }
      await abortLeft(own, object, signal)
    }
    await journal.remove()
  } catch (cause) {
    await journal.close()
    if (!signal.aborted) throw asXferError(cause)
    const reason = `What the job ${id} had uploaded could not be aborted within ${ABORT_LIMIT_MS / 1000} s.`
    throw new XferError('UPLOAD_LEFT', { ...store.facts, reason, job: id }, { cause })
  }
}

module.exports = { hasEnded, nothingCopied, nothingLeft, discard }
