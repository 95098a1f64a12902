'use strict'

/** Unfinished jobs of the same prefixes that a command leaves alone, because they are of other options. */

const { differingOptions } = require('../options')
const { notice } = require('../notices')

/** @typedef {import('../types').JobState} JobState */
/** @typedef {import('../types').JobOptions} JobOptions */

/** Of several such jobs, how many are told: the newest. */
const MOST_TOLD = 3

/**
 * @param {JobState[]} jobs between the places of a command, newest first
 * @param {JobOptions} options of the command
 * @returns {{ own: JobState[], others: JobState[] }} own: what the command continues
 */
function splitJobs(jobs, options) {
  const isOwn = (/** @type {JobState} */ job) => differingOptions(job.options, options).length === 0
  return { own: jobs.filter(isOwn), others: jobs.filter(job => !isOwn(job)) }
}

/** Names that these jobs have written and not proved: by their times they would look copied. @param {JobState[]} others @returns {Set<string>} */
function namesInDoubt(others) {
  return new Set(others.flatMap(({ prefix }) => [...(prefix?.unsure ?? [])]))
}

/**
 * A command that proves less is about to write where these jobs prove what they copy: from now on they must not take an
 * object for theirs by its time. A job that runs at this moment is not marked.
 *
 * @param {JobState[]} others
 * @param {JobOptions} options of the command
 * @param {import('../types').Journals} journals
 */
async function markBeside(others, { verify }, journals) {
  if (proves(verify)) return
  for (const { id, options } of others) {
    if (!proves(options.verify)) continue
    const journal = await journals.open(id).catch(() => undefined)
    await journal?.write({ type: 'beside' }).catch(() => {})
    await journal?.close()
  }
}

/** @param {JobOptions['verify']} verify */
function proves(verify = 'auto') {
  return verify === 'auto' || verify === 'full'
}

/**
 * @param {JobState[]} others
 * @param {JobOptions} options of the command
 * @param {object} how
 * @param {(id: string) => Promise<unknown>} how.look rejects with JOB_RUNNING if a living process has the job
 * @param {import('./contract').Run['emit']} how.emit
 */
async function tellOthers(others, options, { look, emit }) {
  for (const { id, options: begun } of others.slice(0, MOST_TOLD)) {
    const facts = { job: id, options: differingOptions(begun, options).join(', ') }
    const running = await look(id).then(
      () => false,
      error => (error.code === 'JOB_RUNNING' ? true : undefined),
    )
    if (running !== undefined) emit(notice('OTHER_JOB', { ...facts, running }))
  }
}

module.exports = { markBeside, namesInDoubt, splitJobs, tellOthers }
