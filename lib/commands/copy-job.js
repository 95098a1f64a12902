'use strict'

/** What every copy has: its options are checked, its job is begun or gone on with, and its events are told. */

const { withHandler } = require('../async')
const { openJob, openUnfinished, perform } = require('../job')
const { checkArguments, optionsToKeep } = require('../options')

/** @typedef {import('../job/open').Job} Job */

/**
 * @template {object} S
 * @param {'copy' | 'copyPrefix' | 'move'} name of the library's function
 * @param {{ source: string, destination: string }} ends
 * @param {any} given as the caller gave them
 * @param {object} how
 * @param {boolean} [how.prefixes] whether the ends are prefixes
 * @param {(given: any) => any} [how.prepare] further checks; resolves to the options of the job
 * @param {(job: Job, options: any, how: How) => Promise<S>} how.work
 * @returns {Promise<S>}
 */
async function runCopyJob(name, { source, destination }, given, { prefixes, prepare = wish => wish, work }) {
  return await runJob(given, async (wish, how) => {
    checkArguments(name, { source, destination }, wish)
    const options = await prepare(wish)
    const env = options.env ?? process.env
    const job = await openJob(source, destination, options, how.emit, {
      prefixes,
      journal: opened => openUnfinished({ env, emit: how.emit }).begin(opened, optionsToKeep(opened, options)),
    })
    how.begin(job)
    return await work(job, options, how)
  })
}

/** @typedef {{ begin: (job: any) => void, emit: Job['run']['emit'] }} How as of `perform` */

/**
 * Tells the events of a command from the first to the last.
 *
 * @template {object} O
 * @template {object} S
 * @param {O} given options of the caller
 * @param {(options: O, how: How) => Promise<S>} work gets the options with the handler that is to be called
 * @returns {Promise<S>}
 */
async function runJob(given, work) {
  return await withHandler('onEvent', given, options =>
    perform(options, (begin, emit) => work(options, { begin, emit })),
  )
}

/**
 * What compares the source with the SHA-256 that is expected of it, before anything is written.
 *
 * @param {string} source its location
 * @param {{ expectSha256?: string }} options
 * @param {Job} job
 */
function judgeOf(source, options, job) {
  return options.expectSha256 === undefined ? undefined : require('../stream').sha256Judge(source, options, job)
}

module.exports = { judgeOf, runCopyJob, runJob }
