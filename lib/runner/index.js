'use strict'

/**
 * `xfer work` as a function: one run takes a job out of a state, goes on with it until shortly before its deadline, leaves it to the
 * next, and calls that. Two runs at once are harmless: the log of the job decides who has it.
 */

const { createHash } = require('node:crypto')
const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { repeat } = require('../async')
const { writeProfiles } = require('../aws')
const { progressOf, report, withJournals } = require('../commands/jobs')
const { runWaiting } = require('../commands/work')
const { startRunner } = require('../engines')
const { XferError, asXferError } = require('../errors')
const { reach } = require('./check')

/** @typedef {import('../types').RunnerCall} RunnerCall */

/** Before the deadline nothing is begun any more for so long: what is under way ends, the job is released, the next run is called. */
const RESERVE_MS = 30_000
/** Of a short time at most this share. */
const MOST_RESERVED = 0.3
/** This share of the memory may hold objects: the rest is the program's. */
const FOR_OBJECTS = 0.25
/** How often the next run is called: a platform may be busy. */
const RETRIES = 4

/**
 * @param {RunnerCall} call what the function was called with, and what is bound to it
 * @param {object} here
 * @param {string} here.engine whose function this is
 * @param {number} here.deadlineMs when the platform ends it, epoch milliseconds
 * @param {number} here.memoryBytes of the function
 * @param {NodeJS.ProcessEnv} here.env
 * @param {(event: object) => void} [here.log]
 * @returns {Promise<import('../types').RunnerResult | { reach: import('../types').RunnerReach[] }>}
 * @throws {XferError} what keeps it from the state
 */
async function run({ state, job, seen, check, profiles = {} }, { engine, deadlineMs, memoryBytes, env, log }) {
  if (typeof state !== 'string' || (state === '' && !check))
    throw new XferError('USAGE', { text: 'The runner was called without a state.', advice: 'Give it with --state.' })
  const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
  const own = { ...env, XFER_STATE: state, HOME: folder, ...(await writeProfiles(folder, profiles)) }
  const leftMs = deadlineMs - Date.now()
  const timeoutMs = Math.round(leftMs - Math.min(RESERVE_MS, leftMs * MOST_RESERVED))
  /** Each job that it has had. @type {Set<string>} */
  const taken = new Set()
  let countedMs = Date.now()
  const runner = {
    engine,
    /** GB-seconds since they were last counted. */
    spent() {
      const ms = Date.now() - countedMs
      countedMs += ms
      return (ms / 1000) * (memoryBytes / 1024 ** 3)
    },
  }
  try {
    if (check) return { reach: await reach(own, engine) }
    const worked = await runWaiting(
      {
        state,
        only: job,
        once: true,
        env: own,
        timeout: `${Math.max(1, timeoutMs)}ms`,
        memory: `${Math.floor((memoryBytes * FOR_OBJECTS) / 1024 ** 2)}MiB`,
        onEvent(/** @type {any} */ event) {
          log?.(event)
          if (event.type === 'taken') taken.add(event.job)
        },
      },
      { waits: false, runner },
    )
    const next = await withJournals({ state, env: own }, journals => goOn(journals, { job, seen, taken }))
    if (next) await repeat(() => startRunner(engine, { state, ...next }, { env: own }), { retries: RETRIES })
    return { ...worked, ...(next && { next }) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The next call, if one of the jobs of this run waits again.
 *
 * @param {import('../types').Journals} journals
 * @param {Pick<RunnerCall, 'job' | 'seen'> & { taken: Set<string> }} ran
 * @returns {Promise<Pick<RunnerCall, 'job' | 'seen'> | undefined>}
 */
async function goOn(journals, { job, seen, taken }) {
  const waiting = []
  for (const id of taken) {
    const found = await journals.see(id).catch(unlessGone)
    if (found && found.problem === undefined && report(found).state === 'waiting') waiting.push(found)
  }
  // Its ranges are over, and nobody has joined them.
  const whole = job === undefined || waiting.length > 0 ? undefined : await journals.see(job).catch(unlessGone)
  if (whole && report(whole).state === 'waiting' && taken.size > 0) return { job }
  if (waiting.length === 0) return undefined
  const now = createHash('sha256')
  for (const one of waiting) now.update(JSON.stringify([one.id, progressOf(one), one.prefix ?? null]))
  const id = job ?? waiting[0].id
  const progress = now.digest('hex')
  if (progress !== seen) return { job: id, seen: progress }
  for (const one of waiting) await endStuck(journals, one.id)
  return undefined
}

/** Two runs that leave a job as it was are told, and end the chain. @param {import('../types').Journals} journals @param {string} id */
async function endStuck(journals, id) {
  const { code, message } = new XferError('STUCK', { job: id })
  try {
    const journal = await journals.open(id)
    await journal.write({ type: 'ended', code, message }).finally(journal.close)
  } catch (error) {
    // Somebody else goes on with it.
    if (!['JOB_RUNNING', 'JOB_TAKEN', 'NO_SUCH_JOB'].includes(asXferError(error).code)) throw error
  }
}

/** @param {unknown} error @returns {undefined} */
function unlessGone(error) {
  if (asXferError(error).code !== 'NO_SUCH_JOB') throw error
}

module.exports = { run }
