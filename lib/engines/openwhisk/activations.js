'use strict'

/**
 * Waits for the records of activations whose call was answered without a result. One schedule serves all of them, so a
 * thousand activations cost the platform no more requests per second than one.
 *
 * A few records are requested by id. For many, the list is read once for all that are due, newest first and page by page.
 * Activations that are not in the list wait longer each time. Only the one that has waited longest is then requested by id,
 * so an incomplete list cannot delay it forever.
 */

const { throwIfAborted } = require('../../errors')
const { systemClock, untilAborted } = require('../../async')
const { failure, smallerPage } = require('./errors')

/** @typedef {import('../../types').Clock} Clock */
/** @typedef {import('../../types').XferError} XferError */

/** The least time between the starts of two requests: three per second. */
const APART_MS = 334
/** Requests in flight, if the platform is slow to answer. */
const MOST_AT_ONCE = 3
/** Up to this many due activations are requested by id. */
const FEW = 3
/** The most records of a page, upstream. A platform may allow fewer. */
const PAGE = 200
/** How far into the list a sweep reads. */
const MOST_RECORDS = 10_000
/** A record's start may be earlier than we expect, because clocks differ. */
const SLACK_MS = 10_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 5_000

/**
 * @typedef {object} Waiter
 * @property {string} id
 * @property {number} sinceMs when it was invoked, by our clock
 * @property {number} untilMs
 * @property {number} waitMs the time until the next request
 * @property {number} dueMs
 * @property {boolean} asked a request by id is in flight
 * @property {(record: any) => void} found
 * @property {(error: XferError) => void} failed
 *
 * @typedef {object} Sweep one reading of the list
 * @property {number} since
 * @property {number} skip the records that it has read
 * @property {Waiter[]} wanted
 * @property {boolean} reading
 */

/**
 * @param {object} platform its functions reject with an XferError
 * @param {(id: string, signal: AbortSignal) => Promise<any>} platform.get resolves to a record; undefined if there is none yet
 * @param {(query: { since: number, skip: number, limit: number }, signal: AbortSignal) => Promise<any>} platform.list resolves to
 *   complete records, newest first, that started at `since` (by our clock) or later
 * @param {{ facts: Record<string, any>, clock?: Clock }} how facts: for errors
 */
