'use strict'

/** The back-off before a retry. Pure: randomness is an argument. */

/** Three retries take five to ten seconds, enough for a store that restarts or a network that changes. */
const FIRST_MS = 500
const GROWTH = 4
const MOST_MS = 20_000
/** The longest wait that a store or the platform may ask for. None is known to ask for more than a calendar minute. */
const MOST_ASKED_MS = 60_000

/**
 * Exponential with jitter: between half of the step and all of it, and never less than the server asked for.
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
