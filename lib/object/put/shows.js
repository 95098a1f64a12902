'use strict'

const { setTimeout: delay } = require('node:timers/promises')
const { abortReason, asXferError } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { look } = require('../../destination')

/** Some stores show a new object a moment after the write. */
const WAITS_MS = [100, 300, 900]

/**
 * Waits until the destination shows the written object; returns what it shows in the end.
 *
 * @param {Pick<import('../../job/open').Side, 'store' | 'key'>} destination
 * @param {string} etag of the written object
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../../destination/look').Found & { error?: import('../../types').XferError }>} denied: also if the
 *   request fails, which `error` says
 */
async function lookUntilShown(destination, etag, signal) {
  for (const waitMs of [...WAITS_MS, undefined]) {
    const found = await look(destination, signal).catch(error => {
      if (signal?.aborted) throw error
      return { denied: true, error: asXferError(error) }
    })
    if (found.denied || waitMs === undefined) return found
    if ('object' in found && found.object && sameEtag(found.object.etag, etag)) return found
    await delay(waitMs, undefined, { signal }).catch(() => {
      throw signal ? abortReason(signal) : new Error('aborted')
    })
  }
  return { denied: true }
}

module.exports = { lookUntilShown }
