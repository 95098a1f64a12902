'use strict'

/** What a timer of Node's holds: one that is set for longer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Real time, for what takes time as an argument. It is the epoch's when the program starts, and never steps: where this
 * machine's clock is set meanwhile, no pause becomes longer or shorter by that.
 *
 * @type {import('../types').Clock}
 */
const systemClock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  setTimeout(callback, ms) {
    /** @type {{ handle?: NodeJS.Timeout }} */
    const timer = {}
    const arm = (/** @type {number} */ leftMs) => {
      const next = Math.min(leftMs, LONGEST_TIMER_MS)
      timer.handle = setTimeout(() => (leftMs > next ? arm(leftMs - next) : callback()), next)
    }
    arm(ms)
    return timer
  },
  clearTimeout: timer => clearTimeout(/** @type {any} */ (timer)?.handle),
}

module.exports = { systemClock }
