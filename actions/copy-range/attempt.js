'use strict'

/**
 * An attempt at a task: its end, its failure, and the watch for a side that stalls; the outcome of a task, by one attempt or two; the end of
 * the invocation, and its rate.
 */

const { Failure } = require('./failure')

/** @typedef {import('./failure').Side} Side */
/** @typedef {{ close: () => void }} Ending what ends with an attempt */

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
    /**
     * What the read was answered with: a file may take its time from it.
     * @type {import('./transport').Answer['headers'] | undefined}
     */
    this.source = undefined
    /** What ended it. @type {InstanceType<typeof Failure> | undefined} */
    this.failure = undefined
    /** Closed, each once, when the attempt fails or ends. @type {Set<Ending>} */
    this.endings = new Set()
    /** Rejects what is waited for. @type {((failure: unknown) => void) | undefined} */
    this.reject = undefined
    /** @type {Side} */
    this.watched = 'read'
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
    /** How long `timer` waits. */
    this.timerMs = 0
    /** What writes, and knows how many bytes this machine still has. @type {import('./transport').Call | undefined} */
    this.writer = undefined
    /** So many it had at the last silence; undefined: there was none since anything was heard. @type {number | undefined} */
    this.left = undefined
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
    const { endings } = this
    this.endings = new Set()
    for (const ending of endings) ending.close()
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
      this.timer = setTimeout(() => this.silence(), Math.min(ms, MAX_TIMER_MS))
    }
    this.left = undefined
    this.account()
  }

  /**
   * Nothing was heard of the side for as long as it may be silent. A slow destination may have taken bytes nevertheless: the kernel holds
   * some MiB, and takes none before it has sent a third of them. So while it has some, they have as much time again.
   */
  silence() {
    const before = this.left
    this.left = this.watched === 'write' ? this.writer?.unsent?.() : undefined
    if (!this.left || this.left === before) this.fail(new Failure('STALLED', { side: this.watched }))
    else this.timer?.refresh()
  }

  /** Neither side is waited for. */
  rest() {
    clearTimeout(this.timer)
    this.timer = undefined
    this.account()
  }

  /** Bytes moved, and now `side` is waited for. @param {Side} side */
  moved(side) {
    this.watched = side
    this.timer?.refresh()
    this.left = undefined
    this.account()
  }

  /** Adds the time until now to `waitedMs`, if we waited for the source. */
  account() {
    const now = performance.now()
    if (this.waitingSince !== undefined) this.waitedMs += now - this.waitingSince
    this.waitingSince = this.timer && this.watched === 'read' ? now : undefined
  }

  /**
   * Counts bytes from the source, which is waited for from now on. If they are too few for the time that we waited for
   * it, the attempt fails. Called for every piece, so it makes no new timer.
   * @param {number} bytes
   */
  received(bytes) {
    this.watched = 'read'
    this.timer?.refresh()
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

/** @typedef {{ etag: string, sums: import('../../lib/types').Sums, firstByteMs: number, headers?: import('../../lib/types').TaskHeaders }} Copied firstByteMs: by the clock of `performance` */

/**
 * @template T
 * @template {Pick<import('./copy').Options, 'stallMs' | 'reach' | 'running' | 'refuse'>} O
 * @param {T} task that `once` carries out, or refuses
 * @param {O} options
 * @param {(task: T, attempt: Attempt, options: O) => Promise<Copied>} once
 * @returns {Promise<import('../../lib/types').Outcome>} always; a failure is an outcome too
 */
async function outcomeOf(task, options, once) {
  const { stallMs, reach, running, refuse } = options
  const startedAtMs = Date.now()
  const started = performance.now()
  const { partNumber, bytes } = /** @type {import('../../lib/types').Task} */ (Object(task))
  if (refuse) return failedOutcome(partNumber, new Failure(refuse))
  // A connection kept from an earlier task may have died unnoticed, above all while the container was frozen. Then nothing has
  // happened yet, and the task is tried again, once, on new connections.
  for (let fresh = false; ; fresh = true) {
    const attempt = new Attempt({ stallMs, reach, fresh })
    running.add(attempt)
    try {
      const { firstByteMs, ...copied } = await once(task, attempt, options)
      const timing = {
        startedAtMs,
        firstByteMs: Math.round(firstByteMs - started),
        totalMs: Math.round(performance.now() - started),
      }
      return { partNumber, bytes, ...copied, timing }
    } catch (error) {
      const again = !fresh && error instanceof Failure && error.stale
      if (!again) return failedOutcome(partNumber, error, attempt)
    } finally {
      running.delete(attempt)
      attempt.fail(OVER)
    }
  }
}

/**
 * @param {number} partNumber of a task that may be none
 * @param {unknown} error
 * @param {Partial<Attempt>} [attempt] absent: none was begun
 * @returns {import('../../lib/types').Outcome}
 */
function failedOutcome(partNumber, error, { reads = 0, writes = 0, bytes = 0 } = {}) {
  return {
    partNumber: Number.isSafeInteger(partNumber) ? partNumber : 0,
    error: Failure.from(error).toJSON(),
    sent: { reads, writes, bytes },
  }
}

/** A task that would start closer to the end than this is not started. */
const START_MARGIN_MS = 2_000

/** Tasks that still run this long before the end are cut off, so that there is time to report the others. */
const CUT_MARGIN_MS = 1_000

/**
 * The end of the invocation.
 * @param {number} at milliseconds since the epoch; Infinity: there is none
 * @param {() => number} now the clock, in milliseconds since the epoch
 */
function makeDeadline(at, now) {
  let longest = 0
  return {
    /** Milliseconds until running tasks are cut off; Infinity where there is no deadline. */
    untilCut: () => at - CUT_MARGIN_MS - now(),
    /** Whether a task that takes as long as the longest so far would still be done in time. */
    leavesTime: () => at - now() > Math.max(START_MARGIN_MS, longest + CUT_MARGIN_MS),
    /** @param {number} ms that a successful task took */
    took: ms => {
      longest = Math.max(longest, ms)
    },
  }
}

/**
 * The rate is a limit in bytes per second for all that share the memory, threads included. They exchange no messages: they share only
 * the time at which all bytes that were taken will have passed (virtual scheduling, the generic cell rate algorithm of ITU-T I.371,
 * annex A).
 */

const MS = 1_000_000n
const SECOND = 1_000_000_000n

/** What may be ahead of the rate: after a pause, and because timers are late. */
const AHEAD = 100n * MS
/** But a piece at least, and one as large as a socket gives. */
const LEAST_AHEAD_BYTES = 65_536n

/** Of the memory. */
const PACE_BYTES = 8

/**
 * A rate limit.
 * @typedef {{ take: (bytes: number) => number }} Pace `take`: milliseconds after which these bytes are due. A caller
 *   that has read them already waits this long before it reads more.
 */

/**
 * Over any time, the bytes that were due in it are at most the rate times that time, and what a tenth of a second or one
 * piece has, whichever is more.
 * @param {object} how
 * @param {number} how.bytesPerSecond whole and positive
 * @param {() => bigint} how.nowNs nanoseconds, never going back, the same for all who share the memory (process.hrtime.bigint)
 * @param {SharedArrayBuffer} [how.memory] PACE_BYTES of zeros, one for all that share the rate
 * @returns {Pace}
 */
function createPace({ bytesPerSecond, nowNs, memory = new SharedArrayBuffer(PACE_BYTES) }) {
  const rate = BigInt(bytesPerSecond)
  const passed = new BigInt64Array(memory)
  const least = (LEAST_AHEAD_BYTES * SECOND) / rate
  const ahead = least > AHEAD ? least : AHEAD
  return {
    take(bytes) {
      const now = nowNs()
      const cost = (BigInt(bytes) * SECOND + rate - 1n) / rate
      for (;;) {
        const before = Atomics.load(passed, 0)
        let after = now + cost
        if (before > now) after = before + cost
        if (Atomics.compareExchange(passed, 0, before, after) !== before) continue
        const waitNs = after - ahead - now
        return waitNs > 0n ? Number((waitNs + MS - 1n) / MS) : 0
      }
    },
  }
}

module.exports = { Attempt, MAX_TIMER_MS, PACE_BYTES, createPace, makeDeadline, outcomeOf }
