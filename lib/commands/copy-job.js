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
 * @param {(job: Job, options: any, how: { begin: (job: Job) => void, emit: Job['run']['emit'] }) => Promise<S>} how.work
 * @returns {Promise<S>}
 */
async function runCopyJob(name, { source, destination }, given, { prefixes, prepare = wish => wish, work }) {
  return await withHandler('onEvent', given, async wish => {
    return await perform(wish, async (begin, emit) => {
      checkArguments(name, { source, destination }, wish)
      const options = await prepare(wish)
      const env = options.env ?? process.env
      const job = await openJob(source, destination, options, emit, {
        prefixes,
        journal: opened => openUnfinished({ env, emit }).begin(opened, optionsToKeep(opened, options)),
      })
      begin(job)
      return await work(job, options, { begin, emit })
    })
  })
}

module.exports = { runCopyJob }
