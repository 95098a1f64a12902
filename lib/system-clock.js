'use strict'

/** Real time, for what takes time as an argument. @type {import('./types').Clock} */
const systemClock = {
  now: Date.now,
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: timer => clearTimeout(/** @type {any} */ (timer)),
}

module.exports = { systemClock }
