'use strict'

/** `xfer copy`, `sync`, `mv` and `resume`: of one object (lib/copy/copy.js), or of what is below a prefix (lib/many). */

const { notice } = require('../notices')
const { asXferError, usage } = require('../errors')
const { leaveFiles, openJob, openState, openUnfinished, runJob } = require('../job')
const {
  OF_PLATFORM,
  OF_PREFIX_ON_RESUME,
  asPrefixOptions,
  checkArguments,
  checkScope,
  flagsOf,
  mergeOptions,
} = require('../options')
const { textToOpen } = require('../stores')
const { judgeOf, pricesFor, runCopyJob, withManifestOut } = require('./copy-job')

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').CopyOptions} CopyOptions */
/** @typedef {import('../types').PrefixOptions} PrefixOptions */
/** @typedef {import('../types').PrefixSummary} PrefixSummary */
/** @typedef {import('../types').Summary} Summary */

/**
 * Copies one object, or resumes the unfinished copy of the same source to the same destination.
 *
 * @param {string} source `s3://bucket/key`
 * @param {string} destination `s3://bucket/key`; without a key, or with one that ends in a slash, the source's name is added
 * @param {CopyOptions} [options]
 * @returns {Promise<Summary>} resolves once the copy is at the destination and proved; with a dry run, the summary of what would be done
 * @throws {import('../types').XferError} with `code`, `hint`, `exitCode` and `facts`; no object is visible at the destination
 *   then, and `facts.job` names the job if it can be resumed
 */
async function copy(source, destination, options = {}) {
  return await runCopyJob('copy', { source, destination }, options, {
    async work(job, given, how) {
      const { copyObject } = require('../copy')
      return await copyObject(job, { judge: judgeOf(source, given, job) }).catch(async error => {
        if (error.code !== 'NO_RANGES' || !job.source.store.stream) throw error
        return await copyAsStream(job, given, { ...how, reason: error.facts.reason })
      })
    },
  })
}

/**
 * The copy of an object whose store sends no ranges: it is read once, in order, by this machine.
 *
 * @param {Job} job of which nothing was copied; it is ended here
 * @param {CopyOptions} options
 * @param {import('../job/run').PerformOptions & { reason: string }} how reason: why it has no ranges, to follow `its server`
 * @returns {Promise<Summary>}
 * @throws {import('../types').XferError} as `upload`
 */
async function copyAsStream(job, options, { begin, emit, reason }) {
  const { source, destination, run, settings } = job
  if (run.manifestOut) {
    const text = `--manifest-out does not go with ${source.text}, which is read as a stream: ${reason}.`
    throw usage(text, 'Leave it out.')
  }
  // Loaded lazily, because most jobs need no stream.
  const { uploadStream } = require('../stream')
  try {
    const { body, bytes, sums, ...description } = await /** @type {any} */ (source.store).stream(source.key, {
      signal: run.cancel,
    })
    const notices = [notice('SOURCE_AS_STREAM', { location: source.text, reason })]
    // What is not to be compared is not compared with this either.
    const told = { bytes, ...(settings.proved && { sums }) }
    const from = { text: source.text, description, notices, told }
    if (!settings.dryRun) await run.journal.over()
    return await uploadStream(body, destination.text, forStream(options, settings), { begin, emit, from })
  } finally {
    await job.close()
  }
}

/**
 * The options of the copy, without those that a stream cannot have.
 *
 * @param {CopyOptions} options
 * @param {Job['settings']} settings
 * @returns {import('../types').UploadOptions}
 */
function forStream({ onFailure: _, route: __, chunk, ...options }, { usualChunk, matchChunk }) {
  return { ...options, ...(chunk !== undefined && !usualChunk && !matchChunk && { chunk }) }
}

/**
 * Copies the objects below a prefix, or resumes the unfinished copy of the same prefixes.
 *
 * @param {string} source `s3://bucket/prefix`; a slash is added where there is none
 * @param {string} destination as `source`
 * @param {PrefixOptions} [options]
 * @returns {Promise<PrefixSummary>} resolves once every chosen object is at the destination
 * @throws {import('../types').XferError} OBJECTS_FAILED if some are not; any error that ends a job
 */
async function copyPrefix(source, destination, options = {}) {
  // Loaded lazily, because most jobs are of one object.
  const { copyObjects, prepareOptions } = require('../many')
  const how = { prefixes: true, prepare: prepareOptions, work: copyObjects }
  return await runCopyJob('copyPrefix', { source, destination }, options, how)
}

/** `xfer mv`: a copy of one object or of a prefix (lib/copy, lib/many) that deletes each source once its copy is proved. */

/** @typedef {import('../types').MoveOptions} MoveOptions */

/**
 * @param {string} source `s3://bucket/key`; with `recursive` a prefix
 * @param {string} destination as of `copy`, or of `copyPrefix`
 * @param {MoveOptions} [options]
 * @returns {Promise<import('../types').Summary | import('../types').PrefixSummary>} once the sources are gone
 * @throws {XferError} as `copy` and `copyPrefix`; SOURCE_KEPT: the copy is proved, and the source was not deleted
 */
