'use strict'

/**
 * Handles a part or an invocation that did not succeed: back off and lower the concurrency, retry later, put fewer parts into
 * an invocation, or give up.
 */

const { XferError, factsOfCause } = require('../errors')
const { backoffMs, refusingSide } = require('./limits')

/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */
/** @typedef {import('./limits/pressure').Side} Side */
/** @typedef {import('../types').XferError} Failure */

/** How long the platform, or a store, may refuse everything before the job gives up. */
const REFUSED_TOO_LONG_MS = 10 * 60_000
/** Failures of one part that do not count as attempts because it did not cause them. After these, all count. */
const MAX_EXCUSED = 8

/**
 * @param {object} how
 * @param {ReturnType<typeof import('./queue').createQueue<Item>>} how.queue
 * @param {ReturnType<typeof import('./limits').createPlatformLimit>} how.limit of the platform
 * @param {import('./limits/pressure').Pressure} how.pressure of the stores
 * @param {number} how.most invocations at once, whatever was refused
 * @param {ReturnType<typeof import('./limits').createQuota>} how.quota
 * @param {(item: Item) => ReturnType<typeof import('./batch').createBatching>} how.batchingOf
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {(bytes: number) => boolean} how.fitsInTime whether functions usually copy so many bytes well within their time
 * @param {(error: Failure) => void} how.fail ends all work
 * @param {(group: import('./items').Group, error: Failure) => void} how.failGroup
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit for events that are not about a single part
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.thereMs the platform's time
 * @param {() => number} how.random
 */
function createFailureHandling({
  queue,
  limit,
  pressure,
  most,
  quota,
  batchingOf,
  retries,
  fitsInTime,
  fail,
  failGroup,
  emit,
  clock,
  thereMs,
  random,
}) {
  let refusals = 0
  let slowedMs = Number.NEGATIVE_INFINITY
  /** @type {number | undefined} */
  let refusedSinceMs

  /** Puts items back without counting an attempt. Those that are also in another flight stay there. @param {Item[]} items @param {number} delayMs */
  function handBack(items, delayMs) {
    for (const item of items) if (item.flights.size === 0) queue.putBack(item, delayMs)
  }

  /**
   * @param {Failure} error
   * @param {number} startedMs of the invocation
   * @returns {number} milliseconds in which nothing starts
   */
  function slowDown({ code, retryAfterMs, facts: { throttle, allowed } }, startedMs) {
    if (throttle === 'rate') {
      quota.refused({ nowMs: thereMs(), allowed })
      return quota.waitMs(thereMs())
    }
    const nowMs = clock.now()
    // If nothing waits, the number in flight does not show how many the platform accepts.
    const others = queue.waiting() > 0 ? queue.out() - 1 : Number.POSITIVE_INFINITY
    limit.refused({ nowMs, others, allowed })
    // Invocations that started before the last refusal belong to it: back off once for all of them.
    const known = startedMs <= slowedMs
    if (!known) {
      refusals++
      slowedMs = nowMs
    }
    if (!known || retryAfterMs !== undefined) {
      // This machine's files and connections are free again as soon as something has ended.
      const attempt = code === 'TOO_MANY_FILES' ? 1 : Math.min(refusals, 6)
      queue.pause(nowMs + backoffMs({ attempt, retryAfterMs, random }))
    }
    return queue.pausedMs()
  }

  /**
   * Slows down for one store. The limit of the platform stays as it is.
   *
   * @param {Side} side
   * @param {Failure} error
   * @param {number} askedMs when the invocation began
   * @returns {number} milliseconds for which nothing starts
   */
  function slowDownStore(side, { retryAfterMs }, askedMs) {
    const nowMs = clock.now()
    const others = queue.waiting() > 0 ? queue.out() - 1 : most
    const waitMs = pressure.refused(side, { nowMs, askedMs, others, most, retryAfterMs })
    if (waitMs > 0) queue.pause(nowMs + waitMs)
    return queue.pausedMs()
  }

  /** The platform or a store throttles. @param {Item[]} items @param {Failure} error @param {Flight} flight */
  function throttled(items, error, { startedMs, takenMs }) {
    const nowMs = clock.now()
    refusedSinceMs ??= nowMs
    if (nowMs - refusedSinceMs > REFUSED_TOO_LONG_MS) return fail(error)
    const store = refusingSide(error)
    const delayMs = Math.round(store ? slowDownStore(store, error, takenMs) : slowDown(error, startedMs))
    const { code, message } = error
    const limits = store ? { store, limit: pressure.of(store).current() } : { limit: limit.current() }
    emit({ type: 'throttle', code, message, ...limits, delayMs })
    handBack(items, 0)
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
      handBack(items, 0)
    },
    /**
     * The platform answered, and so did the stores, except those in `but`.
     *
     * @param {{ some: boolean, but: Side[] }} what some: something was not refused; but: stores that refused
     */
    answered({ some, but }) {
      const nowMs = clock.now()
      refusals = 0
      limit.answered({ nowMs })
      if (!some) return
      refusedSinceMs = undefined
      pressure.answered({ nowMs, inFlight: queue.out(), most }, but)
    },
  }
}

/** @param {Item} item @param {Failure} cause */
function gaveUp({ part, group, attempt: attempts }, cause) {
  if (attempts === 1) return cause
  const partNumber = group.how.lane === 1 ? undefined : (group.how.numberOf?.(part) ?? part.partNumber)
  return new XferError('PART_FAILED', { ...factsOfCause(cause), partNumber, attempts }, { cause })
}

/** Reports to the room for outages what invocations show: that a store or the platform answers, or may be away. */

const SIDES = /** @type {const} */ (['source', 'destination'])

/**
 * @param {import('../outage').Outages | undefined} outages
 * @param {AbortSignal} closing aborted once nothing more starts: an outage does not matter then
 */
function createWitness(outages, closing) {
  return {
    /**
     * Notes that the platform answered, and the stores too if a part was copied.
     *
     * @param {import('../types').Task[]} tasks
     * @param {import('../types').Outcome[]} outcomes
     * @param {Flight} flight
     * @returns {import('../types').Outcome[]} the same
     */
    heard(tasks, outcomes, { startedMs }) {
      outages?.answered('platform', startedMs)
      // A task without a write shows nothing about one of the stores.
      const worked = outcomes.some((outcome, i) => !('error' in outcome) && (tasks[i].write || tasks[i].copy))
      if (worked) for (const side of SIDES) outages?.answered(side, startedMs)
      return outcomes
    },

    /** Whether a probe may have to find out whether it was an outage. @param {import('../types').XferError} error */
    doubts: error => outages !== undefined && error.shared,

    /**
     * Whether a failure was caused by an outage. Probes if that is not known.
     *
     * @param {import('../types').XferError} error for which `doubts` is true
     * @param {Flight} flight that failed with it
     * @returns {Promise<boolean>} also true once nothing more starts
     */
    async excuses(error, { startedMs }) {
      const asked = /** @type {import('../outage').Outages} */ (outages)
      return await asked.excuses(error, startedMs, closing).catch(() => true)
    },
  }
}

module.exports = { createFailureHandling, createWitness }
