'use strict'

/** The journal of a copy: that of the unfinished job, a new one, or none. */

const { isDeepStrictEqual } = require('node:util')
const { XferError, asXferError, usage, withJob } = require('../errors')
const { differingOptions, givesSameAttributes } = require('../options')
const { VERSION, ignoreGone, leavesNothing, objectsOf, openJournals } = require('../journal')
const { joinTold, notice } = require('../notices')
const { ABORT_LIMIT_MS, abortLeft } = require('../destination')
const { idsOf, markBeside, namesInDoubt, onlyOne, tellOthers } = require('./others')
const { NO_JOURNAL, inMemory, lookingOnly } = require('./run')
const { beginRun, countRun, join, split } = require('./shared')

/** @typedef {import('./open').Job} Job */
/** @typedef {import('../types').Journal} Journal */
/** @typedef {import('../types').JobState} JobState */
/** @typedef {import('../types').JobOptions} JobOptions */
/** @typedef {Pick<Job, 'source' | 'destination' | 'settings'>} Opening */

/** A worker that ends leaves its job to the next one. */
const LEFT_TO_OTHERS = new Set(['INTERRUPTED', 'TIMED_OUT'])
/** @type {import('../types').ToldByJob} */
const NOTHING_TOLD = { notices: [], failures: [] }
/** How often a job of the same source and destination may vanish before it is opened. */
const MOST_TRIES = 10

/**
 * Opens the journals of unfinished jobs, and creates that of a new job.
 *
 * @param {{ env: NodeJS.ProcessEnv, place?: import('../types').JournalPlace, given?: string, take?: boolean, works?: boolean, leaves?: boolean, check?: (state: JobState) => void, runner?: import('./contract').RunsAs, emit: import('./contract').Run['emit'] }} where place,
 *   given: as of `openState`; take: who has the job is known to be dead; works: another worker may go on with what this one leaves; leaves: this call leaves all to workers; check: what it throws leaves the job as it is; runner: the function that this is
 */
