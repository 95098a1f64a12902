'use strict'

/**
 * The comparison of two prefixes: list both sides → compare each pair of objects by what proves it cheapest → count. The
 * lists are walked while pairs are compared, with a limited number of pairs in flight. Nothing is written.
 */

const { XferError, asXferError, throwIfAborted } = require('../errors')
const { walk } = require('../listing')
const { notice } = require('../notices')
const { reportProgress } = require('../progress')
const { readNames } = require('../select')
const { unreadable } = require('./keys')
const { announce, createAhead, createNotifyOnce, withOwnEnd } = require('./report')
const { isOfAll } = require('./tally')
const { judgeFilters, judgeNothing, readSelection } = require('./selection')
const { namedSteps } = require('./flow')
const { createWays } = require('./ways')
const { createPairs, createTally, sizeOf } = require('./pairs')

/** @typedef {import('../types').PrefixVerification} PrefixVerification */
/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../types').XferError} Failure */

/**
 * @param {Job} opened without a journal
 * @param {import('../types').VerifyPrefixOptions} options
 * @returns {Promise<PrefixVerification>} everything is equal
 * @throws {Failure} OBJECTS_DIFFER, OBJECTS_FAILED, NOTHING_FOUND; any error that ends a job. Its facts have the counts
 *   (`pairs`, `methods`)
 */
async function compareObjects(opened, options) {
  const startMs = Date.now()
  const tally = createTally({ startMs })
  const report = reportProgress(opened.run, tally.at)
  try {
    const unmatched = await compareAll(opened, options, { tally, report, startMs })
    const { counts: pairs } = tally
    const places = { source: opened.source.text, destination: opened.destination.text }
    const facts = { ...places, pairs, ...tally.names() }
    if (pairs.differing + pairs.missing + pairs.extra > 0) throw new XferError('OBJECTS_DIFFER', facts)
    if (pairs.failed > 0) {
      const objects = { failed: pairs.failed, chosen: pairs.listed }
      throw new XferError('OBJECTS_FAILED', { ...facts, objects, verb: 'compared' })
    }
    const { invocations, retried, throttled } = report.counts()
    const elapsedMs = Date.now() - startMs
    return {
      recursive: 'verify',
      ...places,
      engine: opened.engine.name,
      ...tally.found(),
      bytes: tally.bytes.equal,
      readBytes: tally.bytes.read,
      ...(unmatched.length > 0 && { unmatched }),
      elapsedMs,
      bytesPerSecond: Math.round((tally.bytes.read / Math.max(elapsedMs, 1)) * 1000),
      ...{ invocations, retried, throttled },
    }
  } catch (cause) {
    const error = asXferError(cause)
    error.facts = { ...error.facts, ...tally.found() }
    throw error
  } finally {
    report.tell()
    report.stop()
  }
}

/**
 * @param {Job} opened
 * @param {import('../types').VerifyPrefixOptions} options
 * @param {{ tally: ReturnType<typeof createTally>, report: ReturnType<typeof reportProgress>, startMs: number }} watch
 */
