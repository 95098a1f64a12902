'use strict'

/**
 * Asks, before anything is written, whether the deployed function compares an object's headers with the guessed ones. An
 * older function would write the object with the guessed headers.
 */

const { asXferError } = require('../../errors')
const { repeat } = require('../../async')

/** A platform with a quota for each minute may refuse all calls for up to two minutes. */
const REFUSED_TOO_LONG_MS = 120_000

/**
 * @param {Pick<import('../../job/open').Job, 'engine' | 'settings' | 'run'>} job
 * @throws {import('../../types').XferError} ACTION_VERSION; the platform's errors
 */
async function checkActionFeatures({ engine, settings: { retries }, run: { pressure, cancel: signal } }) {
  const { features } = engine.can
  if (!features) return
  const sinceMs = Date.now()
  for (;;) {
    try {
      const how = { retries, signal, outages: pressure?.outages }
      await repeat(() => features(['headers'], { signal }), how)
      return
    } catch (cause) {
      const error = asXferError(cause)
      if (!error.throttled || signal?.aborted || Date.now() - sinceMs > REFUSED_TOO_LONG_MS) throw error
    }
  }
}

module.exports = { checkActionFeatures }
