'use strict'

/**
 * Handles a part or an invocation that did not succeed: back off and lower the concurrency, retry later, put fewer parts into
 * an invocation, or give up.
 */

const { XferError, factsOfCause } = require('../errors')
const { backoffMs } = require('./limits')
const { isPending } = require('./items')

/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */
/** @typedef {import('../types').XferError} Failure */

/** How long the platform, or a store, may refuse everything before the job gives up. */
const REFUSED_TOO_LONG_MS = 10 * 60_000
/** Failures of one part that do not count as attempts because it did not cause them. After these, all count. */
const MAX_EXCUSED = 8

/**
 * @param {object} how
 * @param {import('./capacity').Capacity} how.capacity
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {(error: Failure) => void} how.fail ends all work
 * @param {(group: import('./items').Group, error: Failure) => void} how.failGroup
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit for events that are not about a single part
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.random
 */
function createFailureHandling({ capacity, retries, fail, failGroup, emit, clock, random }) {
  const { queue, batchingOf, fitsInTime } = capacity
  /** @type {number | undefined} */
  let refusedSinceMs

  /** Puts items back without counting an attempt. Those that are also in another flight stay there. @param {Item[]} items @param {number} [delayMs] */
  function handBack(items, delayMs = 0) {
    for (const item of items) if (isPending(item) && item.flights.size === 0) queue.putBack(item, delayMs)
  }

  /** The platform or a store throttles. @param {Item[]} items @param {Failure} error @param {Flight} flight */
  function throttled(items, error, flight) {
    const nowMs = clock.now()
    refusedSinceMs ??= nowMs
    if (nowMs - refusedSinceMs > REFUSED_TOO_LONG_MS) return fail(error)
    const { code, message } = error
    emit({ type: 'throttle', code, message, ...capacity.refused(error, flight) })
    handBack(items)
  }

  /** @param {Item} item @param {Failure} error @param {number} delayMs */
  function emitRetry({ part: { partNumber }, group, attempt }, { code, message }, delayMs) {
    group.how.emit({ type: 'retry', partNumber, attempt, code, message, delayMs: Math.round(delayMs) })
  }

  /** Handles the failure of one part. @param {Item} item @param {Failure} error */
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
   * @param {Item[]} items
   * @param {Failure} error
   * @param {Flight} flight
   */
  function invocationFailed(items, error, flight) {
    if (error.throttled) return throttled(items, error, flight)
    // The error is not about a part: no retry helps.
    if (!error.retryable && !error.smaller) return fail(error)
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

  return {
    handBack,
    throttled,
    failed,
    invocationFailed,
    /**
     * A part could not be signed, or the destination did not say which of these parts it has.
     *
     * @param {Item[]} items of one group
     * @param {Failure} error
     * @param {Flight} flight
     */
    notSent(items, error, flight) {
      if (error.throttled) return throttled(items, error, flight)
      for (const item of items) failed(item, error)
    },
    /** They failed in an outage, which does not count as an attempt; they start once it is over. @param {Item[]} items @param {Failure} error */
    excused(items, error) {
      for (const item of items) item.uncertain ||= error.uncertain
      handBack(items)
    },
    /** The platform answered, and something was not refused. */
    worked() {
      refusedSinceMs = undefined
    },
  }
}

/** @param {Item} item @param {Failure} cause */
function gaveUp({ part, group, attempt: attempts }, cause) {
  if (attempts === 1) return cause
  const partNumber = group.how.lane === 1 ? undefined : (group.how.numberOf?.(part) ?? part.partNumber)
  return new XferError('PART_FAILED', { ...factsOfCause(cause), partNumber, attempts }, { cause })
}

module.exports = { createFailureHandling }
