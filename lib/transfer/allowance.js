'use strict'

/** How much at once: what was asked for, as far as the engine allows it. */

const { XferError } = require('../errors')
const { repeat } = require('../async')
const { notice } = require('../notices')

/** Where connections share a rate each gets at least so much: those that are idle for long are taken for dead. */
const LEAST_EACH = 128 * 1024
/** Of the time that an invocation may run. */
const SHARE_OF_TIMEOUT = 0.6

/** @typedef {import('../job/open').Job} Job */

/**
 * What the engine allows: so a missing action, an old one and a wrong key show here.
 *
 * @param {Pick<Job, 'engine' | 'settings' | 'run'>} job
 * @returns {Promise<import('../types').EngineLimits>}
 */
async function askLimits({ engine, settings, run }) {
  const { pressure, cancel: signal, emit } = run
  const { outages } = pressure
  const askedMs = outages?.now() ?? 0
  const limits = await repeat(() => engine.limits({ signal }), {
    retries: settings.retries,
    signal,
    outages,
    onRetry: ({ code, message }, attempt) =>
      emit({ type: 'retry', call: 'limits', side: 'engine', attempt, code, message }),
  })
  outages?.answered('platform', askedMs)
  return limits
}

/**
 * What was asked for, as far as the engine allows it; a plan needs no more invocations than parts.
 *
 * @param {Pick<Job, 'engine' | 'settings' | 'run'>} job
 * @param {import('../types').Plan} plan
 * @param {import('../types').EngineLimits} limits
 */
function agreeConcurrency({ engine, settings }, plan, { concurrent, perMinute }) {
  if (engine.runsOn === 'machine' && Object.keys(settings.engineLimits).length > 0) {
    plan.notices.push(notice('ENGINE_LIMITS_IGNORED', { engine: engine.name }))
  }
  const wanted = Math.min(settings.concurrency, plan.parts.length)
  // Of a store nobody was promised more.
  if (concurrent < wanted && engine.runsOn !== 'store') {
    const quota = Number.isFinite(perMinute) ? { perMinute } : {}
    plan.notices.push(notice('CONCURRENCY_LIMITED', { engine: engine.name, concurrent, ...quota }))
  }
  return Math.min(wanted, concurrent)
}

/**
 * Where all that is moved has a rate: so many at once that each gets enough of it; and, of an engine whose invocations
 * know nothing of each other, the share of each.
 *
 * @param {Pick<Job, 'engine' | 'settings'>} job
 * @param {{ concurrency: number, limits: import('../types').EngineLimits, partBytes: number }} agreed partBytes: of the largest part
 * @returns {{ concurrency: number, limits: import('../types').EngineLimits }}
 * @throws {XferError} USAGE where an invocation could not copy even one part in its time
 */
function shareRate({ engine, settings }, { concurrency, limits, partBytes }) {
  const { bytesPerSecond, partsPerInvocation = 1 } = settings
  if (bytesPerSecond === undefined) return { concurrency, limits }
  const enough = Math.max(1, Math.floor(bytesPerSecond / LEAST_EACH))
  if (engine.can.pace) return { concurrency: Math.min(concurrency, enough), limits }
  const seconds = (SHARE_OF_TIMEOUT * limits.timeoutMs) / 1000
  const inTime = Math.floor((bytesPerSecond * seconds) / Math.max(1, partBytes * partsPerInvocation))
  if (inTime < 1) {
    throw new XferError('USAGE', {
      text: `At this --bandwidth a function needs longer for a part than the ${Math.round(limits.timeoutMs / 1000)} s that it may run.`,
      advice: 'Choose a smaller --chunk or a higher --bandwidth, or copy with --engine local.',
    })
  }
  const atOnce = Math.min(concurrency, enough, inTime)
  return { concurrency: atOnce, limits: { ...limits, bytesPerSecond: Math.floor(bytesPerSecond / atOnce) } }
}

module.exports = { askLimits, agreeConcurrency, shareRate }
