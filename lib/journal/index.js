'use strict'

/**
 * The journals of jobs: one append-only file a job, one checksummed line a fact. docs/design/journal.md says what is in them, what
 * is on the disk when, and how two processes are kept from one job.
 */

const { randomBytes } = require('node:crypto')
const { readdir, realpath } = require('node:fs/promises')
const { devNull } = require('node:os')
const { dirname, isAbsolute, join, sep } = require('node:path')
const { XferError, usage } = require('../errors')
const { homeOf, inHome } = require('../files')
const { VERSION, writableFact, decodeLines, encodeLine } = require('./lines')
const { openFile, putFile, readAll, readFileAt, unwritable } = require('./file')
const { createJournal } = require('./journal')
const { holdBeginning, judge, newClaim, running, takeLock } = require('./lock')
const { applyFact, replay, leavesNothing, newObject, objectsOf } = require('./replay')

/** @typedef {import('../types').JobEnd} JobEnd */
/** The ends of a job, by their places. @typedef {Record<'source' | 'destination', { place: string }>} Ends */

const SUFFIX = '.journal'
/** Far more than the first line of a journal needs, which says what job it is of. */
const HEAD_BYTES = 1024 ** 2

/**
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {() => number} [options.now] epoch milliseconds
 * @param {(error: import('../types').XferError) => void} [options.onTrouble] called once per journal when something could not be
 *   written; the copy can continue, but a later run knows less
 * @param {number} [options.compactBytes] smaller journals are not rewritten; 4 MiB when absent
 */
