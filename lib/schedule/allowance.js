'use strict'

/** Concurrency and bandwidth of a job: what the user asked for, within the engine's limits. */

const { XferError, asXferError } = require('../errors')
const { repeat } = require('../async')
const { notice } = require('../notices')

/** A platform with a quota for each minute may refuse all calls for up to two minutes. */
const REFUSED_TOO_LONG_MS = 120_000
/** The user is told after this many refusals that are not about a quota: by then the back-off is about a second. */
const TOLD_FROM = 4
/** The least bandwidth of one connection, in bytes per second: a slower one would be idle for so long that it counts as dead. */
const LEAST_RATE = 128 * 1024
/** The share of an invocation's timeout that copying a part may take. */
const SHARE_OF_TIMEOUT = 0.6
/** How many seconds of the user's bandwidth may be in flight. Less: an interrupt loses less. More: each connection is used better. */
const SECONDS_IN_FLIGHT = 20

/** @typedef {import('../job/open').Job} Job */
/** @typedef {import('../job/contract').Settings} Settings */

/**
 * Asks the engine for its limits. A missing or old action and a wrong key are found here. If the platform refuses, the job
 * waits up to two minutes, and says what for.
 *
 * @param {Pick<Job, 'engine' | 'run'> & { settings: Pick<Settings, 'retries' | 'dryRun'> }} job
 * @returns {Promise<import('../engines/contract').AnsweredLimits>}
 * @throws {XferError} the last failure, or the abort's reason
 */
async function askLimits({ engine, settings: { retries, dryRun }, run: { pressure, cancel: signal, emit } }) {
  const { outages } = pressure
  const askedMs = outages.now()
  let refusals = 0
  /** @type {{ perMinute?: number } | undefined} */
  let waiting
  /** @param {import('../types').XferError} error @param {number} attempt */
  function onRetry({ code, message, throttled, facts: { throttle, allowed } }, attempt) {
    emit({ type: 'retry', call: 'limits', side: 'engine', attempt, code, message })
    const ofQuota = throttled && throttle === 'rate'
    waiting = ofQuota ? { ...(allowed !== undefined && { perMinute: allowed }) } : undefined
    refusals = throttled ? refusals + 1 : 0
    if (ofQuota) emit(notice('WAITING_FOR_PLATFORM', { throttle, allowed }))
    else if (refusals === TOLD_FROM) emit(notice('WAITING_FOR_PLATFORM', { times: refusals }))
  }
  /** @returns {Promise<import('../engines/contract').AnsweredLimits>} */
  async function ask() {
    try {
      return await repeat(() => engine.limits({ signal, dryRun }), { retries, signal, outages, onRetry })
    } catch (cause) {
      const error = asXferError(cause)
      if (!error.throttled || signal?.aborted || outages.now() - askedMs > REFUSED_TOO_LONG_MS) throw error
      return await ask()
    }
  }
  const unwatch = pressure.watch({ waitsForQuota: () => waiting })
  const limits = await ask().finally(unwatch)
  outages.answered('platform', askedMs)
  if (limits.notReady) {
    const { message, hint } = limits.notReady
    emit(notice('ENGINE_NOT_READY', { message, hint }))
  }
  // Told once: later it may change a little with every answer.
  let told = false
  const onPool = (/** @type {number} */ containers) => {
    if (!told) emit(notice('PLATFORM_POOL', { containers, memoryBytes: limits.memoryBytes }))
    told = true
  }
  return { ...limits, onPool }
}

/**
 * The number of concurrent invocations: what was asked for, within the engine's limit, and not more than the plan has parts, unless it grows.
 *
 * @param {Pick<Job, 'engine' | 'settings' | 'run'>} job
 * @param {import('../types').Plan} plan
 * @param {import('../types').EngineLimits} limits
 */
function agreeConcurrency({ engine, settings }, plan, { concurrent, perMinute }) {
  const wanted = plan.growing ? settings.concurrency : Math.min(settings.concurrency, plan.parts.length)
  // Nobody asked for the default. The user's concurrency is about invocations: a store that copies by itself needs no notice.
  if (concurrent < wanted && !settings.usualConcurrency && engine.runsOn !== 'store') {
    const quota = Number.isFinite(perMinute) ? { perMinute } : {}
    plan.notices.push(notice('CONCURRENCY_LIMITED', { engine: engine.name, concurrent, ...quota }))
  }
  return Math.min(wanted, concurrent)
}

