'use strict'

/**
 * A cap on bytes per second. Bodies that share one divide it among themselves.
 *
 * @param {number} bytesPerSecond
 */
function createPace(bytesPerSecond) {
  /** The time at which the bytes so far are within the cap. */
  let paidAt = 0
  return {
    /** The largest piece in which bodies are sent and read, so that a slow one flows evenly. */
    pieceBytes: Math.max(1, Math.min(65536, Math.ceil(bytesPerSecond / 20))),
    /** @param {number} bytes @returns {number} milliseconds to wait after them */
    take(bytes) {
      const now = performance.now()
      paidAt = Math.max(paidAt, now) + (bytes / bytesPerSecond) * 1000
      return paidAt - now
    },
  }
}

/** @typedef {ReturnType<typeof createPace>} Pace */

module.exports = { createPace }
