'use strict'

/** Requests to the platform before anything is copied. If it refuses them, the job waits, and says what for. */

const { asXferError } = require('../errors')
const { repeat } = require('../async')
const { notice } = require('../notices')

/** @typedef {import('../job/open').Run} Run */

/** A platform with a quota for each minute may refuse all calls for up to two minutes. */
const REFUSED_TOO_LONG_MS = 120_000
/** So many refusals that are not about a quota are told: the back-off before this one is about a second. */
const TOLD_FROM = 4

/**
 * Repeats a request of the engine, up to two minutes if the platform throttles.
 *
 * @template T
 * @param {() => Promise<T>} call
 * @param {{ retries: number, run: Pick<Run, 'pressure' | 'cancel' | 'emit'>, onRetry?: (error: import('../types').XferError, attempt: number) => void }} how
 * @returns {Promise<T>}
 * @throws {import('../types').XferError} the last failure, or the abort's reason
 */
async function askPatiently(call, { retries, run: { pressure, cancel: signal, emit }, onRetry }) {
  const sinceMs = Date.now()
  let refusals = 0
  /** @type {{ perMinute?: number } | undefined} */
  let waiting
  /** @param {import('../types').XferError} error */
  function refused({ throttled, facts: { throttle, allowed } }) {
    const ofQuota = throttled && throttle === 'rate'
    waiting = ofQuota ? { ...(allowed !== undefined && { perMinute: allowed }) } : undefined
    refusals = throttled ? refusals + 1 : 0
    if (ofQuota) emit(notice('WAITING_FOR_PLATFORM', { throttle, allowed }))
    else if (refusals === TOLD_FROM) emit(notice('WAITING_FOR_PLATFORM', { times: refusals }))
  }
  const unwatch = pressure?.watchQuota(() => waiting)
  const how = {
    retries,
    signal,
    outages: pressure?.outages,
    /** @param {import('../types').XferError} error @param {number} attempt */
    onRetry(error, attempt) {
      onRetry?.(error, attempt)
      refused(error)
    },
  }
  try {
    for (;;) {
      try {
        return await repeat(call, how)
      } catch (cause) {
        const error = asXferError(cause)
        if (!error.throttled || signal?.aborted || Date.now() - sinceMs > REFUSED_TOO_LONG_MS) throw error
      }
    }
  } finally {
    unwatch?.()
  }
}

module.exports = { askPatiently }
