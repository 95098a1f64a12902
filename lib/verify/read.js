'use strict'

/** Reads objects through the engine, range by range, and returns only their checksums. */

const { XferError } = require('../errors')
const { SUM_WORDS, sameCrcs, sumsOfParts } = require('../integrity')
const { explainWith, runParts, taskMaker } = require('../schedule')

/** @typedef {import('../types').Part} Part */
/** @typedef {import('../types').TaskSuccess} TaskSuccess */

/**
 * An object to read, pinned by its ETag.
 *
 * @typedef {{ store: import('../types').Store, key: string, versionId?: string, object: Pick<import('../types').ObjectHead, 'etag' | 'bytes'> }} Reading
 */

/**
 * What runs the ranges: the work of a copy, or as much of it as a reading needs.
 *
 * @typedef {object} ReadWork
 * @property {{ engine: Pick<import('../types').Engine, 'run' | 'startWith'>, settings: { retries: number }, run: Pick<import('../job/contract').Run, 'cancel' | 'pressure'> }} job
 * @property {import('../types').EngineLimits} limits
 * @property {number} concurrency invocations in flight, at most
 * @property {import('../types').WriteWork['schedule']} [schedule] runs the ranges among other work; if absent they run alone
 */

/** The action speaks of the source, which may be the destination here, so these sentences name neither. @type {Partial<Record<import('../types').TaskErrorCode, string>>} */
const WORDS = {
  UNREACHABLE: 'none could be opened',
  CONNECTION_CUT: 'it was cut',
  WRONG_RANGE: 'it is of another range than the one asked for',
  BODY_LENGTH: 'its body is of another length than the range asked for',
  BAD_ANSWER: 'it cannot be used',
}

/** Ranges grow beyond this number, to bound the memory for their results. */
const MAX_RANGES = 10_000

/**
 * Reads the same ranges of one object, or of several at the same time.
 *
 * @param {ReadWork} work
 * @param {object} how
 * @param {Reading[]} how.objects
 * @param {Part[]} how.ranges
 * @param {import('../types').Sum[]} how.sums those to compute
 * @param {'SOURCE_CHANGED' | 'OBJECT_CHANGED'} [how.changed] the error's code if an object changes
 *   while it is read
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit
 * @param {(range: TaskSuccess) => void} [how.done] is called for each range that was read. With one object, the part number
 *   is the range's place among the ranges, from 1
 * @returns {Promise<TaskSuccess[][]>} one list for each object, in the order of the ranges
 * @throws {import('../types').XferError} the first failure that ended the work
 */
async function readRanges(work, { objects, ranges, sums, changed = 'OBJECT_CHANGED', emit, done }) {
  const { job, limits, concurrency, schedule = runParts } = work
  const { engine, settings, run } = job
  const isOne = schedule !== runParts && ranges.length === 1
  // Range by range, not object by object, so that both stores are busy at the same time.
  const jobs = ranges.flatMap(range => objects.map((reading, index) => ({ range, reading, index })))
  const parts = jobs.map(({ range }, i) => ({ ...range, partNumber: i + 1 }))
  const readers = objects.map(({ store, key, versionId, object }) => ({
    sign: taskMaker({ source: { store, key, versionId }, object, sums }),
    explain: explainRead({ store, key }, changed),
  }))
  /** @param {Part} part */
  const readerOf = ({ partNumber }) => readers[jobs[partNumber - 1].index]
  const outcomes = await schedule(parts, {
    sign: part => readerOf(part).sign(part),
    run: engine.run,
    startWith: engine.startWith,
    explain: (error, part) => readerOf(part).explain(error),
    // As where it is copied, one of many that is read at once goes with others in one invocation, which does not start again.
    lane: isOne ? 1 : 0,
    hedge: !isOne,
    limits,
    concurrency,
    emit,
    done,
    retries: settings.retries,
    pressure: run.pressure,
    // What was read so far is no use: it ends at once.
    abort: run.cancel,
  })
  const named = outcomes.map((outcome, i) => ({ ...outcome, partNumber: jobs[i].range.partNumber }))
  return objects.map((_, index) => named.filter((_, i) => jobs[i].index === index))
}

/** @param {{ store: import('../types').Store, key: string }} end @param {string} changed @returns {ReturnType<typeof explainWith>} */
function explainRead(end, changed) {
  const explain = explainWith({ source: end, destination: end })
  return taskError => {
    const error = explain({ reason: reasonOf(taskError), ...taskError })
    return error.code === 'SOURCE_CHANGED' ? new XferError(changed, error.facts) : error
  }
}

/** @param {import('../types').TaskError} taskError */
function reasonOf({ code, sum }) {
  return code === 'SUM_MISMATCH' ? `its ${sum ? SUM_WORDS[sum] : 'checksum'} is not the expected one` : WORDS[code]
}

/** @param {number} bytes of the object @param {number} rangeBytes @param {number} [most] how many @returns {Part[]} one of 0 bytes for an empty object */
function rangesOf(bytes, rangeBytes, most = MAX_RANGES) {
  const size = Math.max(rangeBytes, Math.ceil(bytes / most))
  return Array.from({ length: Math.max(1, Math.ceil(bytes / size)) }, (_, index) => {
    const start = index * size
    return { partNumber: index + 1, start, bytes: Math.min(size, bytes - start) }
  })
}

/**
 * Reads each range in two halves, and joins their checksums. A proxy that damages the n-th byte of every answer then damages
 * other bytes than in the first reading.
 *
 * @param {Part[]} ranges
 * @param {(halves: Part[]) => Promise<TaskSuccess[]>} read
 * @returns {Promise<Array<{ sums: import('../types').Sums }>>} of the ranges
 */
async function inHalves(ranges, read) {
  const halves = ranges.flatMap(({ start, bytes }) => {
    const first = { start, bytes: Math.ceil(bytes / 2) }
    return bytes > 1 ? [first, { start: start + first.bytes, bytes: bytes - first.bytes }] : [first]
  })
  const rest = [...(await read(halves.map((half, i) => ({ ...half, partNumber: i + 1 }))))]
  return ranges.map(({ bytes }) => ({ sums: sumsOfParts(rest.splice(0, bytes > 1 ? 2 : 1)) }))
}

/** The ranges of which two readings differ. @param {Part[]} ranges @param {Array<{ sums: import('../types').Sums }>} one @param {Array<{ sums: import('../types').Sums }>} other */
function differing(ranges, one, other) {
  return ranges.filter((_, i) => !sameCrcs(one[i].sums, other[i].sums))
}

/** The first and the last byte, for messages. @param {Part} range */
function bytesIn({ start, bytes }) {
  return `bytes ${start}-${start + bytes - 1}`
}

/** That a range of an object is wrong, as a clause. @param {string} what it should be @param {Part} range @param {Part[]} parts of the object */
function isNot(what, range, parts) {
  return parts.length > 1 ? `${bytesIn(range)} are not ${what}` : `it is not ${what}`
}

/** Emits all events but `part`: progress events show the ranges. @param {(event: any) => void} emit */
function unlessPart(emit) {
  return (/** @type {{ type: string }} */ event) => {
    if (event.type !== 'part') emit(event)
  }
}

module.exports = { explainRead, readRanges, rangesOf, inHalves, differing, bytesIn, isNot, unlessPart }
