'use strict'

/** An attempt at a task: its end, its failure, and the watch for a side that stalls. */

const { Failure } = require('./failure')

/** @typedef {import('./failure').Side} Side */

/**
 * The minimum rate of a source while we wait for it. A source that sends one byte now and then is
 * never silent, and would never end. The slowest usable connections are faster.
 */
const MIN_BYTES_PER_SECOND = 1024

/** The longest time that a timer of Node.js holds; a longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** What ends an attempt that is over. Never shown; one for all attempts, because a stack trace costs time. */
const OVER = new Failure('CANCELLED')

/**
 * One attempt at a task, as its steps see it. Every step reports what goes wrong to `fail`. The first failure ends the
 * attempt, and with it every step and both connections. A small object is copied in the time that it takes to make an
 * AbortController of Node's own, to listen to it and to end it; so an attempt has no more of one than it needs.
 */
class Attempt {
  /**
   * @param {{ stallMs: number, fresh: boolean, reach: import('./net').Reach }} how fresh: open new connections, do not trust
   *   the idle ones
   */
  constructor({ stallMs, fresh, reach }) {
    this.stallMs = stallMs
    this.fresh = fresh
    this.reach = reach
    /** What was asked of the stores, for what it costs. */
    this.reads = 0
    this.writes = 0
    this.bytes = 0
    /** What ended it. @type {InstanceType<typeof Failure> | undefined} */
    this.failure = undefined
    /** @type {Array<() => void>} */
    this.listeners = []
    /** Rejects what is waited for. @type {((failure: unknown) => void) | undefined} */
    this.reject = undefined
    /** @type {Side} */
    this.watched = 'read'
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    /** How long `timer` waits. */
    this.timerMs = 0
    /** Since when we wait for the source; undefined while we wait for the destination, or for neither. @type {number | undefined} */
    this.waitingSince = undefined
    /** In the current period: how long we waited for the source, and how many bytes came. */
    this.waitedMs = 0
    this.receivedBytes = 0
    /** Whether any of the body has come: until then `watch` alone bounds the wait. */
    this.begun = false
  }

  /** @param {InstanceType<typeof Failure>} failure */
  fail(failure) {
    if (this.failure) return
    this.failure = failure
    this.rest()
    this.reject?.(failure)
    const { listeners } = this
    this.listeners = []
    for (const listener of listeners) listener()
  }

  end() {
    this.fail(OVER)
  }

  /** @param {() => void} listener called once, when the attempt fails or ends */
  onEnd(listener) {
    this.listeners.push(listener)
  }

  /** @param {() => void} listener of `onEnd` */
  offEnd(listener) {
    const at = this.listeners.indexOf(listener)
    if (at >= 0) this.listeners.splice(at, 1)
  }

  /**
   * Waits for one thing, or for the end of the attempt. The steps wait one after the other.
   * @template T
   * @param {(done: (value: T) => void) => void} arm arranges for `done` to be called
   * @returns {Promise<T>} rejects with the failure
   */
  until(arm) {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure)
      this.reject = reject
      arm(resolve)
    })
  }

  /** From now on `side` is waited for; it may be silent for `ms` at a time. @param {Side} side @param {number} ms */
  watch(side, ms) {
    if (this.failure) return
    this.watched = side
    if (this.timer && this.timerMs === ms) this.timer.refresh()
    else {
      clearTimeout(this.timer)
      this.timerMs = ms
      this.timer = setTimeout(
        () => this.fail(new Failure('STALLED', { side: this.watched })),
        Math.min(ms, MAX_TIMER_MS),
      )
    }
    this.account()
  }

  /** Neither side is waited for. */
  rest() {
    clearTimeout(this.timer)
    this.timer = undefined
    this.account()
  }

  /** Bytes moved, and now `side` is waited for. Called for every piece, so it makes no new timer. @param {Side} side */
  moved(side) {
    this.watched = side
    this.timer?.refresh()
    this.account()
  }

  /** Adds the time until now to `waitedMs`, if we waited for the source. */
  account() {
    const now = performance.now()
    if (this.waitingSince !== undefined) this.waitedMs += now - this.waitingSince
    this.waitingSince = this.timer && this.watched === 'read' ? now : undefined
  }

  /**
   * Counts bytes from the source. If they are too few for the time that we waited for it, the attempt fails.
   * @param {number} bytes
   */
  received(bytes) {
    this.account()
    this.bytes += bytes
    if (!this.begun) this.waitedMs = 0
    this.begun = true
    this.receivedBytes += bytes
    if (this.waitedMs < this.stallMs) return
    if (this.receivedBytes * 1000 < MIN_BYTES_PER_SECOND * this.waitedMs)
      this.fail(new Failure('STALLED', { side: 'read' }))
    this.receivedBytes = 0
    this.waitedMs = 0
  }
}

/** @param {Partial<Attempt>} [attempt] absent: none was begun @returns {import('../../lib/types').Sent} */
const sentBy = ({ reads = 0, writes = 0, bytes = 0 } = {}) => ({ reads, writes, bytes })

module.exports = { Attempt, MAX_TIMER_MS, sentBy }
