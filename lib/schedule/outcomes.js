'use strict'

/** Reads the outcomes of an invocation or of a request. */

const { asXferError } = require('../errors')

/** @typedef {import('../types').XferError} Failure */

/**
 * How long a function worked, by its own clock.
 *
 * @param {import('../types').Outcome[]} outcomes
 * @returns {number | undefined} milliseconds; undefined if not all outcomes have times
 */
function workedMs(outcomes) {
  const times = outcomes.flatMap(outcome => ('timing' in outcome && outcome.timing ? [outcome.timing] : []))
  if (times.length === 0 || times.length < outcomes.length) return undefined
  const began = Math.min(...times.map(({ startedAtMs }) => startedAtMs))
  const ended = Math.max(...times.map(({ startedAtMs, totalMs }) => startedAtMs + totalMs))
  return Math.max(1, ended - began)
}

/**
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<{ value?: T, error?: Failure }>}
 */
async function tried(action) {
  try {
    return { value: await action() }
  } catch (error) {
    return { error: asXferError(error) }
  }
}

module.exports = { tried, workedMs }
