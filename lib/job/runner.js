'use strict'

/** What a function that runs a job writes down in its journal: how far the job was, and what the run has used. */

const { createHash } = require('node:crypto')
const { XferError, asXferError, usage } = require('../errors')
const { objectsOf } = require('../journal')
const { factoryOfText } = require('../stores')

/** Runs that may begin one after the other and leave a job as it is: an outage may pass, and a platform may end a run. */
const MOST_IDLE = 3

/**
 * A digest of what runs add to a job, and of nothing that is written anyway, such as times.
 *
 * @param {import('../types').JobState} state
 * @returns {string}
 */
function digestOf(state) {
  const { copied, ranges, doneRanges = [], failed } = state.prefix ?? {}
  const names = (/** @type {Array<{ after?: string, until?: string }> | undefined} */ all) =>
    all?.map(({ after = '', until = '' }) => [after, until])
  const objects = objectsOf(state).map(([name, { parts, checked, upload, completed, object }]) => [
    name,
    object?.etag,
    upload?.id,
    parts.size,
    checked?.size,
    completed?.etag,
  ])
  const all = [copied, names(ranges), names(doneRanges), failed?.size, objects]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16)
}

/**
 * A run begins, unless several before it have changed nothing.
 *
 * @param {import('../types').Journal} journal closed if it throws
 * @param {import('./contract').RunsAs} runner
 * @throws {XferError} STUCK: several runs have left the job as it is; USAGE
 */
async function beginRun(journal, runner) {
  const { state } = journal
  try {
    // Whoever may write the state could have the function read its own secrets.
    if ([state.source, state.destination].some(({ text }) => factoryOfText(text)?.paths))
      throw usage('A function has no files of yours.', 'Run the job on the machine that has them.')
    const { engine, where } = runner
    const { runs = 0, gbSeconds = 0, progress, idle: before = 0, ...used } = state.runner ?? {}
    const now = digestOf(state)
    const idle = now === progress ? before + 1 : 1
    await journal.write({ type: 'runner', ...used, engine, where, runs, gbSeconds, progress: now, idle })
    if (idle <= MOST_IDLE) return
    // Its object is there, and nobody may take it for a proved copy.
    const written = state.completing || state.completed ? state.destination.text : undefined
    throw new XferError('STUCK', { job: state.id, runs: MOST_IDLE, written })
  } catch (cause) {
    const { code, message } = asXferError(cause)
    if (code !== 'JOB_TAKEN') await journal.write({ type: 'ended', code, message }).catch(() => {})
    await journal.close()
    throw cause
  }
}

/**
 * A run comes to its end.
 *
 * @param {import('../types').JobState} state
 * @param {import('./contract').RunsAs} runner changed
 * @param {import('../types').Journal['note']} note
 * @param {Partial<import('../types').JobUsage>} [usage] of the copy in this run
 */
function countRun({ runner: begun }, runner, note, { invocations = 0, gbSeconds: ofFunctions = 0 } = {}) {
  if (!begun) return
  const { runs, gbSeconds, calls = 0, functionGbSeconds = 0, ...others } = begun
  const ms = Date.now() - runner.countedMs
  runner.countedMs += ms
  const spent = (ms / 1000) * (runner.memoryBytes / 1024 ** 3)
  note({
    type: 'runner',
    ...others,
    runs: runs + 1,
    gbSeconds: gbSeconds + spent,
    calls: calls + invocations,
    functionGbSeconds: functionGbSeconds + ofFunctions,
  })
}

module.exports = { beginRun, countRun }
