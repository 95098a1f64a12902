'use strict'

/** Going on with what an earlier run left unfinished, be it of one object or of a prefix. */

const { copyOrAbort } = require('./copy')
const { XferError } = require('./errors')
const { openJob } = require('./job')
const { mergeOptions, optionsToKeep } = require('./job-options')
const { perform } = require('./perform')
const { checkOptionNames } = require('./settings/option-names')
const { chooseAgain, openUnfinished } = require('./unfinished')

/** @typedef {import('./types').CopyOptions} CopyOptions */

/**
 * @param {string} [name] the job's id, the beginning of it, or the path of its journal; the only unfinished job when absent
 * @param {CopyOptions} [options] what is to be otherwise than it was
 * @returns {Promise<import('./types').Summary | import('./types').PrefixSummary>}
 * @throws {import('./types').XferError} as `copy` and `copyPrefix` do; NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL
 */
async function resume(name, options = {}) {
  return await perform(options, async (begin, emit) => {
    checkOptionNames('resume', options)
    const unfinished = openUnfinished({ env: options.env ?? process.env, emit })
    const journal = await unfinished.open(name)
    const { source, destination, options: kept } = journal.state
    const merged = mergeOptions(kept, options)
    const prefixes = merged.recursive !== undefined
    if (merged.filesFrom === '-') {
      await journal.close()
      throw new XferError('USAGE', {
        text: 'The names of the job were read from standard input, and nobody kept them.',
        advice: 'Repeat the command with the same names on its standard input, and it goes on.',
      })
    }
    const job = await openJob(source.text, destination.text, merged, emit, { prefixes }).catch(async error => {
      await journal.close()
      throw error
    })
    job.journal = journal
    begin(job)
    if (job.source.place !== source.place || job.destination.place !== destination.place) {
      throw new XferError('USAGE', {
        text: 'The job was begun with other endpoints than those that are configured now.',
        advice: 'Look at AWS_* and the profiles, or name them with --source-endpoint-url and --dest-endpoint-url.',
      })
    }
    // Loaded here, for most jobs are of one object.
    if (prefixes) {
      await chooseAgain(journal, optionsToKeep(job, merged))
      return await require('./prefix').run(job, merged)
    }
    return await copyOrAbort(job, { sameSource: true })
  })
}

module.exports = { resume }
