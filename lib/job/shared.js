'use strict'

/**
 * A job that others run. One that is split: its ranges of names are jobs of their own (`ID.1` and so on), which workers take. When all of
 * them are over it is joined: it looks at everything again, as a job that goes on does, copies what has come since, and deletes what is to
 * be deleted. And one that a function runs, which writes down how far the job was, and what the run has used.
 */

const { createHash } = require('node:crypto')
const { XferError, asXferError, usage } = require('../errors')
const { objectsOf } = require('../journal')
const { readerOf } = require('../options')
const { joinTold } = require('../notices')
const { factoryOfText } = require('../stores')

/** @typedef {import('../types').Journal} Journal */
/** @typedef {import('../types').Journals} Journals */
/** @typedef {NonNullable<import('../types').JobState['split']>} SplitRanges */

/**
 * @param {Journals} journals
 * @param {Journal} journal of the job
 * @param {SplitRanges} ranges those that are there already stay as they are
 * @throws {XferError} USAGE if too little bandwidth is left for each
 */
async function split(journals, { state, write }, ranges) {
  const options = ranges.map((_, i) => optionsOfRange(state.options, i, ranges.length))
  await write({ type: 'split', ranges })
  await journals.createRanges(state, ranges, options)
}

/**
 * Does nothing if the job is not split. Whoever opens it before all ranges are over has those made that are missing, and, if it is no
 * worker, lets those wait that have stopped.
 *
 * @param {Journals} journals
 * @param {Journal} journal of the job; closed if it throws
 * @param {{ take?: boolean, works: boolean, leaves?: boolean }} how as of `openUnfinished`
 * @throws {XferError} JOB_SPLIT: ranges are left; BAD_JOURNAL: that of one is damaged
 */
async function join(journals, journal, { take, works, leaves }) {
  const { id, split: planned } = journal.state
  if (!planned) return
  try {
    const seen = await journals.see(id)
    const ranges = (seen.problem === undefined && seen.ranges) || []
    if (ranges.includes(undefined)) await split(journals, journal, planned)
    const known = ranges.flatMap(range => (range && range.problem === undefined ? [range] : []))
    const left = ranges.length - known.filter(({ over }) => over).length
    if (left > 0) {
      let running = known.filter(range => !range.over && range.running).length
      for (const range of ranges) if (range?.problem !== undefined && (await isRun(journals, range.id, id))) running++
      const stopped = works ? [] : known.filter(({ over, running, waiting }) => !over && !running && !waiting)
      for (const { id: range } of stopped) await wait(journals, range, take)
      // It may have been stopped as a whole.
      if (!works) await journal.write({ type: 'waiting' })
      if (leaves) return
      throw new XferError('JOB_SPLIT', { job: id, ranges: ranges.length, left, running, waiting: left - running })
    }
    // Of too many copies the newest are remembered, and the first range begins first.
    for (const { prefix } of known.toReversed()) {
      for (const [name, copy] of prefix?.copies ?? []) {
        // An upload from before the split is still to be aborted.
        if (!journal.state.prefix?.objects.has(name)) journal.note({ type: 'over', name, copy })
      }
      for (const name of prefix?.unsure ?? []) journal.note({ type: 'failed', name, unsure: true })
    }
    const copied = { objects: 0, bytes: 0 }
    for (const { prefix } of known) {
      copied.objects += prefix?.copied?.objects ?? 0
      copied.bytes += prefix?.copied?.bytes ?? 0
    }
    const done = known.flatMap(({ over }, i) =>
      over && over.code === undefined ? [{ ...planned[i], doneMs: over.atMs }] : [],
    )
    // A range that was given up is copied by the job itself.
    const open = known.flatMap(({ over }, id) => (over?.code === undefined ? [] : [{ ...planned[id], id }]))
    const sealed = known.flatMap(range => range.sealed ?? [])
    if (sealed.length > 0) await journal.write({ type: 'sealed', files: sealed })
    const told = joinTold([journal.state.told, ...known.map(range => range.told)])
    if (told.notices.length + told.failures.length > 0) await journal.write({ type: 'told', ...told })
    await journal.write({ type: 'ranges', ranges: open, doneRanges: done, copied })
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** Whether a range whose journal is damaged has somebody, who may go on. @param {Journals} journals @param {string} range its id @param {string} job @throws {XferError} BAD_JOURNAL: it has nobody */
async function isRun(journals, range, job) {
  try {
    await journals.look(range)
    return false
  } catch (cause) {
    const { code, facts } = asXferError(cause)
    if (code === 'JOB_RUNNING') return true
    if (code !== 'BAD_JOURNAL') throw cause
    const advice = `It is of a range, without which the job cannot end: give it up with xfer abort ${job}, then repeat its command. What was copied stays.`
    throw new XferError('BAD_JOURNAL', { ...facts, advice }, { cause })
  }
}

/** @param {Journals} journals @param {string} range its id @param {boolean} [take] */
async function wait(journals, range, take) {
  try {
    const journal = await journals.open(range, { take })
    await journal.write({ type: 'waiting' }).finally(journal.close)
  } catch (error) {
    // It is not stopped any more.
    if (!['JOB_RUNNING', 'JOB_TAKEN', 'NO_SUCH_JOB'].includes(/** @type {import('../types').XferError} */ (error).code))
      throw error
  }
}

/** Of one range of so many: the job itself deletes, each has a manifest, and the bandwidth is shared out. @param {import('../types').JobOptions} options @param {number} i @param {number} count @returns {import('../types').JobOptions} @throws {XferError} USAGE */
function optionsOfRange(options, i, count) {
  const { delete: _, maxDelete: __, ...select } = options.select ?? {}
  const rate = readerOf('copy', options)('bandwidth')
  const share = rate !== undefined && { bandwidth: `${Math.floor(rate / count)}B` }
  if (share) readerOf('copy', share)('bandwidth')
  const { manifestOut } = options
  const own = manifestOut !== undefined && {
    manifestOut: manifestOut.replace(/(?:\.[^./]*)?$/, end => `.${i + 1}${end}`),
  }
  return { ...options, ...share, ...own, select }
}

/** @param {import('../types').ListedJob} job @returns {import('../types').ListedJob[]} it, and its ranges, the last one first */
function withRanges(job) {
  const ranges = job.problem === undefined ? (job.ranges ?? []) : []
  return [job, ...ranges.flatMap(range => range ?? []).reverse()]
}

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

module.exports = { beginRun, countRun, join, split, withRanges }
