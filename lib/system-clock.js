'use strict'

/**
 * Real time, for what takes time as an argument. It is the epoch's when the program starts, and never steps: where this
 * machine's clock is set meanwhile, no pause becomes longer or shorter by that.
 *
 * @type {import('./types').Clock}
 */
const systemClock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: timer => clearTimeout(/** @type {any} */ (timer)),
}

module.exports = { systemClock }
