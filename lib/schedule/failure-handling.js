'use strict'

/**
 * What came of an invocation: finishes the parts that are done, and tells the batches and the measured time per byte how it
 * went. For what did not succeed: back off and lower the concurrency, retry later, put fewer parts into an invocation, or give
 * up.
 */

const { XferError, factsOfCause } = require('../errors')
const { backoffMs, isBrief, refusalMs, refusingSide } = require('./pressure')
const { bytesOf, isPending, leave } = require('./queue')

/** @typedef {import('../types').TaskSuccess} TaskSuccess */
/** @typedef {import('../types').Outcome} Outcome */
/** @typedef {import('./queue').Item} Item */
/** @typedef {import('./queue').Flight} Flight */
/** @typedef {import('../types').XferError} XferError */

/** How long the platform, or a store, may refuse everything before the job gives up. */
const REFUSED_TOO_LONG_MS = 10 * 60_000
/** Failures of one part that do not count as attempts because it did not cause them. After these, all count. */
const MAX_EXCUSED = 8

/**
 * @param {object} how
 * @param {import('./capacity').Capacity} how.capacity
 * @param {import('./outage').Outages} how.outages
 * @param {AbortSignal} how.closing aborted once nothing more starts: an outage does not matter then
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {(item: Item, outcome: TaskSuccess, elapsedMs: number) => void} how.finish
 * @param {(error: XferError) => void} how.fail ends all work
 * @param {(group: import('./queue').Group, error: XferError) => void} how.failGroup
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit for events that are not about a single part
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createFailureHandling({ capacity, outages, closing, retries, finish, fail, failGroup, emit, clock, random }) {
  const { queue, batchingOf, fitsInTime } = capacity
  /** @type {number | undefined} */
  let refusedSinceMs

  /** Puts items back without counting an attempt. Those that are also in another flight stay there. @param {Item[]} items @param {number} [delayMs] */
  function handBack(items, delayMs = 0) {
    for (const item of items) if (isPending(item) && item.flights.size === 0) queue.putBack(item, delayMs)
  }

  /**
   * Whether an outage caused a failure. Probes if that is not known.
   *
   * @param {XferError} error
   * @param {Flight} flight that failed with it
   * @returns {Promise<boolean>} also true once nothing more starts
   */
  async function inOutage(error, { items, startedMs }) {
    const { runAlone, signal } = items[0].group.how
    const end = runAlone ? signal : closing
    const found = error.shared && (await outages.excuses(error, startedMs, end).catch(() => true))
    // Each is given up by itself.
    if (!found && !runAlone) outages.failed(error)
    return found
  }

  /** They failed in an outage, which does not count as an attempt; they start once it is over. @param {Item[]} items @param {XferError} error */
  function excused(items, error) {
    // Who is away refuses nothing.
    refusedSinceMs = undefined
    for (const item of items) {
      item.group.refused = undefined
      item.uncertain ||= error.uncertain
    }
    handBack(items)
  }

  /** The platform or a store throttles. @param {Item[]} items @param {XferError} error @param {Flight} flight */
  function throttled(items, error, flight) {
    if (items[0].group.how.runAlone) return refusedAlone(items, error)
    const nowMs = clock.now()
    // It was asked before the outage, during which nobody is.
    const sinceMs = refusedSinceMs ?? nowMs
    refusedSinceMs = outages.holding() ? undefined : sinceMs
    if (nowMs - sinceMs > REFUSED_TOO_LONG_MS) return fail(error)
    const { code, message } = error
    emit({ type: 'throttle', code, message, ...capacity.refused(error, flight) })
    handBack(items)
  }

  /** Stores refuse by keys: what has an engine of its own waits alone. @param {Item[]} items of one group @param {XferError} error */
  function refusedAlone(items, error) {
    const [{ group }] = items
    const { code, message, retryAfterMs } = error
    const nowMs = clock.now()
    const { sinceMs, times } = group.refused ?? { sinceMs: nowMs, times: 0 }
    if (nowMs - sinceMs > REFUSED_TOO_LONG_MS) return failGroup(group, error)
    group.refused = { sinceMs, times: times + 1 }
    const delayMs = Math.round(refusalMs({ refusals: times + 1, brief: isBrief(error), retryAfterMs, random }))
    const store = refusingSide(error)
    group.how.emit({ type: 'throttle', code, message, ...(store && { store }), limit: 1, delayMs })
    handBack(items, delayMs)
  }

  /** @param {Item} item @param {XferError} error @param {number} delayMs */
  function emitRetry({ part: { partNumber }, group, attempt }, { code, message }, delayMs) {
    group.how.emit({ type: 'retry', partNumber, attempt, code, message, delayMs: Math.round(delayMs) })
  }

  /** Handles the failure of one part. @param {Item} item @param {XferError} error */
  function failed(item, error) {
    if (!error.retryable) return failGroup(item.group, error)
    const { attempt } = item
    item.uncertain ||= error.uncertain
    // A slow container is soon free again, and gets the part once more, while all others are at work.
    const slow = error.code === 'NOT_STARTED' && fitsInTime(item.part.bytes)
    const excused = (error.blameless || slow) && item.excused < MAX_EXCUSED
    if (excused) item.excused++
    if (item.flights.size > 0 || queue.has(item)) {
      // Its other flight, or its retry, may still succeed.
      if (!excused) item.attempt++
      return
    }
    if (attempt > retries && !excused) return failGroup(item.group, gaveUp(item, error))
    const delayMs = backoffMs({ attempt: excused ? 1 : attempt, retryAfterMs: error.retryAfterMs, random })
    emitRetry(item, error, delayMs)
    if (!excused) item.attempt++
    queue.putBack(item, delayMs)
  }

  /**
   * Handles the failure of an invocation: the outcome of its parts is unknown.
   *
   * @param {Item[]} carried
   * @param {XferError} error
   * @param {Flight} flight
   */
  async function invocationFailed(carried, error, flight) {
    // Our own abort of a flight whose parts are done says nothing about the platform.
    if (!carried.some(isPending)) return
    const excuse = await inOutage(error, flight)
    const items = carried.filter(isPending)
    if (items.length === 0) return
    if (excuse) return excused(items, error)
    if (error.throttled) return throttled(items, error, flight)
    // The error is not about a part: no retry helps.
    if (!error.retryable && !error.smaller)
      return items[0].group.how.runAlone ? failGroup(items[0].group, error) : fail(error)
    if (!error.smaller || items.length === 1) {
      for (const item of items) failed(item, error)
      return
    }
    batchingOf(items[0]).tooMuch(items.length)
    const delayMs = backoffMs({ attempt: 1, random })
    for (const item of items) {
      item.uncertain ||= error.uncertain
      emitRetry(item, error, delayMs)
    }
    handBack(items, delayMs)
  }

  /**
   * Handles the outcome of each part. Waits only if a probe for an outage is needed.
   *
   * @param {Flight} flight
   * @param {Item[]} carried
   * @param {Outcome[]} outcomes
   */
  async function handleOutcomes(flight, carried, outcomes) {
    const elapsedMs = clock.now() - flight.startedMs
    /** @type {Record<ReturnType<typeof verdictOf>, Array<{ item: Item, error: XferError }>>} */
    const failures = { throttled: [], free: [], unstarted: [], failed: [] }
    /** @type {Item[]} */
    const copied = []
    for (const [i, item] of carried.entries()) {
      const outcome = outcomes[i]
      const { explain, check } = item.group.how
      const error =
        'error' in outcome ? explain(outcome.error, item.part) : item.done ? undefined : check?.(outcome, item.attempt)
      if (error) failures[verdictOf(error)].push({ item, error })
      else {
        copied.push(item)
        finish(item, /** @type {TaskSuccess} */ (outcome), elapsedMs)
      }
    }
    const sides = new Set(failures.throttled.map(({ error }) => refusingSide(error)))
    const some = failures.throttled.length < carried.length
    capacity.answered({ some, but: [...sides] })
    if (some) refusedSinceMs = undefined
    const smooth = failures.throttled.length + failures.free.length + failures.failed.length === 0
    // Small objects take longer than their bytes do, so their times say nothing about parts.
    const worked = workedMs(outcomes) ?? elapsedMs
    if (smooth && carried[0].group.lane === 0) {
      const bytes = bytesOf(copied)
      capacity.timePerByte.finished(bytes, elapsedMs, carried.length)
      capacity.workPerByte.finished(bytes, worked, carried.length)
    }
    capacity.batchingOf(carried[0]).ended({
      items: carried.length,
      done: copied.length,
      refused: failures.throttled.length,
      ranOut: failures.unstarted.length > 0,
      times: { elapsedMs, workedMs: worked },
    })
    if (failures.free.length > 0) handBack(itemsOf(failures.free))
    // A function that did some of its parts has only run out of time.
    if (copied.length === 0) failures.failed.push(...failures.unstarted)
    else if (failures.unstarted.length > 0) handBack(itemsOf(failures.unstarted))
    for (const side of sides) {
      const refused = failures.throttled.filter(({ error }) => refusingSide(error) === side)
      const items = itemsOf(refused).filter(isPending)
      if (items.length > 0) throttled(items, refused[0].error, flight)
    }
    const excuses = await Promise.all(failures.failed.map(({ error }) => inOutage(error, flight)))
    for (const [i, { item, error }] of failures.failed.entries()) {
      if (!isPending(item)) continue
      if (excuses[i]) excused([item], error)
      else failed(item, error)
    }
  }

  return {
    handBack,
    handleOutcomes,
    invocationFailed,
    /**
     * A part could not be signed, or the destination did not say which of these parts it has.
     *
     * @param {Item[]} carried of one group: they leave the flight
     * @param {XferError} error
     * @param {Flight} flight
     */
    notSent(carried, error, flight) {
      leave(flight, carried)
      const items = carried.filter(isPending)
      if (error.throttled && items.length > 0) throttled(items, error, flight)
      else for (const item of items) failed(item, error)
    },
  }
}

