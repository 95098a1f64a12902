'use strict'

/**
 * A token bucket: so many at once, and then so many a second.
 *
 * @param {{ atOnce?: number, perSecond?: number, clock: import('./clock').VirtualClock }} rate default no limit
 * @returns {() => boolean} takes one, if there is one
 */
function createTokens({ atOnce = Infinity, perSecond = 0, clock }) {
  let left = atOnce
  let filledMs = clock.now()
  return () => {
    const nowMs = clock.now()
    left = Math.min(atOnce, left + ((nowMs - filledMs) / 1000) * perSecond)
    filledMs = nowMs
    if (left < 1) return false
    left--
    return true
  }
}

module.exports = { createTokens }