async function move(source, destination, options = {}) {
  // Loaded lazily, because most jobs are of one object.
  const prefix = options?.recursive ? require('../many') : undefined
  return await runCopyJob('move', { source, destination }, options, {
    prefixes: prefix !== undefined,
    async prepare({ recursive, ...given }) {
      checkProof(given)
      if (!recursive) checkScope('mv', given)
      for (const end of [source, destination]) checkEnd(end)
      const wish = { ...given, move: true }
      return prefix ? await prefix.prepareOptions(wish) : wish
    },
    work: async (job, wish) => await (prefix ? prefix.copyObjects(job, wish) : require('../copy').copyObject(job)),
  })
}

/** @param {MoveOptions} options @throws {XferError} USAGE */
function checkProof({ verify = 'auto' }) {
  if (verify === 'auto' || verify === 'full') return
  throw usage(
    `--verify ${verify} proves no copy, and xfer mv deletes a source only after its proof.`,
    'Leave it out, or copy with xfer copy and delete with xfer rm.',
  )
}

/** @param {string} end @throws {XferError} USAGE */
function checkEnd(end) {
  if (end !== '-' && !/^https?:\/\//i.test(end)) return
  const what = end === '-' ? 'Standard input or output' : 'An address of the web'
  throw usage(`${what} cannot be moved: nothing could be deleted there, or proved.`, 'Use xfer copy.')
}

/** `xfer resume`: goes on with an unfinished job of one object or of a prefix. */

/** @typedef {import('../types').ResumeOptions} ResumeOptions */

/**
 * @param {string} [name] the job's id, the first characters of the id, or the path of its journal; default: the only unfinished job
 * @param {ResumeOptions} [given] override the job's options
 * @returns {Promise<Summary | PrefixSummary>}
 * @throws {import('../types').XferError} as `copy` and `copyPrefix` do; NO_SUCH_JOB, JOB_RUNNING, BAD_JOURNAL
 */
async function resume(name, given = {}) {
  return await goOn(name, given)
}

/** @param {string | undefined} name @param {ResumeOptions} given @param {{ works?: boolean, runner?: import('../job/contract').RunsAs }} [by] works: it is a worker's, and others may go on with what it leaves; runner: the function that does */
async function goOn(name, given, { works, runner } = {}) {
  return await runJob(given, async (options, how) => {
    checkArguments('resume', { job: name }, options, { optional: true })
    const prices = await pricesFor(options)
    const { env = process.env, take } = options
    const { place, at, given: state, close } = await openState(options)
    const leaves = options.detach && !works
    /** @param {import('../types').JobState} state */
    const check = ({ source, destination, options: kept }) => {
      if (!leaves || options.dryRun) return
      require('./detach').checkLeft([source.text, destination.text], mergeOptions(kept, options), place)
    }
    const unfinished = openUnfinished({ env, place, given: state, take, works, leaves, check, runner, emit: how.emit })
    const journal = await unfinished.open(name, { dryRun: options.dryRun }).catch(async error => {
      await close()
      throw error
    })
    const { source, destination, options: kept } = journal.state
    const prefixes = kept.recursive !== undefined
    const open = async () => {
      const merged = await readOptions(journal, options, how.emit)
      // The function's own: a job would have its key sent elsewhere.
      if (runner) for (const name of OF_PLATFORM) delete (/** @type {any} */ (merged)[name])
      const from = textToOpen(source, 'source', merged.source)
      const to = textToOpen(destination, 'destination', merged.destination)
      const job = await openJob(from, to, merged, how.emit, {
        prefixes,
        ofJournal: true,
        async journal(opened) {
          checkEnds(opened, journal.state)
          return { ...(await withManifestOut({ ...journal, stateAt: at }, opened, merged)), close }
        },
      })
      return { job, merged }
    }
    const { job, merged } = await open().catch(async error => {
      // A worker that cannot run it is not to take it again and again.
      const { code, message } = asXferError(error)
      if (works) await journal.write({ type: 'ended', code, message }).catch(() => {})
      await journal.close()
      await close()
      throw error
    })
    how.begin(job, prices)
    if (leaves && !merged.dryRun) {
      const ends = { source: job.source.text, destination: job.destination.text }
      const left = await require('./detach').leave(job, merged, journal.state.split?.length ?? 1)
      return /** @type {any} */ ({ detached: { job: journal.state.id, ...ends, ...left } })
    }
    // Loaded lazily, because most jobs are of one object.
    if (prefixes) return await require('../many').copyObjects(job, merged)
    return await require('../copy').copyObject(job, { sameSource: true, judge: judgeOf(job.source.text, merged, job) })
  })
}

/** @param {Pick<Job, 'source' | 'destination'>} job @param {import('../types').JobState} begun @throws {XferError} USAGE */
function checkEnds(job, begun) {
  const elsewhere = /** @type {const} */ (['source', 'destination']).find(end => job[end].place !== begun[end].place)
  if (elsewhere === undefined) return
  const text = 'The job was started with other endpoints than those that are configured now.'
  const { terms, side } = job[elsewhere].store.facts
  throw usage(text, terms?.settingsAdvice ?? `Check the configuration of the ${side}.`)
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
  if (prefixes) await require('../many').checkResumed(state, merged)
  if (fromElsewhere) emit(fromElsewhere.notice)
  return merged
}

module.exports = { copy, copyPrefix, goOn, move, resume }
