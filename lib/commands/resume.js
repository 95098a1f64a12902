'use strict'

/** Resumes an unfinished job of one object or of a prefix. */

const { leaveFiles, openJob, openUnfinished } = require('../job')
const { OF_PREFIX_ON_RESUME, asPrefixOptions, checkArguments, flagsOf, mergeOptions } = require('../options')
const { copyObject } = require('../object')
const { usage } = require('../errors')
const { textToOpen } = require('../stores')
const { judgeOf, pricesFor, runJob, withManifestOut } = require('./copy-job')

/** @typedef {import('../types').ResumeOptions} ResumeOptions */

/**
 * @param {string} [name] the job's id, the first characters of the id, or the path of its journal; default: the only unfinished job
 * @param {ResumeOptions} [given] override the job's options
 * @returns {Promise<import('../types').Summary | import('../types').PrefixSummary>}
 * @throws {import('../types').XferError} as `copy` and `copyPrefix` do; NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL
 */
async function resume(name, given = {}) {
  return await runJob(given, async (options, { begin, emit }) => {
    checkArguments('resume', { job: name }, options, { optional: true })
    const prices = await pricesFor(options)
    const unfinished = openUnfinished({ env: options.env ?? process.env, emit })
    const journal = await unfinished.open(name, { dryRun: options.dryRun })
    const { source, destination } = journal.state
    const { merged, prefixes, ...again } = await openAgain(journal, options, emit).catch(async error => {
      await journal.close()
      throw error
    })
    let { job } = again
    begin(job, prices)
    if (job.source.place !== source.place || job.destination.place !== destination.place) {
      throw usage(
        'The job was started with other endpoints than those that are configured now.',
        adviceFor((job.source.place === source.place ? job.destination : job.source).store),
      )
    }
    job = await withManifestOut(job, merged, { begin, emit })
    // Loaded lazily, because most jobs are of one object.
    if (prefixes) return await require('../prefix').copyObjects(job, merged)
    return await copyObject(job, { sameSource: true, judge: judgeOf(job.source.text, merged, job) })
  })
}

/**
 * @param {import('../types').JobJournal} journal
 * @param {ResumeOptions} given
 * @param {(event: import('../types').JobEvent) => void} emit
 */
async function openAgain(journal, given, emit) {
  const { merged, prefixes } = await readOptions(journal, given, emit)
  const { source, destination } = journal.state
  const from = textToOpen(source, 'source', merged.source)
  const to = textToOpen(destination, 'destination', merged.destination)
  return { job: await openJob(from, to, merged, emit, { prefixes, journal: async () => journal }), merged, prefixes }
}

/** What to do if the settings lead to another store than before. @param {import('../types').Store} store */
function adviceFor({ facts: { terms, side } }) {
  return terms?.settingsAdvice ?? `Check the configuration of the ${side}.`
}

/**
 * The options of the job, with those given now on top.
 *
 * @param {import('../types').JobJournal} journal
 * @param {ResumeOptions} given
 * @param {(event: import('../types').JobEvent) => void} emit
 * @throws {XferError} USAGE
 */
async function readOptions({ state, brought }, given, emit) {
  const prefixes = state.options.recursive !== undefined
  const stray = prefixes ? undefined : OF_PREFIX_ON_RESUME.find(name => /** @type {any} */ (given)[name] !== undefined)
  if (stray) {
    throw usage(
      `The job copies one object, and ${flagsOf({ [stray]: /** @type {any} */ (given)[stray] })} is an option for prefixes.`,
      'Leave it out.',
    )
  }
  const fromElsewhere = brought ? leaveFiles(state, given) : undefined
  const both = mergeOptions(fromElsewhere?.options ?? state.options, given)
  const merged = prefixes ? asPrefixOptions(both) : both
  for (const name of /** @type {const} */ (['filesFrom', 'filesFrom0'])) {
    if (merged[name] !== '-' || given[name] !== undefined) continue
    throw usage(
      'The job read its names from standard input, and the journal does not keep them.',
      `Give the same names again: xfer resume ${state.id} ${flagsOf({ [name]: 'FILE' })}, or - for standard input.`,
    )
  }
  if (prefixes) await require('../prefix').checkResumed(state, merged)
  if (fromElsewhere) emit(fromElsewhere.notice)
  return { merged, prefixes }
}

module.exports = { resume }
