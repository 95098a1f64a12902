'use strict'

/** The longest delay of a Node.js timer; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * The real clock, for code that takes a clock as an argument. It starts at the epoch time and is monotonic: setting this
 * machine's clock makes no pause longer or shorter.
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
