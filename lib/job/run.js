'use strict'

/** A job from its first event to its last, however it ends. */

const { asXferError } = require('../errors')
const { closeJob } = require('./open')

/** Sentences that are remembered, so that none is told twice. */
const MOST_TOLD = 1_000

/** @typedef {import('../types').CopyOptions} CopyOptions */
/** @typedef {import('../types').AnyEvent} AnyEvent */
/** @typedef {import('./open').Job} Job */

/**
 * @template {{ dryRun?: true }} S
 * @param {Pick<CopyOptions, 'onEvent'>} options
 * @param {(begin: (job: Job) => void, emit: (event: AnyEvent) => void) => Promise<S>} work begin: told of the job once there is one
 * @returns {Promise<S>}
 * @throws {import('../types').XferError} as told by the event `error`
 */
async function perform(options, work) {
  const withoutRepetition = createTold()
  const emit = (/** @type {AnyEvent} */ event) => {
    const news = withoutRepetition(event)
    if (news) options.onEvent?.({ ...news, time: new Date().toISOString() })
  }
  /** @type {Job | undefined} */
  let job
  try {
    const begin = (/** @type {Job} */ opened) => {
      job = opened
    }
    const summary = await work(begin, emit)
    // A dry run has done nothing that would end a job.
    await (summary.dryRun ? job?.journal.close() : job?.journal.over())
    emit(/** @type {any} */ ({ type: 'done', ...summary }))
    return summary
  } catch (cause) {
    const ended = asXferError(cause)
    const error = (await job?.journal.end(ended, job.settings)) ?? ended
    const { code, message, hint, exitCode, facts } = error
    emit({
      type: 'error',
      code,
      message,
      hint,
      exitCode,
      ...(facts.job && { job: facts.job }),
      ...(facts.objects && { objects: facts.objects }),
    })
    throw error
  } finally {
    if (job) await closeJob(job)
  }
}

/**
 * A job may take a second way, or a step again, and find the same things there.
 *
 * @returns {(event: AnyEvent) => AnyEvent | undefined} the event without notices that were told before; undefined where
 *   nothing is left of it
 */
function createTold() {
  /** @type {Set<string>} */
  const told = new Set()
  /** @param {string} notice */
  function isNew(notice) {
    if (told.has(notice)) return false
    if (told.size < MOST_TOLD) told.add(notice)
    return true
  }
  return event => {
    if (event.type === 'notice') return isNew(event.message) ? event : undefined
    return event.type === 'plan' ? { ...event, notices: event.notices.filter(isNew) } : event
  }
}

module.exports = { perform }
