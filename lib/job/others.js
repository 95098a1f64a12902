'use strict'

/**
 * What a command does with journals that are not its own: unfinished jobs of the same prefixes that it leaves alone, because
 * they are of other options; the owners of uploads; a journal from elsewhere.
 */

const { objectsOf } = require('../journal')
const { OF_OWN_JOURNAL, differingOptions, flagsOf, namersOf } = require('../options')
const { notice } = require('../notices')
const { XferError, usage } = require('../errors')
const { factoryOfText, idBelow } = require('../stores')
const { withRanges } = require('./shared')

/** @typedef {import('../types').JobState} JobState */
/** @typedef {import('../types').JobOptions} JobOptions */

/** Of several such jobs, how many are told: the newest. */
const MOST_TOLD = 3

/** Names that these jobs have written and not proved: by their times they would look copied. @param {JobState[]} others @returns {Set<string>} */
function namesInDoubt(others) {
  return new Set(others.flatMap(({ prefix }) => [...(prefix?.unsure ?? [])]))
}

/**
 * A command that proves less is about to write where these jobs prove what they copy: from now on they must not take an
 * object for theirs by its time. A job that runs at this moment is not marked.
 *
 * @param {JobState[]} others
 * @param {import('../types').Journals} journals
 */
async function markBeside(others, journals) {
  for (const { id, options } of others) {
    const { verify = 'auto' } = options
    if (verify !== 'auto' && verify !== 'full') continue
    const seen = await journals.see(id).catch(() => undefined)
    for (const one of seen ? withRanges(seen) : []) {
      const journal = await journals.open(one.id).catch(() => undefined)
      await journal?.write({ type: 'beside' }).catch(() => {})
      await journal?.close()
    }
  }
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

/** The job that `xfer resume` means if none is named. */

/** @typedef {import('../types').ListedJob} ListedJob */

/** Of several unfinished jobs, how many the error describes: the newest. */
const MOST_NAMED = 3

/**
 * @param {ListedJob[]} all newest first
 * @returns {string} the id of the only one that can be resumed
 * @throws {XferError} NO_SUCH_JOB, USAGE if there are several
 */
function onlyOne(all) {
  const jobs = all.flatMap(job => (job.problem !== undefined || job.running || job.over ? [] : [job]))
  if (jobs.length === 0) {
    const damaged = all.filter(({ problem }) => problem !== undefined).length
    const running = all.filter(job => job.problem === undefined && !job.over).length
    throw new XferError('NO_SUCH_JOB', damaged + running > 0 ? { damaged, running } : {})
  }
  if (jobs.length === 1) return jobs[0].id
  const more = jobs.length > MOST_NAMED ? ` and ${jobs.length - MOST_NAMED} more` : ''
  throw usage(
    `There are ${jobs.length} unfinished jobs: ${jobs.slice(0, MOST_NAMED).map(describe).join(', ')}${more}.`,
    'Name the one to go on with; xfer jobs lists them all.',
  )
}

/** @param {import('../types').JobState} job @returns {string} its id, its ends, and how far it is */
function describe({ id, source, destination, plan, parts, prefix }) {
  const ends = `${source.typed ?? source.text} to ${destination.typed ?? destination.text}`
  if (prefix) return `${id} (${ends}, ${prefix.copied?.objects ?? 0} objects copied)`
  return `${id} (${ends}, ${plan ? `${parts.size} of ${plan.parts} parts` : 'not planned yet'})`
}

/** @typedef {import('../types').StoredUpload} StoredUpload */

/** Tolerance: clocks differ, and an upload is created a little after the journal announces it. */
const CREATION_SLACK_MS = 15 * 60_000

/**
 * Finds the job that an upload belongs to.
 *
 * @param {ListedJob[]} jobs all that there are
 * @param {(key: string) => string} placeOf the place of a key where the uploads are
 * @returns {(upload: StoredUpload) => string | undefined} the job's id; undefined: it belongs to no job
 * @throws {XferError} BAD_JOURNAL if a journal cannot be read: any upload may belong to its job
 */
function ownersOf(jobs, placeOf) {
  /** @type {Map<string, string>} */
  const byUpload = new Map()
  /** Jobs that asked for an upload and have not recorded its id. @type {Map<string, { id: string, creatingMs: number }>} */
  const byPlace = new Map()
  for (const job of jobs.flatMap(withRanges)) {
    if (job.problem !== undefined && job.uploads === undefined) {
      const reason = 'it cannot be read, and may be of an upload that must be kept'
      throw new XferError('BAD_JOURNAL', { path: job.path, reason, advice: 'Check its permissions, or delete it.' })
    }
    for (const id of uploadsOf(job)) byUpload.set(id, job.id)
    if (job.problem !== undefined) continue
    const { place } = job.destination
    for (const [name, { creatingMs }] of objectsOf(job)) {
      // The place of a prefix ends with a star: see lib/job/open-one.js.
      const itsOwn = job.prefix ? idBelow(place, name) : place
      if (creatingMs !== undefined) byPlace.set(itsOwn, { id: job.id, creatingMs })
    }
  }
  return ({ key, id, initiatedMs }) => {
    const creating = byPlace.get(placeOf(key))
    const maybeItsOwn = creating && (initiatedMs === undefined || initiatedMs > creating.creatingMs - CREATION_SLACK_MS)
    return byUpload.get(id) ?? (maybeItsOwn ? creating.id : undefined)
  }
}

/** @param {ListedJob} job @returns {string[]} ids */
function uploadsOf(job) {
  if (job.problem !== undefined) return job.uploads ?? []
  return objectsOf(job).flatMap(([, { left, upload }]) => [...left, ...(upload ? [upload] : [])].map(({ id }) => id))
}

/** The ids of all uploads that the journals name. @param {ListedJob[]} jobs @returns {Set<string>} */
function idsOf(jobs) {
  return new Set(jobs.flatMap(withRanges).flatMap(uploadsOf))
}

/**
 * A journal from elsewhere is not trusted: one that was opened by a path outside the folder of journals, that another user
 * owns, or that others may write. It provides locations, parts, proofs and most options, but never a file of this machine, a
 * host that would get the platform's key, or deletions: the user has to give those again.
 */

/** @typedef {import('../types').ResumeOptions} ResumeOptions */

/**
 * @param {import('../types').JobState} state of the journal
 * @param {ResumeOptions} given again
 * @returns {{ options: JobOptions, notice: import('../types').Notice }} options: without those that are not trusted
 * @throws {XferError} USAGE if a side is a file, or if an option that is not trusted is needed and was not given again
 */
function leaveFiles(state, given) {
  const { options } = trustedOf(state)
  const { source, destination, options: kept } = state
  const { select, ...rest } = kept
  const missing = Object.entries({ ...rest, ...select }).filter(
    ([name]) => OF_OWN_JOURNAL.includes(name) && /** @type {any} */ (given)[name] === undefined,
  )
  const flags = flagsOf(Object.fromEntries(missing))
  const left = [flags, kept.move ? 'the deletion of what is moved' : ''].filter(Boolean).join(' and ')
  // Without it the job would copy other objects.
  if (namersOf(select).length > namersOf(given).length) {
    throw usage(
      `The job copies only what a file names, and a journal from elsewhere brings no files (${left}).`,
      'Look at what is in the file, and repeat what is meant of these options with xfer resume.',
    )
  }
  const ends = { source: placed(source, kept.source), destination: placed(destination, kept.destination) }
  return { options, notice: notice('JOURNAL_FROM_ELSEWHERE', { ...ends, left }) }
}

/**
 * @template {Pick<JobState, 'source' | 'destination' | 'options'>} S
 * @param {S} state of a journal from elsewhere
 * @returns {S} with those options that are trusted
 * @throws {XferError} USAGE if one end is a file
 */
function trustedOf(state) {
  const { select, ...rest } = state.options
  const texts = [state.source, state.destination].flatMap(({ text, typed }) => [text, typed ?? text])
  const file = texts.find(text => factoryOfText(text)?.paths)
  if (file !== undefined) {
    throw usage(
      `A journal from elsewhere may name no file of this machine, and this one names ${file}.`,
      'Give both places on the command line: repeat the command that began the job.',
    )
  }
  const kept = select && { select: without(select, OF_OWN_JOURNAL) }
  return { ...state, options: { ...without(rest, OF_OWN_JOURNAL), ...kept } }
}

/** @param {import('../types').JobEnd} end @param {import('../types').SideOptions} [side] */
function placed({ text, typed = text }, side) {
  return side?.endpointUrl === undefined ? typed : `${typed} at ${side.endpointUrl}`
}

/** @template {object} T @param {T} options @param {readonly string[]} names @returns {T} */
function without(options, names) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))))
}

module.exports = { idsOf, leaveFiles, markBeside, namesInDoubt, onlyOne, ownersOf, tellOthers, trustedOf }