async function compareAll(opened, options, { tally, report, startMs }) {
  const { read: reads = false, oneWay = false, filesFrom } = options
  const selection = readSelection({ ...options, recursive: 'sync' }, { ...opened, now: () => startMs })
  const { job, over, cancel } = withOwnEnd(opened, { saw: report.saw, atOnce: true })
  const { source, destination } = job
  const { emit } = job.run
  const notifyOnce = createNotifyOnce(emit)
  announce(job, selection, { why: job.why, concurrency: job.settings.concurrency }, { recursive: 'verify' })
  const ways = createWays(job, report)
  /** What ended the comparison. @type {Failure | undefined} */
  let fatal
  const leavesOut = (/** @type {import('../types').Pair} */ pair) =>
    selection.judge(pair).filtered || isMarker(pair, job)
  /** Whether only the destination has it, which is accepted. @param {import('../types').Pair} pair */
  const isExtra = pair => oneWay && !pair.source
  const sizeAhead = (/** @type {import('../types').Pair} */ pair) =>
    leavesOut(pair) || isExtra(pair) ? undefined : sizeOf(pair)
  const ahead = createAhead({ source, destination }, sizeAhead, tally.ahead)
  // A file of names is not read twice.
  const onWait = () => filesFrom || ahead.start()
  const pairs = createPairs({ job, ways, reads, oneWay, sure: !filesFrom, tally, fail, notify: notifyOnce, onWait })
  /** @param {string} name @param {Failure} error */
  const missing = (name, error) => {
    tally.listed(0)
    fail(name, error, 0)
  }
  const steps = filesFrom
    ? namedSteps({ job, names: readNames(filesFrom), compares: true, missing })
    : walk({ source, destination, signal: cancel })
  try {
    for await (const step of steps) {
      throwIfAborted(cancel)
      if (step.type === 'odd') odd(step)
      else if (step.type === 'end') unproved(step)
      else if (step.type === 'pairs') for (const pair of step.pairs) await take(pair)
    }
    await ahead.end()
    tally.listingEnded()
    for (const { store } of [source, destination]) for (const left of store.notices?.() ?? []) notifyOnce(left)
    await pairs.ended()
    throwIfAborted(cancel)
    const { listed, filtered, failed } = tally.counts
    const unmatched = judgeFilters(job, selection, { listed: listed + filtered, filtered, failed })
    if (listed + filtered === 0) await judgeNothing(job, selection)
    return unmatched
  } catch (error) {
    over.abort(error)
    await pairs.ended()
    throw fatal ?? error
  } finally {
    await ahead.end()
    await ways.end()
    await ways.settle()
  }

  /**
   * A pair that could not be compared. An error that all of them would meet ends the comparison.
   *
   * @param {string} name
   * @param {Failure} error
   * @param {number} bytes as they were listed
   */
  function fail(name, error, bytes) {
    // A pair that was ended with the job has not failed.
    if (cancel.aborted) return
    if (isOfAll(error)) {
      fatal = error
      over.abort(error)
      return
    }
    const { code, message, hint } = error
    tally.unequal('failed', name, bytes, Date.now())
    emit({ type: 'failure', name, code, message, hint })
  }

  /** @param {import('../types').Pair} pair */
  async function take(pair) {
    throwIfAborted(cancel)
    if (leavesOut(pair)) tally.counts.filtered++
    else if (!isExtra(pair)) {
      tally.listed(sizeOf(pair))
      await pairs.begin(pair)
    }
  }

  /** An object that is listed under a wrong key. @param {import('../types').OddStep} listed */
  function odd({ side, name, object }) {
    if (selection.judge({ name, [side]: object }).filtered) tally.counts.filtered++
    else if (side === 'source' || !oneWay) {
      tally.listed(object.bytes)
      fail(name, unreadable(job[side].store, object.key), object.bytes)
    }
  }

  /** @param {import('../types').EndStep} step */
  function unproved({ unproved: lacks = {} }) {
    for (const [side, fields] of Object.entries(lacks)) {
      const { text: location } = job[/** @type {'source' | 'destination'} */ (side)]
      notifyOnce(notice('LISTING_NOT_PROVED', { location, lacks: fields.join(', ') }))
    }
  }
}

/**
 * An empty object whose name is empty or ends in a slash marks a folder. It is not missing where there can be none: at the
 * root of a bucket, and in a file system.
 *
 * @param {import('../types').Pair} pair
 * @param {Job} job
 */
function isMarker({ name, source: from, destination: to }, { source, destination }) {
  if ((name !== '' && !name.endsWith('/')) || (from && to) || (from ?? to)?.bytes !== 0) return false
  const other = from ? destination : source
  return other.key + name === '' || 'makeFolder' in other.store
}

module.exports = { compareObjects }