function openUnfinished({ env, place, given, take, works = false, leaves, check, runner, emit }) {
  /** @param {unknown} error */
  const onTrouble = error => {
    const { code, facts } = asXferError(error)
    // Who has taken the job over goes on with it.
    if (code === 'JOB_TAKEN') return
    const { path, reason } = facts
    emit(notice('JOURNAL_NOT_USED', { path, reason }))
  }
  const journals = openJournals({ env, place, onTrouble })

  /** @param {Journal} journal @param {boolean} [goesOn] an earlier process began the job @returns {import('../types').JobJournal} */
  function keep(journal, goesOn = true) {
    const { state, brought, note, close } = journal
    // What `xfer resume` takes.
    const name = journal.path.startsWith(journals.folder) ? state.id : journal.path
    let removed = false
    /** A run ends: what it has used is counted, and a state keeps what it has told. @param {import('../types').RunEnd} end */
    function conclude({ usage, told }) {
      if (runner) countRun(state, runner, note, usage)
      if (!journal.fences || !told) return
      // What was copied since failed no more; deletions that were refused are refused again.
      const { notices = [], failures = [] } = state.told ?? {}
      const before = { notices, failures: failures.filter(({ name }) => state.prefix?.failed.has(name)) }
      const all = joinTold([before, told])
      if (!isDeepStrictEqual(all, state.told ?? NOTHING_TOLD)) note({ type: 'told', ...all })
    }
    // onTrouble reports failed writes, and the copy continues.
    const write = (/** @type {import('../types').JournalFact} */ fact) => journal.write(fact).catch(unlessFenced)
    /** In a store, what is not written may be because another process has the job. @param {import('../types').XferError} error */
    function unlessFenced(error) {
      if (journal.fences) throw error
    }
    return {
      kept: true,
      fence: journal.fence,
      bucket: place?.bucket,
      takenOver: () => journal.takenOver(),
      watchTaken: journal.watchTaken,
      watchStop: journal.watchStop,
      goesOn,
      state,
      brought,
      write,
      note,
      close,
      /**
       * Leaves it to workers in ranges of names. Absent: only a store remembers which of them are done.
       *
       * @param {NonNullable<JobState['split']>} ranges
       */
      split: journal.fences && (ranges => split(journals, journal, ranges)),
      /** The ids of the uploads of all jobs. */
      uploads: async () => [...idsOf(await journals.list())],
      /** @param {{ proof?: any } & import('../types').RunEnd} [done] */
      async over({ proof, ...end } = {}) {
        removed = true
        conclude(end)
        if (proof) note({ type: 'proved', proof: Array.isArray(proof) ? proof : Object.keys(proof) })
        await journal.remove().catch(onTrouble)
      },
      async end(error, { onFailure }, end = {}) {
        if (removed) return error
        // Whatever has failed: another process may have gone on meanwhile.
        const taken = await journal.takenOver()
        if (taken) {
          await close()
          return taken
        }
        conclude(end)
        const stop = works && stopOf(error)
        // One that waited goes on waiting if it could not be left once more.
        const waits = stop ? !stop.facts?.asked : leaves && state.waiting
        // Of a range only the end of all of it counts.
        const useless =
          !waits && !state.within && !(leaves && state.split) && (onFailure === 'abort' || hasEnded(error, state))
        if (useless && nothingLeft(state)) {
          await journal.remove(error).catch(onTrouble)
          return error
        }
        // In one step: who looks in between would take it for stopped.
        const { code, message } = error
        await write(waits ? { type: 'waiting' } : { type: 'ended', code, message }).catch(() => {})
        await close()
        return withJob(error, name, {
          nothing: nothingCopied(state),
          unproved: state.prefix?.unsure.size,
          state: given,
        })
      },
    }
  }

  /** Of jobs that others may run, one that cannot be read may be running. @param {unknown} error @returns {JobState[]} */
  function ignoreUnlessShared(error) {
    if (place?.fences) throw error
    return []
  }

  /**
   * The unfinished jobs between the same places, newest first.
   *
   * @param {Opening} job
   * @param {JobOptions} options of the command
   * @returns {Promise<{ own: JobState[], others: JobState[] }>} own: what the command continues
   */
  async function findBoth(job, options) {
    const found = await journals.find(job).catch(ignoreUnlessShared)
    const isOwn = (/** @type {JobState} */ state) => differingOptions(state.options, options).length === 0
    return { own: found.filter(isOwn), others: found.filter(state => !isOwn(state)) }
  }

  /**
   * Goes on with an unfinished job, or ends it if the copy is to start over.
   *
   * @param {Opening} job
   * @param {JobOptions} options of this command, without secrets, for the next resume
   * @param {string} id
   * @returns {Promise<import('../types').JobJournal | undefined>} undefined: it has ended
   * @throws {XferError} JOB_RUNNING; USAGE if it was started with other attributes
   */
  async function goOn(job, options, id) {
    const journal = await journals.open(id, { take, check }).catch(ignoreGone)
    if (!journal) return undefined
    if (journal.state.split && job.settings.restart) {
      await journal.close()
      throw usage(`The job ${id} is split, and cannot start again in one step.`, `Give it up first: xfer abort ${id}.`)
    }
    await join(journals, journal, { take, works, leaves })
    const kept = keep(journal)
    if (job.settings.restart) {
      await discard(kept, journal, { destination: job.destination, emit })
      return undefined
    }
    if (!givesSame(journal.state, options)) {
      await journal.close()
      throw otherAttributes(id)
    }
    try {
      await beginPass(kept)
      // Its manifest is gone on with, under whichever name: lib/commands/manifest-out.js.
      const { manifestOut, sign } = kept.state.options
      const told = { ...options, ...(manifestOut !== undefined && { manifestOut, sign: options.sign ?? sign }) }
      await kept.write({ type: 'job', version: VERSION, id, ...endsOf(job), options: told })
    } catch (error) {
      await journal.close()
      throw error
    }
    return kept
  }

  /**
   * For a dry run: the unfinished job that the command would resume, read and not changed.
   *
   * @param {Opening} job
   * @param {JobOptions} options of this command
   * @param {JobState[]} own the jobs that it continues, newest first
   * @throws {XferError} as `goOn`
   */
  async function look({ settings }, options, [found]) {
    const state = found && !settings.restart && (await journals.look(found.id).catch(ignoreGone))
    if (!state) return NO_JOURNAL
    if (!givesSame(state, options)) throw otherAttributes(state.id)
    const journal = inMemory(state)
    await beginPass(journal)
    return journal
  }

  /**
   * @param {Opening} job
   * @param {JobOptions} options as of `goOn`
   * @param {JobState[]} found as of `look`
   * @returns {Promise<import('../types').JobJournal>} none, and a notice, if it cannot be written
   */
  async function openOrCreate(job, options, found) {
    let own = found
    for (let tries = 1; ; tries++) {
      for (const { id } of own) {
        const journal = await goOn(job, options, id)
        if (journal) return journal
      }
      const letGo = await journals.hold(job).catch(place?.fences ? rethrow : ignoreUnwritable)
      try {
        own = (await findBoth(job, options)).own
        // A job that vanishes again and again does not stop the copy.
        if (own.length > 0 && tries < MOST_TRIES) continue
        const created = await journals.create({ ...endsOf(job), options }).catch(cause => {
          // Without its journal in a store it could be begun again elsewhere.
          if (place?.fences) throw cause
          onTrouble(cause)
          return NO_JOURNAL
        })
        if (created === NO_JOURNAL) return NO_JOURNAL
        if (created) return keep(/** @type {Journal} */ (created), false)
      } finally {
        await letGo?.()
      }
    }
  }

  return {
    /**
     * The unfinished job of the same source and destination, or a new one. If several processes start the same copy at
     * once, one creates the job and the others find it. Of a prefix, a job of other options is left alone, and told.
     *
     * @param {Opening} job
     * @param {JobOptions} options of this command, without secrets, for the next resume
     * @returns {Promise<import('../types').JobJournal>} for a dry run one in memory; none, and a notice, if it cannot be written
     * @throws {XferError} JOB_RUNNING; USAGE if it was started with other attributes
     */
    async begin(job, options) {
      const { dryRun, proved } = job.settings
      const { own, others } = await findBoth(job, options)
      const journal = await (dryRun ? look(job, options, own) : openOrCreate(job, options, own))
      await tellOthers(others, options, { look: journals.look, emit })
      if (!dryRun && !proved) await markBeside(others, journals)
      return { ...journal, doubted: namesInDoubt(others) }
    },

    /**
     * @param {string} [job] an id, its first characters, or a path; default: the only unfinished job
     * @param {{ dryRun?: boolean }} [how] dryRun: nothing is written but who has the job open
     */
    async open(job, { dryRun = false } = {}) {
      const journal = await journals.open(job ?? (await onlyOne(await journals.list())), { take, check })
      if (!dryRun) await join(journals, journal, { take, works, leaves })
      if (runner) await beginRun(journal, runner)
      const found = await journals.find(journal.state).catch(() => [])
      const doubted = namesInDoubt(found.filter(({ id }) => id !== journal.state.id))
      return { ...(dryRun ? lookingOnly(journal) : keep(journal)), doubted }
    },
  }
}

