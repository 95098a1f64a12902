'use strict'

/**
 * The journals of jobs: one append-only log a job, one checksummed line a fact. docs/design/journal.md says what is in them, what
 * is on the disk when, and how two processes are kept from one job. A log is a file (folder.js), or lies in a store (segments.js).
 */

const { randomBytes } = require('node:crypto')
const { eachAtOnce } = require('../async')
const { XferError, usage } = require('../errors')
const { VERSION, writableFact, decodeLines, encodeLine } = require('./facts')
const { unwritable } = require('./file')
const { folderPlace, journalFolder } = require('./folder')
const { createJournal } = require('./journal')
const { judge, lifeOf, newClaim, running, takeLock } = require('./lock')
const { applyFact, replay, leavesNothing, newObject, objectsOf } = require('./replay')

/** Ranges of a job that are written at once. */
const AT_ONCE = 8

/** @typedef {import('../types').JobEnd} JobEnd */
/** @typedef {{ take?: boolean, check?: (state: import('../types').JobState) => void }} OpenHow take: its owner is known to be dead; check: what it throws leaves the job as it is */
/** The ends of a job, by their places. @typedef {Record<'source' | 'destination', { place: string }>} Ends */

/**
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {import('../types').JournalPlace} [options.place] where they are; the folder of this user when absent
 * @param {() => number} [options.now] epoch milliseconds
 * @param {(error: import('../types').XferError) => void} [options.onTrouble] called once per journal when something could not be
 *   written; the copy can continue, but a later run knows less
 * @param {number} [options.compactBytes] smaller files are not rewritten; 4 MiB when absent
 */
