'use strict'

/** How much at once: what was asked for, as far as the engine allows it. */

const { repeat } = require('./repeat')

/** @typedef {import('./job').Job} Job */

/**
 * What the engine allows: so a missing action, an old one and a wrong key show here.
 *
 * @param {Job} job
 * @returns {Promise<import('./types').EngineLimits>}
 */
function askLimits({ engine, settings, stopping: signal, emit }) {
  return repeat(() => engine.limits({ signal }), {
    retries: settings.retries,
    signal,
    onRetry: ({ code, message }, attempt) =>
      emit({ type: 'retry', call: 'limits', side: 'engine', attempt, code, message }),
  })
}

/**
 * What was asked for, as far as the engine allows it; a plan needs no more invocations than parts.
 *
 * @param {Job} job
 * @param {import('./types').Plan} plan
 * @param {import('./types').EngineLimits} limits
 */
function agreeConcurrency({ engine, settings }, plan, { concurrent, perMinute }) {
  if (engine.name === 'local' && Object.keys(settings.engineLimits).length > 0) {
    plan.notices.push('--engine-limits speaks of a platform: the local engine does not heed it.')
  }
  const wanted = Math.min(settings.concurrency, plan.parts.length)
  if (concurrent < wanted) {
    const quota = Number.isFinite(perMinute) ? ` and ${perMinute.toLocaleString('en-US')} a minute` : ''
    plan.notices.push(`The ${engine.name} engine allows ${concurrent} invocations at once${quota}.`)
  }
  return Math.min(wanted, concurrent)
}

module.exports = { askLimits, agreeConcurrency }