/**
 * An earlier run has looked at everything, and some objects failed: for the command ages count from now, and for `xfer resume` from
 * where they did.
 *
 * @param {import('../types').JobJournal} journal
 */
async function beginPass({ state: { ended, prefix }, write }) {
  if (ended?.code !== 'OBJECTS_FAILED' || prefix?.ranges?.length !== 0) return
  await write({ ...prefix, type: 'ranges', ranges: [], agesFromMs: Date.now() })
}

/** Whether the unfinished job is the copy that this command asks for. @param {JobState} state @param {JobOptions} options */
function givesSame({ upload, prefix, options: begun }, options) {
  return (!upload && !prefix) || givesSameAttributes(begun, options)
}

/** @param {string} id */
function otherAttributes(id) {
  return usage(
    `The unfinished job ${id} is of the same copy, and was begun with other metadata, tags, storage class or encryption.`,
    `Go on with it as it was begun by xfer resume ${id}, or begin anew with --restart.`,
  )
}

/** @param {unknown} error @returns {never} */
function rethrow(error) {
  throw error
}

/** Without a lock no journal can be written either, which is reported. @param {import('../types').XferError} error @returns {undefined} */
function ignoreUnwritable(error) {
  if (error.code === 'JOB_RUNNING') throw error
}

/** @param {Pick<Job, 'source' | 'destination'>} job */
function endsOf({ source, destination }) {
  return { source: endOf(source), destination: endOf(destination) }
}

/** @param {import('./open').Side} side @returns {import('../types').JobEnd} */
function endOf({ text, plain, place }) {
  return { text: plain, ...(text !== plain && { typed: text }), place }
}

/** Whether a job that ends early leaves something to resume. */

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

/** What has stopped a run: what was under way then may tell of it in words of its own. @param {any} error @returns {import('../types').XferError | undefined} */
function stopOf(error) {
  return LEFT_TO_OTHERS.has(error?.code) ? error : error?.cause && stopOf(error.cause)
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
  return !mayGoOn(error) && !prefix?.copied?.objects && !prefix?.unsure.size
}

/** A second run may not meet it again. */
const PASSING = new Set([
  ...['INTERRUPTED', 'HANDLER_FAILED', 'TIMED_OUT', 'PART_FAILED', 'OUTAGE', 'SOURCE_KEPT', 'MANIFEST_UNWRITABLE'],
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

module.exports = { openUnfinished }