function openJournals({ env, place = folderPlace(journalFolder(env)), now = Date.now, onTrouble, compactBytes }) {
  const { text, pathOf } = place
  /** Jobs that are over: nothing of them changes any more, and who looks again and again reads them once. @type {Map<string, import('../types').ListedJob>} */
  const over = new Map()

  /** @param {import('../types').LogOfJob} found @param {OpenHow} how */
  async function own({ log, read, outside = false, brought = false }, { take = false, check }) {
    try {
      // Check before writing: it may be anything.
      const state = replay(read, log.path)
      const { id: job, over } = state
      if (over) {
        // Its process was killed before it could remove it.
        if (!log.fences) await log.remove(() => '')
        throw new XferError('NO_SUCH_JOB', { job })
      }
      check?.(state)
      const { claim, decoded } = await takeLock(log, { job, brought: outside || take, now, read })
      // What was asked of an earlier owner.
      await log.asked?.().catch(() => {})
      return createJournal({ log, state: replay(decoded, log.path), claim, decoded, brought, now, onTrouble })
    } catch (error) {
      await log.close()
      throw error
    }
  }

  return {
    /** For people. A folder is created with the first journal. */
    folder: text,

    /**
     * Creates a journal, which this process owns until it is closed.
     *
     * @param {{ source: JobEnd, destination: JobEnd, options: import('../types').JobOptions }} job
     * @returns {Promise<import('../types').Journal | undefined>} undefined: another process has just begun one between these places
     */
    async create({ source, destination, options }) {
      const at = now()
      const id = await place.reserve({ source, destination }, newId(at))
      if (id === undefined) return undefined
      const claim = await newClaim()
      const job = writableFact({ n: 1, at, type: 'job', version: VERSION, id, source, destination, options })
      const lines = [job, writableFact({ n: 2, at, ...claim })].map(encodeLine).join('')
      const log = await place.create(id, lines, compactBytes).catch(error => {
        throw unwritable(error, pathOf(id))
      })
      if (!log) return undefined
      const decoded = decodeLines(Buffer.from(lines))
      return createJournal({ log, state: replay(decoded, log.path), claim, decoded, now, onTrouble })
    },

    /**
     * Makes the ranges of a job that is split jobs of their own, which wait for workers. Those that are there stay.
     *
     * @param {import('../types').JobState} job
     * @param {NonNullable<import('../types').JobState['split']>} ranges
     * @param {import('../types').JobOptions[]} options of each
     */
    async createRanges({ id, source, destination }, ranges, options) {
      const at = now()
      await eachAtOnce(ranges.entries(), AT_ONCE, async ([i, range]) => {
        const own = rangeId(id, i)
        /** @type {import('../types').JournalFact[]} */
        const facts = [
          { type: 'job', version: VERSION, id: own, source, destination, options: options[i] },
          { type: 'within', range },
          { type: 'waiting' },
        ]
        const lines = facts.map((fact, k) => encodeLine(writableFact({ n: k + 1, at, ...fact })))
        const log = await place.create(own, lines.join(''))
        await log?.close()
      })
    },

    /**
     * Opens a journal by its id, the unique beginning of its id, or its path, and owns it until it is closed.
     *
     * @param {string} name
     * @param {OpenHow} [how]
     */
    async open(name, how = {}) {
      const id = place.isPath(name) ? undefined : await locate(name)
      return await own(await place.open(id ?? name, { compactBytes, isPath: id === undefined }), how)
    },

    /** Reads the journal of an id without owning it. Rejects with JOB_RUNNING if a living process owns it, and as `open`. @param {string} id */
    async look(id) {
      const decoded = await place.read(id)
      const { owner, alive } = await judge(decoded, { brought: false, nowMs: now() })
      if (owner && alive) throw running(owner, id)
      return replay(decoded, pathOf(id))
    },

    /** Locks the beginning of a job between these places; see there. @param {Ends} ends @returns {Promise<() => Promise<void>>} */
    hold: async ends => await place.hold(ends, { now }),

    /** The unfinished jobs between two places, newest first. @param {Ends} ends */
    async find({ source, destination }) {
      // One that cannot be read is none of theirs, as far as anybody can tell.
      const ids = await place.idsBetween({ source, destination })
      const found = await Promise.all(ids.map(id => findAt(id).catch(ignoreUnreadable)))
      return found.flatMap(state => (state && !state.over ? [state] : []))

      /** Of jobs that others may run, one of which the store does not tell may be running. @param {import('../types').XferError} error @returns {undefined} */
      function ignoreUnreadable(error) {
        if (place.fences && !['NO_SUCH_JOB', 'BAD_JOURNAL'].includes(error.code)) throw error
      }

      /** @param {string} id */
      async function findAt(id) {
        // Only the beginning of the journals of other jobs is read.
        const read = await place.read(id, { beginning: true })
        const glanced = replay(read, pathOf(id))
        const same = glanced.source.place === source.place && glanced.destination.place === destination.place
        if (!same) return undefined
        return read.cut ? replay(await place.read(id), pathOf(id)) : glanced
      }
    },

    /** One of them, by its id or its beginning. @param {string} name @throws {XferError} NO_SUCH_JOB, USAGE */
    async see(name) {
      const id = await locate(name)
      const found = await describe(id)
      if (!found) throw new XferError('NO_SUCH_JOB', { job: name })
      return found
    },

    /**
     * Keeps the journal of a job open, so that its end can be read when it was removed. Absent: those of jobs that are over stay.
     *
     * @type {((id: string) => Promise<{ last: () => Promise<import('../types').ListedJob>, close: () => Promise<void> }>) | undefined}
     */
    keep:
      place.keep &&
      (async id => {
        const { read, close } = await /** @type {NonNullable<typeof place.keep>} */ (place.keep)(id)
        return { last: async () => ({ ...replay(await read(), pathOf(id)), running: false }), close }
      }),

    /** Asks whoever has the job to stop. Absent: a signal does. @type {import('../types').JournalPlace['ask']} */
    ask: place.ask,

    /** All jobs, newest first: a file is of an unfinished one. One that is split has its ranges. */
    async list() {
      const jobs = await Promise.all((await place.ids()).filter(isWhole).map(describe))
      return jobs.filter(job => job !== undefined)
    },
  }

  /** @param {string} id @returns {Promise<import('../types').ListedJob | undefined>} */
  async function describe(id) {
    const known = over.get(id)
    if (known) return known
    const path = pathOf(id)
    /** @type {import('./facts').Decoded['entries'] | undefined} */
    let entries
    try {
      const decoded = await place.read(id)
      entries = decoded.entries
      const state = replay(decoded, path)
      const { owner, alive } = await judge(decoded, { brought: false, nowMs: now() })
      const ranges = state.split && (await Promise.all(state.split.map((_, i) => describe(rangeId(id, i)))))
      const { silentMs } = decoded
      const job = { ...state, running: alive, owner, silentMs, ...(ranges && { ranges }) }
      if (state.over) over.set(id, job)
      return job
    } catch (error) {
      const { code, message } = /** @type {import('../types').XferError} */ (error)
      // Its job finished after the folder was read.
      if (code === 'NO_SUCH_JOB') return undefined
      const facts = entries?.map(entry => (entry.type === 'of' ? entry.fact : entry))
      const uploads = facts?.flatMap(fact => (fact.type === 'upload' ? [fact.id] : []))
      return { id, path, problem: message, uploads }
    }
  }

  /**
   * @param {string} name an id, or its beginning
   * @throws {XferError} NO_SUCH_JOB, USAGE when several ids begin with this text
   */
  async function locate(name) {
    const ids = await place.ids()
    const fits = ids.includes(name) ? [name] : ids.filter(id => name !== '' && id.startsWith(name) && isWhole(id))
    if (fits.length === 1) return fits[0]
    if (fits.length === 0) throw new XferError('NO_SUCH_JOB', { job: name })
    throw usage(`The beginning "${name}" is of ${fits.length} jobs.`, 'Give more of the id; xfer jobs shows them all.')
  }
}

/** The id of a range of a job that is split. @param {string} id @param {number} i */
const rangeId = (id, i) => `${id}.${i + 1}`
const isWhole = (/** @type {string} */ id) => !id.includes('.')

/** An id that sorts by time. @param {number} ms @returns {string} such as `20261121T104500Z-4f9k2c` */
function newId(ms) {
  const time = new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  const letters = Array.from(randomBytes(6), byte => (byte % 36).toString(36)).join('')
  return `${time}-${letters}`
}

/** Loaded on use: most jobs lie in a folder. @param {import('../types').Bucket} bucket */
const segmentsPlace = bucket => require('./segments').segmentsPlace(bucket)

/** For a job that another process may just have finished. @param {import('../types').XferError} error @returns {undefined} */
function ignoreGone(error) {
  if (error.code !== 'NO_SUCH_JOB') throw error
}

module.exports = {
  applyFact,
  folderPlace,
  journalFolder,
  ignoreGone,
  leavesNothing,
  lifeOf,
  newObject,
  objectsOf,
  openJournals,
  segmentsPlace,
  VERSION,
}
