'use strict'

/** The journal of a copy: the one that an earlier run left unfinished, a new one, or none. */

const { XferError, asXferError, withJob } = require('./errors')
const { openJournals } = require('./journal')
const { abortUntilGone, isRefusal } = require('./uploads')

/** @typedef {import('./job').Job} Job */
/** @typedef {import('./types').Journal} Journal */
/** @typedef {import('./types').JobState} JobState */
/** @typedef {ReturnType<typeof openJournals>} Journals */

const ABORT_LIMIT_MS = 15_000

/** Of a job that is not kept. @type {import('./types').JobJournal} */
const NO_JOURNAL = {
  kept: false,
  state: /** @type {any} */ ({ id: '', parts: new Map() }),
  async write() {},
  note() {},
  uploads: async () => [],
  async over() {},
  end: async error => error,
  async close() {},
}

/**
 * What earlier runs of a job left, and where a new one is written down.
 *
 * @param {{ env: NodeJS.ProcessEnv, emit: Job['emit'] }} where
 */
function openUnfinished({ env, emit }) {
  /** @param {unknown} error */
  const onTrouble = error => {
    const reason = error instanceof Error ? error.message : String(error)
    emit({ type: 'notice', message: `The journal cannot be written (${reason}): this copy may not be resumable.` })
  }
  const journals = openJournals({ env, onTrouble })

  /** @param {Journal} journal @param {string} name what `xfer resume` takes @returns {import('./types').JobJournal} */
  function keep(journal, name) {
    const { state } = journal
    // What cannot be written is told by onTrouble, and the copy goes on.
    const write = (/** @type {import('./types').JournalFact} */ fact) => journal.write(fact).catch(() => {})
    return {
      kept: true,
      state,
      write,
      note: journal.note,
      /** Of all jobs: uploads that are somebody's. */
      async uploads() {
        const all = await journals.list()
        return all.flatMap(job => ('upload' in job && job.upload ? [job.upload.id] : []))
      },
      over: () => journal.remove().catch(onTrouble),
      async end(error, { onFailure }) {
        const useless =
          error.final ||
          onFailure === 'abort' ||
          !(mayGoOn(error) || (state.creatingMs !== undefined && !isRefusal(error)))
        if (useless && !state.upload) {
          await journal.remove().catch(onTrouble)
          return error
        }
        await write({ type: 'ended', code: error.code, message: error.message })
        await journal.close()
        return withJob(error, name)
      },
      close: journal.close,
    }
  }

  return {
    /**
     * The unfinished job of the same source and destination, where there is one.
     *
     * @param {Job} job
     * @returns {Promise<import('./types').JobJournal | undefined>}
     * @throws {XferError} JOB_RUNNING
     */
    async find({ source, destination, settings }) {
      const found = await journals.find({ source, destination }).catch(() => [])
      for (const { id } of found) {
        const journal = await journals.open(id).catch(ignoreGone)
        if (!journal) continue
        if (!settings.restart) return keep(journal, id)
        await discard(journal, destination)
      }
    },

    /** @param {string} [name] an id, the beginning of one, or a path; the only unfinished job when absent */
    async open(name) {
      const journal = await journals.open(name ?? (await onlyOne(journals)))
      const { id } = journal.state
      return keep(journal, journal.path.startsWith(journals.folder) ? id : journal.path)
    },

    /**
     * @param {Job} job
     * @param {object} options to go on with, without a secret
     * @returns {Promise<import('./types').JobJournal>} none, and a notice, where it cannot be written
     */
    async create({ source, destination }, options) {
      try {
        const journal = await journals.create({
          source: { text: source.text, place: source.place },
          destination: { text: destination.text, place: destination.place },
          options,
        })
        return keep(journal, journal.state.id)
      } catch (error) {
        onTrouble(error)
        return NO_JOURNAL
      }
    },
  }
}

/** Whoever was at work on it has just done it. @param {import('./types').XferError} error @returns {undefined} */
function ignoreGone(error) {
  if (error.code !== 'NO_SUCH_JOB') throw error
}

/** Whether it is worth a second run where nothing is copied yet. @param {import('./types').XferError} error */
function mayGoOn({ code, retryable, throttled }) {
  return retryable || throttled || ['INTERRUPTED', 'TIMED_OUT', 'PART_FAILED', 'CREDENTIALS_EXPIRED'].includes(code)
}

/** `--restart`: what was begun is aborted. @param {Journal} journal @param {import('./job').Side} destination */
async function discard(journal, { store, key }) {
  const { upload } = journal.state
  try {
    if (upload) {
      await abortUntilGone(store, key, upload.id, AbortSignal.timeout(ABORT_LIMIT_MS))
    }
    await journal.remove()
  } catch (error) {
    await journal.close()
    throw asXferError(error)
  }
}

/** @param {Journals} journals */
async function onlyOne(journals) {
  const jobs = (await journals.list()).filter(job => !('problem' in job) && !job.running)
  if (jobs.length === 0) throw new XferError('NO_SUCH_JOB', {})
  if (jobs.length === 1) return jobs[0].id
  throw new XferError('USAGE', {
    text: `There are ${jobs.length} unfinished jobs: ${jobs.map(({ id }) => id).join(', ')}.`,
    advice: 'Name the one to go on with.',
  })
}

module.exports = { openUnfinished, NO_JOURNAL }
