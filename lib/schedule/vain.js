'use strict'

/**
 * Whether all attempts are in vain. That one object fails is its own matter, but where nobody is there any more a million of
 * them need not be tried one after the other, each for minutes. Pure: the clock comes in.
 */

const TOO_LONG_MS = 10 * 60_000
/** A few attempts may fail within that time, and one that is under way come to its end. */
const TOO_MANY = 100

function createVain() {
  /** In a row. */
  let attempts = 0
  let sinceMs = 0

  return {
    /**
     * One more came to nothing, though it might have.
     *
     * @param {number} nowMs
     * @returns {{ attempts: number, minutes: number } | undefined} where it is time to give up
     */
    again(nowMs) {
      if (attempts++ === 0) sinceMs = nowMs
      const ms = nowMs - sinceMs
      return attempts > TOO_MANY && ms > TOO_LONG_MS ? { attempts, minutes: Math.floor(ms / 60_000) } : undefined
    },
    /** Something was copied, or refused for good: they are there. */
    over() {
      attempts = 0
    },
  }
}

module.exports = { createVain }
