'use strict'

/**
 * `xfer work` as a function: one run takes a job out of a state, goes on with it until shortly before its deadline, leaves it to the
 * next, and calls that. Two runs at once are harmless: the log of the job decides who has it.
 */

const { mkdtemp, rm } = require('node:fs/promises')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { repeat } = require('../async')
const { writeProfiles } = require('../aws')
const { report, withJournals } = require('../commands/jobs')
const { OTHERS, runWaiting } = require('../commands/work')
const { openRunner } = require('../engines')
const { usage } = require('../errors')
const { ignoreGone } = require('../journal')
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
async function run({ state, job, check, profiles = {} }, { engine, deadlineMs, memoryBytes, env, log }) {
  if (typeof state !== 'string' || (state === '' && !check))
    throw usage('The runner was called without a state.', 'Give it with --state.')
  const folder = await mkdtemp(join(tmpdir(), 'xfer-'))
  try {
    const own = { ...env, XFER_STATE: state, HOME: folder, ...(await writeProfiles(folder, profiles)) }
    if (check) return { reach: await reach(own, engine) }
    const { where, start } = await openRunner(engine, { env: own })
    const leftMs = deadlineMs - Date.now()
    const timeoutMs = Math.round(leftMs - Math.min(RESERVE_MS, leftMs * MOST_RESERVED))
    /** Each job that it has had. @type {Set<string>} */
    const taken = new Set()
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
          // Another has it. Or it has failed, and perhaps its state cannot be written: then this run does not call it again.
          else if (OTHERS.has(event.code) || event.outcome === 'failed') taken.delete(event.job)
        },
      },
      { waits: false, runner: { engine, where, memoryBytes, countedMs: Date.now() } },
    )
    const next = await withJournals({ state, env: own }, journals => nextJob(journals, job, taken))
    if (next !== undefined) await repeat(() => start({ state, job: next }), { retries: RETRIES })
    return { ...worked, ...(next !== undefined && { next }) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The job that the next run is called for, if one that this run has had waits again.
 *
 * @param {import('../types').Journals} journals
 * @param {string | undefined} job for which it was called: its ranges are called for as one
 * @param {Set<string>} taken
 * @returns {Promise<string | undefined>}
 */
async function nextJob(journals, job, taken) {
  // All ranges may be over, and nobody has joined them.
  for (const id of job === undefined || taken.size === 0 ? taken : [...taken, job]) {
    const found = await journals.see(id).catch(ignoreGone)
    // One that cannot be read at this moment may wait.
    if (found && (found.problem !== undefined || report(found).state === 'waiting')) return job ?? id
  }
  return undefined
}

module.exports = { run }
