'use strict'

/** Copies one range: opens the read, then the write, moves the bytes, and makes an outcome of what came of it. */

const { Attempt, MAX_TIMER_MS } = require('./attempt')
const { Failure } = require('../failure')
const { reportedHeaders, sumsIn } = require('../answers')
const { pump } = require('./pump')
const { openRead } = require('./read')
const { readTask } = require('../task')
const { createSums, sumsOf } = require('./sums')
const { openWrite, withSource, writeNowhere } = require('./write')

/** @typedef {import('../task').Work} Work */

/**
 * Called for every piece that arrives, with the bytes of the part so far. It must be quick.
 * @typedef {(partNumber: number, bytes: number) => void} OnBytes
 */

/**
 * `onAttempt` is called with every attempt, so that it can be ended from outside; it returns a function that forgets the
 * attempt. `onSent` is called when everything has been sent and only the answer is missing. `refuse`: do not start the task,
 * for this reason.
 * @typedef {{
 *   stallMs: number,
 *   reach: import('../net/routes').Reach,
 *   rules?: Record<string, import('../../../lib/types').AnswerRule>,
 *   onAttempt: (attempt: InstanceType<typeof Attempt>) => () => void,
 *   onSent?: () => void,
 *   refuse?: 'CANCELLED' | 'NOT_STARTED',
 *   onBytes?: OnBytes,
 *   pace?: import('../limits').Pace,
 *   local?: import('../transport').LocalTransports,
 * }} Options
 */

/**
 * Carries out one task: the bytes of its read go into its write. Without a write they are read and counted only.
 * @param {unknown} task
 * @param {Options} options
 * @returns {Promise<import('../../../lib/types').Outcome>} always; a failure is an outcome too
 */
async function copyRange(task, options) {
  const startedAtMs = Date.now()
  const started = performance.now()
  try {
    if (options.refuse) throw new Failure(options.refuse)
    const work = readTask(task, options.rules, options.local)
    const { etag, sums, firstByteMs, headers } = await twiceIfStale(work, options)
    const { partNumber, bytes } = work
    const timing = {
      startedAtMs,
      firstByteMs: Math.round(firstByteMs - started),
      totalMs: Math.round(performance.now() - started),
    }
    return { partNumber, bytes, etag, sums, ...(headers && { headers }), timing }
  } catch (error) {
    return { partNumber: partNumberOf(task), error: Failure.from(error).toJSON() }
  }
}

/**
 * A connection kept from an earlier task may have died unnoticed, above all while the container was frozen. Then nothing has
 * happened yet, and the task is tried again, once, on new connections.
 * @param {Work} work
 * @param {Options} options
 */
async function twiceIfStale(work, options) {
  try {
    return await copyOnce(work, false, options)
  } catch (error) {
    if (!(error instanceof Failure && error.stale)) throw error
    return await copyOnce(work, true, options)
  }
}

/**
 * @param {Work} work
 * @param {boolean} fresh
 * @param {Options} options
 */
async function copyOnce(work, fresh, { stallMs, reach, onAttempt, ...options }) {
  const attempt = new Attempt({ stallMs, fresh, reach })
  const forget = onAttempt(attempt)
  try {
    const read = await openRead(work, attempt)
    const firstByteMs = performance.now()
    return { ...(await copyPumped(read, work, attempt, options)), firstByteMs }
  } finally {
    forget()
    attempt.end()
  }
}

/**
 * @param {Awaited<ReturnType<typeof openRead>>} read
 * @param {Work} work
 * @param {InstanceType<typeof Attempt>} attempt
 * @param {Pick<Options, 'onSent' | 'onBytes' | 'pace'>} how
 */
async function copyPumped(read, work, attempt, { onSent, onBytes, pace }) {
  const { source } = read
  const write = work.write
    ? await openWrite(withSource(work.write, source), attempt)
    : writeNowhere(source, work.read.rule)
  const sums = await pump(source, write, expecting(work, source), attempt, { onBytes, pace })
  if (sums) onSent?.()
  else read.close()
  const { etag, headers } = await write.answer()
  return { etag, sums: sums ?? {}, headers: work.tell ? headersOf(work, source.headers, headers) : undefined }
}

/**
 * If the task reads the whole object, and the answer has a checksum that the task computes, then the bytes must have it, or
 * they are not written.
 * @param {Work} work
 * @param {import('../transport').Answer} source
 * @returns {Work}
 */
function expecting(work, { headers }) {
  const { bytes, expect, read, sums } = work
  if (bytes !== expect.totalBytes) return work
  const kept = Object.entries(sumsIn(headers, read.rule.checksums)).filter(([sum]) => sums.some(each => each === sum))
  return { ...work, expect: { ...expect, sums: { ...Object.fromEntries(kept), ...expect.sums } } }
}

/**
 * @param {Work} work
 * @param {import('../transport').Answer['headers']} read
 * @param {import('../transport').Answer['headers']} [write]
 */
function headersOf(work, read, write) {
  const written = work.write && write && { headers: write, rule: work.write.rule }
  return reportedHeaders({ headers: read, rule: work.read.rule }, written)
}

/** @param {unknown} task */
function partNumberOf(task) {
  const { partNumber } = /** @type {{ partNumber?: unknown }} */ (Object(task))
  return typeof partNumber === 'number' && Number.isSafeInteger(partNumber) ? partNumber : 0
}

/** The steps beside it are for callers in this process, who take them in an order of their own. */
module.exports = { Attempt, copyRange, createSums, MAX_TIMER_MS, openRead, openWrite, sumsOf, withSource }
