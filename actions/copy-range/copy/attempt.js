'use strict'

/** An attempt at a task: its end, its failure, and the watch for a side that stalls. */

const { Failure } = require('../failure')

/** @typedef {import('../failure').Side} Side */

/**
 * One attempt at a task, as its steps see it. Every step reports what goes wrong to `fail`. The first failure ends the
 * attempt: it aborts `signal`, and with it every step and both connections end.
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
 * }} Attempt
 */

/**
 * The minimum rate of a source while we wait for it. A source that sends one byte now and then is
 * never silent, and would never end. The slowest usable connections are faster.
 */
const MIN_BYTES_PER_SECOND = 1024

/** The longest time that a timer of Node.js holds; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The abort reason of an attempt that is over. Never shown; one for all attempts, because a stack trace costs time. */
const OVER = new Failure('CANCELLED')

/**
 * @param {Pick<Attempt, 'stallMs' | 'fresh' | 'reach'>} options `fresh`: open new connections, do not trust the idle ones
 * @returns {Attempt}
 */
function startAttempt({ stallMs, fresh, reach }) {
  const ending = createEnding()
  const { signal } = ending
  /** @type {Side} */
  let watched = 'read'
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  /** Since when we wait for the source; undefined while we wait for the destination, or for neither. @type {number | undefined} */
  let waitingSince
  /** In the current period: how long we waited for it, and how many bytes came. */
  let waitedMs = 0
  let received = 0
  /** Whether any of the body has come: until then `watch` alone bounds the wait. */
  let begun = false
  /** Adds the time until now to `waitedMs`, if we waited for the source. */
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
    /** From now on `side` is waited for; it may be silent for `ms` at a time. */
    watch(side, ms) {
      rest()
      watched = side
      if (!signal.aborted) {
        timer = setTimeout(() => fail(new Failure('STALLED', { side: watched })), Math.min(ms, MAX_TIMER_MS))
        account()
      }
    },
    /** Neither side is waited for. */
    rest,
    /** Bytes moved, and now `side` is waited for. Called for every piece, so it makes no new timer. */
    moved(side) {
      watched = side
      timer?.refresh()
      account()
    },
    /** Counts bytes from the source. If they are too few for the time that we waited for it, the attempt fails. */
    received(bytes) {
      account()
      if (!begun) waitedMs = 0
      begun = true
      received += bytes
      if (waitedMs < stallMs) return
      if (received * 1000 < MIN_BYTES_PER_SECOND * waitedMs) fail(new Failure('STALLED', { side: 'read' }))
      received = 0
      waitedMs = 0
    },
  }
}

/**
 * An AbortController, as far as an attempt needs one. A small object is copied in the time that it takes to make one of
 * Node's own, to listen to it and to end it.
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

module.exports = { MAX_TIMER_MS, startAttempt, until }
