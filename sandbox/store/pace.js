'use strict'

/**
 * A cap on bytes a second. One may be shared by many bodies; they then divide it.
 *
 * @param {number} bytesPerSecond
 */
function createPace(bytesPerSecond) {
  /** When the bytes taken so far are paid for. */
  let paidAt = 0
  return {
    /** Bodies are sent and read in pieces of at most this, so that a slow one flows instead of jumping. */
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
