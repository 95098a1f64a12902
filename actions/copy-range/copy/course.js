'use strict'

const { Failure } = require('../failure')

/** @typedef {import('../failure').Side} Side */

/**
 * One attempt at a task, as its steps see it. Whatever goes wrong anywhere is told to `fail`; the first failure ends the
 * attempt: it aborts `signal`, on which every step and both connections hang.
 * @typedef {{
 *   signal: AbortSignal,
 *   fail: (failure: InstanceType<typeof Failure>) => void,
 *   watch: (side: Side, ms: number) => void,
 *   moved: (side: Side) => void,
 *   received: (bytes: number) => void,
 *   rest: () => void,
 *   end: () => void,
 *   stallMs: number,
 *   fresh: boolean,
 *   reach: import('../net/routes').Reach,
 * }} Course
 */

/**
 * The least that a source must send while it is waited for, bytes a second: who sends one byte now and then is never silent,
 * and would be at it for ever. The slowest connections that work at all are faster.
 */
const LEAST_PACE = 1024

/** What a timer of Node's holds: one that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** That an attempt is over is no failure that anybody reads: one for all, for a stack costs more than the rest of it. */
const OVER = new Failure('CANCELLED')

/**
 * @param {Pick<Course, 'stallMs' | 'fresh' | 'reach'>} options `fresh`: open new connections, do not trust the idle ones
 * @returns {Course}
 */
function startCourse({ stallMs, fresh, reach }) {
  const ending = createEnding()
  const { signal } = ending
  /** @type {Side} */
  let watched = 'read'
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** Since when the source is waited for; undefined while somebody else is, or nobody. @type {number | undefined} */
  let waitingSince
  /** How long it was, and what came meanwhile, in this while. */
  let waitedMs = 0
  let received = 0
  /** Whether any of the body has come: until then it is `watch` that bounds the wait. */
  let begun = false
  /** The time until now counts for the source, where it was the one that was waited for. */
  const account = () => {
    const now = performance.now()
    if (waitingSince !== undefined) waitedMs += now - waitingSince
    waitingSince = timer && watched === 'read' ? now : undefined
  }
  /** @param {InstanceType<typeof Failure>} failure */
  const fail = failure => ending.abort(failure)
  const end = () => ending.abort(OVER)
  const rest = () => {
    clearTimeout(timer)
    timer = undefined
    account()
  }
  signal.addEventListener('abort', rest, { once: true })
  return {
    signal,
    fail,
    end,
    stallMs,
    fresh,
    reach,
    /** From now on it is `side` that is waited for, `ms` at a time. */
    watch(side, ms) {
      rest()
      watched = side
      if (!signal.aborted) {
        timer = setTimeout(() => fail(new Failure('STALLED', { side: watched })), Math.min(ms, LONGEST_TIMER_MS))
        account()
      }
    },
    /** Nobody is waited for. */
    rest,
    /** Something moved, and now it is `side` that is waited for. Called for every piece: no new timer. */
    moved(side) {
      watched = side
      timer?.refresh()
      account()
    },
    /** So many bytes have come from the source. Where they are too few for the time that it was waited for, the attempt is over. */
    received(bytes) {
      account()
      if (!begun) waitedMs = 0
      begun = true
      received += bytes
      if (waitedMs < stallMs) return
      if (received * 1000 < LEAST_PACE * waitedMs) fail(new Failure('STALLED', { side: 'read' }))
      received = 0
      waitedMs = 0
    },
  }
}

/**
 * An AbortController, as far as an attempt needs one: a small object is done in the time that Node's own take to be made,
 * listened to and ended.
 * @returns {{ signal: AbortSignal, abort: (reason: unknown) => void }} the signal has no event but `abort`, which comes once
 */
function createEnding() {
  /** @type {Set<() => void>} */
  const listeners = new Set()
  const signal = {
    aborted: false,
    /** @type {unknown} */
    reason: undefined,
    /** @param {'abort'} _ @param {() => void} listener */
    addEventListener(_, listener) {
      listeners.add(listener)
    },
    /** @param {'abort'} _ @param {() => void} listener */
    removeEventListener(_, listener) {
      listeners.delete(listener)
    },
  }
  return {
    signal: /** @type {any} */ (signal),
    abort(reason) {
      if (signal.aborted) return
      signal.aborted = true
      signal.reason = reason
      for (const listener of listeners) listener()
      listeners.clear()
    },
  }
}

/**
 * Waits for one thing, or for the end of the attempt.
 * @template T
 * @param {AbortSignal} signal its reason is what the promise rejects with
 * @param {(done: (value: T) => void) => void} arm arranges for `done` to be called
 * @returns {Promise<T>}
 */
function until(signal, arm) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    arm(value => {
      signal.removeEventListener('abort', onAbort)
      resolve(value)
    })
  })
}

module.exports = { LONGEST_TIMER_MS, startCourse, until }