/**
 * Applies `--bandwidth`: lowers the concurrency so that each invocation gets enough bandwidth, and few parts are in flight.
 * For an engine that cannot share a rate among its invocations, the scheduler shares it (`createHoldings`):
 * also sets what each gets at least.
 *
 * @param {Pick<Job, 'engine'> & { settings: Pick<Settings, 'bytesPerSecond'> }} job
 * @param {{ concurrency: number, limits: import('../types').EngineLimits, partBytes: number, mixed?: boolean }} agreed
 *   partBytes: size of the largest part; mixed: there may be many small objects, of which more may be in flight
 * @returns {{ concurrency: number, limits: import('../types').EngineLimits }}
 * @throws {XferError} USAGE if an invocation could not copy even one part within its timeout
 */
function shareRate({ engine, settings }, { concurrency, limits, partBytes, mixed = false }) {
  const { bytesPerSecond } = settings
  if (bytesPerSecond === undefined) return { concurrency, limits }
  const bytesInFlight = SECONDS_IN_FLIGHT * bytesPerSecond
  const invocationBytes = Math.max(1, partBytes)
  const enough = Math.max(1, Math.floor(bytesPerSecond / LEAST_RATE))
  const few = mixed ? concurrency : Math.ceil(bytesInFlight / invocationBytes)
  const most = Math.min(concurrency, enough, few)
  if (engine.can.pace) return { concurrency: most, limits: { ...limits, bytesInFlight } }
  const seconds = (SHARE_OF_TIMEOUT * limits.timeoutMs) / 1000
  const inTime = Math.floor((bytesPerSecond * seconds) / invocationBytes)
  if (inTime < 1) {
    throw new XferError('USAGE', {
      text: `At this --bandwidth a function needs longer for a part than the ${Math.round(limits.timeoutMs / 1000)} s that it may run.`,
      advice: 'Choose a smaller --chunk or a higher --bandwidth, or copy with --engine local.',
    })
  }
  const atOnce = Math.min(most, inTime)
  const shared = { bandwidth: bytesPerSecond, bytesPerSecond: Math.floor(bytesPerSecond / atOnce), bytesInFlight }
  return { concurrency: atOnce, limits: { ...limits, ...shared } }
}

/**
 * What the invocations in flight hold while there is a limit of the bandwidth: their bytes, and a share of the rate if the
 * engine cannot share it by itself. Many parts at once would all take long, and an interrupt would lose what each of them
 * has moved, so the bytes are limited. A share is for as long as the invocation runs, because nobody can tell a function
 * another one. All shares together never exceed the bandwidth, and an invocation waits until enough of it is free. Pure.
 */

/** Most functions move less. More would be kept from others for nothing. */
const MOST_EACH = 256 * 1024 ** 2

/**
 * @param {Pick<import('../types').EngineLimits, 'bandwidth' | 'bytesPerSecond' | 'bytesInFlight'>} limits what is absent is
 *   not limited
 */
function createHoldings({
  bandwidth = Number.POSITIVE_INFINITY,
  bytesPerSecond: least = bandwidth,
  bytesInFlight: most = Number.POSITIVE_INFINITY,
}) {
  /** @type {Map<object, { itsBytes: number, share: number | undefined }>} */
  const held = new Map()
  let bytes = 0
  let free = bandwidth

  /**
   * The share of an invocation that starts now: of all, among those that run or may start now; or of what is free, among
   * those that may start now, if that is more.
   *
   * @param {number} coming invocations that may start now, this one included
   * @returns {number | undefined} bytes per second; undefined if it may be as fast as it can
   */
  function shareFor(coming) {
    if (bandwidth === Number.POSITIVE_INFINITY) return undefined
    const fair = Math.max(bandwidth / (held.size + coming), free / coming)
    return Math.floor(Math.min(free, Math.max(least, Math.min(fair, MOST_EACH))))
  }

  return {
    /**
     * Whether another invocation may start: a single one always, however large it is. With far less than an even share it
     * would end long after the others.
     *
     * @param {number} slots invocations at once
     */
    isFree: slots => bytes < most && free >= Math.max(least, bandwidth / slots / 2),

    /** How many invocations of this size may start now. @param {number} each bytes */
    startable: each => (bytes < most ? Math.ceil((most - bytes) / Math.max(1, each)) : 0),

    shareFor,

    /** @param {object} invocation anything that is its own @param {number} itsBytes @param {number} coming as for `shareFor` */
    take(invocation, itsBytes, coming) {
      const share = shareFor(coming)
      held.set(invocation, { itsBytes, share })
      bytes += itsBytes
      free -= share ?? 0
    },

    /** @param {object} invocation @returns {number | undefined} its share */
    of: invocation => held.get(invocation)?.share,

    /** The invocation has ended. @param {object} invocation */
    release(invocation) {
      const { itsBytes = 0, share = 0 } = held.get(invocation) ?? {}
      bytes -= itsBytes
      free += share
      held.delete(invocation)
    },
  }
}

module.exports = { askLimits, agreeConcurrency, shareRate, createHoldings }
