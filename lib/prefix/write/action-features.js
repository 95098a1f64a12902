'use strict'

/**
 * Whether the function that is deployed compares what an object is described by with what was supposed: one from before
 * there was such a thing would write it as it was supposed to be. So that is asked before anything is written.
 */

const { asXferError } = require('../../errors')
const { repeat } = require('../../async')

/** A platform that counts minutes may refuse everything for as long. */
const REFUSED_TOO_LONG_MS = 120_000

/**
 * @param {Pick<import('../../job/open').Job, 'engine' | 'settings' | 'run'>} job
 * @throws {import('../../types').XferError} ACTION_VERSION; what the platform says
 */
async function checkKnowing({ engine, settings: { retries }, run: { pressure, cancel: signal } }) {
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

module.exports = { checkKnowing }
