'use strict'

/**
 * What is done about a part, or an invocation, that did not succeed: wait and take fewer at once, try again later, carry
 * less, or give up.
 */

const { XferError, factsOfCause } = require('../errors')
const { backoffMs, refusingSide } = require('./limits')

/** @typedef {import('./items').Item} Item */
/** @typedef {import('./items').Flight} Flight */
/** @typedef {import('./limits/pressure').Side} Side */
/** @typedef {import('../types').XferError} Failure */

/** How long the platform, or a store, may refuse everything before the job gives up. */
const REFUSED_TOO_LONG_MS = 10 * 60_000
/** Of one part, failures that are no fault of its own: what goes on like that is no passing trouble. */
const MOST_EXCUSED = 8

/**
 * @param {object} how
 * @param {ReturnType<typeof import('./queue').createQueue<Item>>} how.queue
 * @param {ReturnType<typeof import('./limits').createPlatformLimit>} how.limit of the platform
 * @param {import('./limits/pressure').Pressure} how.pressure of the stores
 * @param {number} how.most invocations at once, whatever was refused
 * @param {ReturnType<typeof import('./limits').createQuota>} how.quota
 * @param {(item: Item) => ReturnType<typeof import('./batch').createBatching>} how.batchingOf
 * @param {number} how.retries of one part, beyond its first attempt
 * @param {(error: Failure) => void} how.fail ends all work
 * @param {(item: Item, error: Failure) => void} how.giveUp ends the work that the part belongs to
 * @param {(event: import('../types').SchedulerEvent) => void} how.emit of what is about no single part
 * @param {import('../types').Clock} how.clock
 * @param {() => number} how.thereMs the platform's time
 * @param {() => number} how.random
 */
function createSetbacks({
  queue,
  limit,
  pressure,
  most,
  quota,
  batchingOf,
  retries,
  fail,
  giveUp,
  emit,
  clock,
  thereMs,
  random,
}) {
  let refusals = 0
  let slowedMs = Number.NEGATIVE_INFINITY
  /** @type {number | undefined} */
  let refusedSinceMs

  /** They go back, and cost no attempt; what is under way elsewhere stays there. @param {Item[]} items @param {number} delayMs */
  function handBack(items, delayMs) {
    for (const item of items) if (item.flights.size === 0) queue.putBack(item, delayMs)
  }

  /**
   * @param {Failure} error
   * @param {number} startedMs of the invocation
   * @returns {number} milliseconds for which nothing starts
   */
  function slowDown({ code, retryAfterMs, facts: { throttle, allowed } }, startedMs) {
    if (throttle === 'rate') {
      quota.refused({ nowMs: thereMs(), allowed })
      return quota.waitMs(thereMs())
    }
    const nowMs = clock.now()
    // Where nothing else waits, how many are in flight does not say how many were borne.
    const others = queue.waiting() > 0 ? queue.out() - 1 : Number.POSITIVE_INFINITY
    limit.refused({ nowMs, others, allowed })
    // A crowd that started before anything was refused is refused together, and that is one reason to wait, not many.
    const heard = startedMs <= slowedMs
    if (!heard) {
      refusals++
      slowedMs = nowMs
    }
    if (!heard || retryAfterMs !== undefined) {
      // What this machine is short of is there again as soon as something has ended.
      const attempt = code === 'TOO_MANY_FILES' ? 1 : Math.min(refusals, 6)
      queue.pause(nowMs + backoffMs({ attempt, retryAfterMs, random }))
    }
    return queue.pausedMs()
  }

  /**
   * A store's refusals say nothing of what the platform bears.
   *
   * @param {Side} side
   * @param {Failure} error
   * @param {number} askedMs when the invocation was begun
   * @returns {number} milliseconds for which nothing starts
   */
  function slowDownStore(side, { retryAfterMs }, askedMs) {
    const nowMs = clock.now()
    const others = queue.waiting() > 0 ? queue.out() - 1 : most
    const waitMs = pressure.refused(side, { nowMs, askedMs, others, most, retryAfterMs })
    if (waitMs > 0) queue.pause(nowMs + waitMs)
    return queue.pausedMs()
  }

  /** The platform or a store has too much to do. @param {Item[]} items @param {Failure} error @param {Flight} flight */
  function throttled(items, error, { startedMs, takenMs }) {
    const nowMs = clock.now()
    refusedSinceMs ??= nowMs
    if (nowMs - refusedSinceMs > REFUSED_TOO_LONG_MS) return fail(error)
    const store = refusingSide(error)
    const delayMs = Math.round(store ? slowDownStore(store, error, takenMs) : slowDown(error, startedMs))
    const { code, message } = error
    const told = store ? { store, limit: pressure.of(store).current() } : { limit: limit.current() }
    emit({ type: 'throttle', code, message, ...told, delayMs })
    handBack(items, 0)
  }

  /** @param {Item} item @param {Failure} error @param {number} delayMs */
  function tellRetry({ part: { partNumber }, group, attempt }, { code, message }, delayMs) {
    group.how.emit({ type: 'retry', partNumber, attempt, code, message, delayMs: Math.round(delayMs) })
  }

  /** One part failed. @param {Item} item @param {Failure} error */
  function failed(item, error) {
    if (!error.retryable) return giveUp(item, error)
    const { attempt } = item
    item.uncertain ||= error.uncertain
    const excused = error.blameless && item.excused < MOST_EXCUSED
    if (excused) item.excused++
    if (item.flights.size > 0 || queue.has(item)) {
      // Its twin may still come home.
      if (!excused) item.attempt++
      return
    }
    if (attempt > retries && !excused) return giveUp(item, gaveUp(item, error))
    const delayMs = backoffMs({ attempt: excused ? 1 : attempt, retryAfterMs: error.retryAfterMs, random })
    tellRetry(item, error, delayMs)
    if (!excused) item.attempt++
    queue.putBack(item, delayMs)
  }

  /**
   * An invocation failed, and nothing is known of any of its parts.
   *
   * @param {Item[]} items
   * @param {Failure} error
   * @param {Flight} flight
   */
  function lost(items, error, flight) {
    if (error.throttled) return throttled(items, error, flight)
    // It is no part's fault.
    if (!error.retryable && !error.smaller) return fail(error)
    if (!error.smaller || items.length === 1) {
      for (const item of items) failed(item, error)
      return
    }
    batchingOf(items[0]).tooMuch(items.length)
    const delayMs = backoffMs({ attempt: 1, random })
    for (const item of items) {
      item.uncertain ||= error.uncertain
      tellRetry(item, error, delayMs)
    }
    handBack(items, delayMs)
  }

  return {
    handBack,
    throttled,
    failed,
    lost,
    /** Its task could not be made. @param {Item} item @param {Failure} error @param {Flight} flight */
    unsigned(item, error, flight) {
      if (error.throttled) throttled([item], error, flight)
      else failed(item, error)
    },
    /** Nobody could say what the destination has of them. @param {Item[]} items of one group @param {Failure} error @param {Flight} flight */
    unsettled(items, error, flight) {
      if (error.throttled) return throttled(items, error, flight)
      for (const item of items) failed(item, error)
    },
    /** They met an outage, which costs no attempt; they start once it is over. @param {Item[]} items @param {Failure} error */
    excused(items, error) {
      for (const item of items) item.uncertain ||= error.uncertain
      handBack(items, 0)
    },
    /**
     * The platform answered, and so did the stores.
     *
     * @param {{ some: boolean, but: Side[] }} what some: anything at all that is no refusal; but: stores that refused
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

module.exports = { createSetbacks }
