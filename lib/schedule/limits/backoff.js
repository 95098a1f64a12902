'use strict'

/** How long to wait before trying again. Pure: randomness comes in. */

/** Three retries bridge five to ten seconds: a store that restarts, a network that changes. */
const FIRST_MS = 500
const GROWTH = 4
const MOST_MS = 20_000
/** A peer may ask for a while, and not for hours: a calendar minute is the longest that any is known to mean. */
const MOST_ASKED_MS = 60_000

/**
 * Exponential with jitter: between half of the step and all of it, and never sooner than the peer asked for.
 *
 * @param {{ attempt: number, retryAfterMs?: number, random: () => number }} failure attempt: 1 for the first
 * @returns {number} milliseconds
 */
function backoffMs({ attempt, retryAfterMs = 0, random }) {
  const step = Math.min(MOST_MS, FIRST_MS * GROWTH ** (attempt - 1))
  const asked = Math.min(retryAfterMs, MOST_ASKED_MS)
  return Math.max(step * (0.5 + 0.5 * random()), asked * (1 + 0.1 * random()))
}

module.exports = { backoffMs }
