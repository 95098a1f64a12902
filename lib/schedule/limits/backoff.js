'use strict'

/** The back-off before a retry. Pure: randomness is an argument. */

const { requestedWaitMs } = require('../../async')

/** Three retries take five to ten seconds, enough for a store that restarts or a network that changes. */
const FIRST_MS = 500
const GROWTH = 4
const MOST_MS = 20_000

/**
 * Exponential with jitter: between half of the step and all of it, and never less than the server asked for.
 *
 * @param {{ attempt: number, retryAfterMs?: number, random: () => number }} failure attempt: 1 for the first
 * @returns {number} milliseconds
 */
function backoffMs({ attempt, retryAfterMs, random }) {
  const step = Math.min(MOST_MS, FIRST_MS * GROWTH ** (attempt - 1))
  const asked = requestedWaitMs(retryAfterMs)
  return Math.max(step * (0.5 + 0.5 * random()), asked * (1 + 0.1 * random()))
}

module.exports = { backoffMs }