function openJournals({ env, now = Date.now, onTrouble, compactBytes }) {
  const { folder, homeless } = journalFolder(env)

  return {
    /** It is created with the first journal. */
    folder,

    /**
     * Creates a journal, which this process owns until it is closed.
     *
     * @param {{ source: JobEnd, destination: JobEnd, options: import('../types').JobOptions }} job
     */
    async create({ source, destination, options }) {
      if (homeless) throw withoutHome()
      const at = now()
      const id = newId(at)
      const path = pathOf(folder, id)
      const claim = await newClaim()
      const job = writableFact({ n: 1, at, type: 'job', version: VERSION, id, source, destination, options })
      const lines = [job, writableFact({ n: 2, at, ...claim })].map(encodeLine).join('')
      const handle = await putFile(path, lines).catch(error => {
        throw unwritable(error, path)
      })
      const decoded = decodeLines(Buffer.from(lines))
      return createJournal({ handle, state: replay(decoded, path), claim, decoded, now, onTrouble, compactBytes })
    },

    /** Opens a journal by its id, the unique beginning of its id, or its path, and owns it until it is closed. @param {string} name */
    async open(name) {
      const path = await locate(folder, name)
      const handle = await openFile(path, 'append')
      try {
        // Check before writing: the file may be anything.
        const read = await readAll(handle, path)
        const { id: job } = replay(read, path)
        const outside = !(await isIn(path, folder))
        const brought = outside || !(await isOwn(handle))
        const { claim, decoded } = await takeLock(handle, { path, job, brought: outside, now, read })
        const state = replay(decoded, path)
        return createJournal({ handle, state, claim, decoded, brought, now, onTrouble, compactBytes })
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    /** Reads the journal of an id without owning it. Rejects with JOB_RUNNING if a living process owns it, and as `open`. @param {string} id */
    async look(id) {
      const path = pathOf(folder, id)
      const decoded = await readFileAt(path)
      const { owner, alive } = await judge(decoded.entries, { brought: false, nowMs: now() })
      if (owner && alive) throw running(owner, id)
      return replay(decoded, path)
    },

    /** Locks the beginning of a job between these places; see there. @param {Ends} ends @returns {Promise<() => Promise<void>>} */
    async hold(ends) {
      if (homeless) throw withoutHome()
      return await holdBeginning(folder, ends, { now })
    },

    /** The unfinished jobs between two places, newest first. @param {Ends} ends */
    async find({ source, destination }) {
      // One that cannot be read is none of theirs, as far as anybody can tell.
      const ids = await idsIn(folder)
      const found = await Promise.all(ids.map(id => findAt(pathOf(folder, id)).catch(() => undefined)))
      return found.filter(state => state !== undefined)

      /** @param {string} path */
      async function findAt(path) {
        // Only the beginning of the journals of other jobs is read.
        const glanced = replay(await readFileAt(path, HEAD_BYTES), path)
        const same = glanced.source.place === source.place && glanced.destination.place === destination.place
        return same ? replay(await readFileAt(path), path) : undefined
      }
    },

    /** All unfinished jobs, newest first. */
    async list() {
      const jobs = await Promise.all((await idsIn(folder)).map(id => describe(pathOf(folder, id), id)))
      return jobs.filter(job => job !== undefined)
    },
  }

  /** @param {string} path @param {string} id @returns {Promise<import('../types').ListedJob | undefined>} */
  async function describe(path, id) {
    /** @type {import('./lines').Decoded['entries'] | undefined} */
    let entries
    try {
      const decoded = await readFileAt(path)
      entries = decoded.entries
      const state = replay(decoded, path)
      const { alive } = await judge(entries, { brought: false, nowMs: now() })
      return { ...state, running: alive }
    } catch (error) {
      const { code, message } = /** @type {import('../types').XferError} */ (error)
      // Its job finished after the folder was read.
      if (code === 'NO_SUCH_JOB') return undefined
      const uploads = entries?.flatMap(entry => (entry.type === 'upload' ? [entry.id] : []))
      return { id, path, problem: message, uploads }
    }
  }
}

/**
 * The path of the journal that the user named, by its path or by its id.
 *
 * @param {string} folder
 * @param {string} name
 * @throws {XferError} NO_SUCH_JOB, USAGE when several ids begin with this text
 */
async function locate(folder, name) {
  if (name.includes('/') || name.includes(sep) || name.endsWith(SUFFIX)) return name
  const ids = await idsIn(folder)
  const fits = ids.includes(name) ? [name] : ids.filter(id => name !== '' && id.startsWith(name))
  if (fits.length === 1) return pathOf(folder, fits[0])
  if (fits.length === 0) throw new XferError('NO_SUCH_JOB', { job: name })
  throw usage(`The beginning "${name}" is of ${fits.length} jobs.`, 'Give more of the id; xfer jobs shows them all.')
}

/**
 * https://specifications.freedesktop.org/basedir-spec/latest/ : a relative path is ignored.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ folder: string, homeless: boolean }} homeless: there is no such folder, and none can be made
 */
function journalFolder(env) {
  const state = env.XDG_STATE_HOME
  const given = state && isAbsolute(state)
  const base = given ? state : inHome(env, '.local', 'state')
  return { folder: join(base, 'xfer', 'jobs'), homeless: !given && homeOf(env) === undefined }
}

function withoutHome() {
  return new XferError('BAD_JOURNAL', { reason: 'there is no home folder, and XDG_STATE_HOME names no other' })
}

/** An id that sorts by time. @param {number} ms @returns {string} such as `20261121T104500Z-4f9k2c` */
function newId(ms) {
  const time = new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
  const letters = Array.from(randomBytes(6), byte => (byte % 36).toString(36)).join('')
  return `${time}-${letters}`
}

/**
 * @param {string} folder
 * @returns {Promise<string[]>} ids, newest first; empty when there is no folder
 * @throws {import('../types').XferError} BAD_JOURNAL when it cannot be read
 */
async function idsIn(folder) {
  try {
    const names = await readdir(folder)
    return names
      .filter(name => name.endsWith(SUFFIX) && name.length > SUFFIX.length)
      .map(name => name.slice(0, -SUFFIX.length))
      .sort()
      .reverse()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOENT' || (code === 'ENOTDIR' && folder.startsWith(devNull))) return []
    const advice = 'Check what it is, and its permissions.'
    const reason = `the folder cannot be read (${code})`
    throw new XferError('BAD_JOURNAL', { path: folder, reason, advice }, { cause: error })
  }
}

/** @param {string} folder @param {string} id */
function pathOf(folder, id) {
  return join(folder, `${id}${SUFFIX}`)
}

/** @param {string} path @param {string} folder @returns {Promise<boolean>} whether it is a file in that folder */
async function isIn(path, folder) {
  const places = [dirname(path), folder].map(place => realpath(place).catch(() => place))
  const [one, other] = await Promise.all(places)
  return one === other
}

/** Whether the file is this user's, and nobody else may write it. Windows tells neither. @param {import('node:fs/promises').FileHandle} handle */
async function isOwn(handle) {
  const { uid, mode } = await handle.stat()
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

module.exports = { applyFact, leavesNothing, newObject, objectsOf, openJournals, VERSION }