function createActivations({ get, list }, { facts, clock = systemClock }) {
  /** @type {Map<string, Waiter>} */
  const waiters = new Map()
  let requests = new AbortController()
  let running = 0
  let freeMs = Number.NEGATIVE_INFINITY
  /** @type {Sweep | undefined} */
  let sweep
  let lists = true
  let limit = PAGE
  /** @type {unknown} */
  let timer

  /** @param {Waiter} waiter @param {any} record */
  function found(waiter, record) {
    waiters.delete(waiter.id)
    waiter.found(record)
  }

  /** @param {Waiter} waiter */
  function notYet(waiter) {
    waiter.dueMs = clock.now() + waiter.waitMs
    waiter.waitMs = Math.min(waiter.waitMs * 1.5, LONGEST_WAIT_MS)
  }

  /** Starts a request, which handles its own errors. @param {() => Promise<void>} request */
  function start(request) {
    running++
    freeMs = clock.now() + APART_MS
    request().finally(() => {
      running--
      plan()
    })
  }

  /** Pauses all requests if the platform asks for it. @param {unknown} error @returns {boolean} whether it is retryable */
  function mayPass(error) {
    const { retryable, retryAfterMs } = /** @type {XferError} */ (error)
    if (retryable && retryAfterMs) freeMs = Math.max(freeMs, clock.now() + Math.min(retryAfterMs, 30_000))
    return retryable
  }

  /** @param {Waiter} waiter */
  async function ask(waiter) {
    const { signal } = requests
    waiter.asked = true
    try {
      const record = await get(waiter.id, signal)
      if (isRecord(record)) found(waiter, record)
      else notYet(waiter)
    } catch (error) {
      if (mayPass(error)) notYet(waiter)
      // A key that may invoke but not read records: the answer is lost. The destination may show the result.
      else lose(waiter, error)
    } finally {
      waiter.asked = false
    }
  }

  /** Reads the next page. @param {Sweep} reading */
  async function read(reading) {
    const { signal } = requests
    const { since, wanted, skip } = reading
    let more = false
    reading.reading = true
    try {
      const records = await list({ since, skip, limit }, signal)
      lists = Array.isArray(records)
      for (const record of lists ? records : []) {
        const waiter = waiters.get(record?.activationId)
        if (waiter && isRecord(record)) found(waiter, record)
      }
      reading.skip += limit
      more = lists && records.length >= limit && reading.skip < MOST_RECORDS && wanted.some(isWaiting)
    } catch (error) {
      if (signal.aborted) return
      const smaller = smallerPage(error, limit)
      if (smaller) limit = smaller
      more = smaller !== undefined
      if (!more && !mayPass(error)) lists = false
    }
    reading.reading = false
    if (more) return
    if (sweep === reading) sweep = undefined
    // The one that has waited longest stays due.
    wanted.filter(isWaiting).slice(1).forEach(notYet)
  }

  /** @param {Waiter} waiter */
  const isWaiting = ({ id }) => waiters.has(id)

  /** @param {Waiter} waiter @param {unknown} [cause] */
  function lose(waiter, cause) {
    waiters.delete(waiter.id)
    const afterMs = clock.now() - waiter.sinceMs
    waiter.failed(failure('ACTIVATION_LOST', { ...facts, activationId: waiter.id, afterMs }, { cause }))
  }

  /** Starts the next request if allowed, and sets the timer for the next one. */
  function plan() {
    clock.clearTimeout(timer)
    const nowMs = clock.now()
    for (const waiter of waiters.values()) if (waiter.untilMs <= nowMs) lose(waiter)
    if (waiters.size === 0) {
      // No activation is waited for: requests in flight are not needed.
      requests.abort()
      requests = new AbortController()
      sweep = undefined
      return
    }
    if (running < MOST_AT_ONCE && nowMs >= freeMs) startNext(nowMs)
    timer = clock.setTimeout(plan, Math.max(1, wakeMs() - nowMs))
  }

  /** @param {number} nowMs */
  function startNext(nowMs) {
    if (sweep) {
      const reading = sweep
      if (!reading.reading) start(() => read(reading))
      return
    }
    const due = [...waiters.values()].filter(waiter => !waiter.asked && waiter.dueMs <= nowMs)
    if (due.length === 0) return
    if (lists && due.length > FEW) {
      const since = Math.min(...due.map(({ sinceMs }) => sinceMs)) - SLACK_MS
      const begun = { since, skip: 0, wanted: due, reading: false }
      sweep = begun
      return start(() => read(begun))
    }
    const next = due.reduce((one, other) => (other.dueMs < one.dueMs ? other : one))
    start(() => ask(next))
  }

  /** When the next action is due, unless a request ends before. */
  function wakeMs() {
    let wake = Number.POSITIVE_INFINITY
    const full = running >= MOST_AT_ONCE
    for (const { untilMs, dueMs, asked } of waiters.values()) {
      wake = Math.min(wake, untilMs)
      if (!full && !asked && !sweep) wake = Math.min(wake, Math.max(dueMs, freeMs))
    }
    return sweep && !sweep.reading && !full ? Math.min(wake, freeMs) : wake
  }

  return {
    /**
     * @param {string} id
     * @param {{ sinceMs: number, forMs: number, signal?: AbortSignal }} how sinceMs: when it was invoked; forMs: how long to wait from now on
     * @returns {Promise<any>} the record
     * @throws {XferError} ACTIVATION_LOST, or the abort's reason
     */
    async wait(id, { sinceMs, forMs, signal }) {
      throwIfAborted(signal)
      const nowMs = clock.now()
      const times = { sinceMs, untilMs: nowMs + forMs, waitMs: FIRST_WAIT_MS, dueMs: nowMs + FIRST_WAIT_MS }
      const record = new Promise((found, failed) => waiters.set(id, { id, ...times, asked: false, found, failed }))
      plan()
      try {
        return await untilAborted(record, signal)
      } finally {
        if (waiters.delete(id)) plan()
      }
    },

    /** Rejects all waits. */
    close() {
      const nowMs = clock.now()
      for (const waiter of waiters.values()) waiter.untilMs = nowMs
      plan()
    },
  }
}

/** @param {any} record */
function isRecord(record) {
  return typeof record?.response === 'object' && record.response !== null
}

module.exports = { createActivations }
