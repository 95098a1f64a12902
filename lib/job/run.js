'use strict'

/** Runs a job from its first event to its last, however it ends. */

const { asXferError } = require('../errors')
const { identityOf, publicNotice } = require('../notices')

/** Notices that are remembered, so that none is emitted twice. */
const MOST_TOLD = 1_000

/** @typedef {import('../types').AnyEvent} AnyEvent */
/** @typedef {import('../types').JobEvent} JobEvent */
/** @typedef {import('../types').Notice} Notice */
/** @typedef {import('./open').Job} Job */

/** The last one: many events come in one millisecond. */
let told = { ms: Number.NaN, text: '' }

/** @param {number} ms since the epoch @returns {string} ISO 8601 */
function textOf(ms) {
  if (ms !== told.ms) told = { ms, text: new Date(ms).toISOString() }
  return told.text
}

/**
 * @template {object} S
 * @param {{ onEvent?: (event: any) => void }} options
 * @param {(begin: (job: Job) => void, emit: (event: JobEvent) => void) => Promise<S>} work begin: call it with the job once it is open
 * @returns {Promise<S>}
 * @throws {import('../types').XferError} the same as in the event `error`
 */
async function perform(options, work) {
  const withoutRepetition = createRepetitionFilter()
  const emit = (/** @type {JobEvent} */ event) => {
    const news = withoutRepetition(event)
    // Its kind is checked by the work, whose refusal is an event.
    if (!news || typeof options?.onEvent !== 'function') return
    options.onEvent({ ...news, time: textOf(Date.now()) })
  }
  /** @type {Job | undefined} */
  let job
  try {
    const summary = await work(opened => {
      job = opened
    }, emit)
    // What the stores have to say of their lists and reads; one end may be a stream, or absent.
    for (const end of [job?.source, job?.destination]) {
      for (const notice of end?.store.notices?.() ?? []) emit(notice)
    }
    // A dry run does not end a job: its journal stays.
    await ('dryRun' in summary && summary.dryRun ? job?.run.journal.close() : job?.run.journal.over())
    emit(/** @type {any} */ ({ type: 'done', ...summary }))
    return summary
  } catch (cause) {
    const ended = asXferError(cause)
    const error = (await job?.run.journal.end(ended, job.settings)) ?? ended
    const { code, message, hint, exitCode, facts } = error
    emit({
      type: 'error',
      code,
      message,
      hint,
      exitCode,
      // Without an opened job it is what the user typed, or a job that another process runs.
      ...(job && facts.job && { job: facts.job }),
      ...(facts.objects && { objects: facts.objects }),
      ...(facts.pairs && { pairs: facts.pairs, methods: facts.methods }),
    })
    throw error
  } finally {
    await job?.close()
  }
}

/**
 * A job that falls back to another way, or repeats a step, may emit the same notices again.
 *
 * @returns {(event: JobEvent) => AnyEvent | undefined} the public event, without notices that were emitted before; undefined:
 *   nothing is left of it
 */
function createRepetitionFilter() {
  /** @type {Set<string>} */
  const told = new Set()
  /** @param {Notice} notice */
  function isNew(notice) {
    const identity = identityOf(notice)
    if (told.has(identity)) return false
    if (told.size < MOST_TOLD) told.add(identity)
    return true
  }
  return event => {
    if (event.type === 'notice') return isNew(event) ? publicNotice(event) : undefined
    if (event.type !== 'plan' || !event.notices) return /** @type {AnyEvent} */ (event)
    const notices = event.notices.filter(isNew)
    return {
      ...event,
      notices: notices.map(({ message }) => message),
      noticeCodes: notices.map(({ code }) => code),
    }
  }
}

module.exports = { perform }