/** @param {XferError} error */
function verdictOf({ throttled, freeRetry, code }) {
  if (throttled) return 'throttled'
  if (freeRetry) return 'free'
  return code === 'NOT_STARTED' ? 'unstarted' : 'failed'
}

/** @param {Item} item @param {XferError} cause */
function gaveUp({ part, group, attempt: attempts }, cause) {
  if (attempts === 1) return cause
  const partNumber = group.lane === 1 ? undefined : part.partNumber
  return new XferError('PART_FAILED', { ...factsOfCause(cause), partNumber, attempts }, { cause })
}

/** @param {Array<{ item: Item }>} verdicts */
function itemsOf(verdicts) {
  return verdicts.map(({ item }) => item)
}

/**
 * How long a function worked, by its own clock.
 *
 * @param {import('../types').Outcome[]} outcomes
 * @returns {number | undefined} milliseconds; undefined if not all outcomes have times
 */
function workedMs(outcomes) {
  let began = Number.POSITIVE_INFINITY
  let ended = Number.NEGATIVE_INFINITY
  for (const outcome of outcomes) {
    if ('error' in outcome || !outcome.timing) return undefined
    const { startedAtMs, totalMs } = outcome.timing
    began = Math.min(began, startedAtMs)
    ended = Math.max(ended, startedAtMs + totalMs)
  }
  return Math.max(1, ended - began)
}

module.exports = { createFailureHandling }
