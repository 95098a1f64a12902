'use strict'

/**
 * A job that is split: its ranges of names are jobs of their own (`ID.1` and so on), which workers take. When all of them are over it
 * is joined: it looks at everything again, as a job that goes on does, copies what has come since, and deletes what is to be deleted.
 */

const { XferError } = require('../errors')
const { readerOf } = require('../options')
const { joinTold } = require('../notices')

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
 * @param {{ take?: boolean, works: boolean }} how as of `openUnfinished`
 * @throws {XferError} JOB_SPLIT: ranges are left
 */
async function join(journals, journal, { take, works }) {
  const { id, split: planned } = journal.state
  if (!planned) return
  try {
    const seen = await journals.see(id)
    const ranges = (seen.problem === undefined && seen.ranges) || []
    if (ranges.includes(undefined)) await split(journals, journal, planned)
    const known = ranges.flatMap(range => (range && range.problem === undefined ? [range] : []))
    const left = ranges.length - known.filter(({ over }) => over).length
    if (left > 0) {
      const stopped = works ? [] : known.filter(({ over, running, waiting }) => !over && !running && !waiting)
      for (const { id: range } of stopped) await wait(journals, range, take)
      // It may have been stopped as a whole.
      if (!works) await journal.write({ type: 'waiting' })
      const running = known.filter(range => !range.over && range.running).length
      throw new XferError('JOB_SPLIT', { job: id, ranges: ranges.length, left, running, waiting: left - running })
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

module.exports = { join, split, withRanges }
