'use strict'

/** What a write has told, and how its object shows. */

const { setTimeout: delay } = require('node:timers/promises')
const { asXferError, abortReason } = require('../../errors')
const { sameEtag } = require('../../integrity')
const { look } = require('../../destination')

/** @typedef {import('./types').Sent} Sent */
/** @typedef {import('../../types').XferError} Failure */

/** @param {Pick<Sent, 'outcome' | 'told' | 'attributes'>} attempt @param {import('../../types').ObjectHead | undefined} stored */
function resultOf({ outcome, told, attributes }, stored) {
  const { bytes } = outcome
  const versionId = told.versionId ?? stored?.versionId
  const sums = { ...(stored?.sums ?? told.sums), ...outcome.sums }
  return {
    ...{ bytes, etag: told.etag, outcome, sums, attributes },
    ...(versionId !== undefined && { versionId }),
    ...(stored && { stored }),
  }
}

/** The cause of a part's failed attempts, without the error that wraps it. @param {Failure} error */
function rootOf(error) {
  return error.code === 'PART_FAILED' ? asXferError(error.cause) : error
}

/** @param {import('./types').KnownSource} one @param {import('./types').KnownSource} other */
function isSame(one, other) {
  return sameEtag(one.etag, other.etag) && one.bytes === other.bytes
}

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
  for (let tries = 0; ; tries++) {
    const found = await look(destination, signal).catch(error => {
      if (signal?.aborted) throw error
      return { denied: true, error: asXferError(error) }
    })
    const shown = 'object' in found && found.object && sameEtag(found.object.etag, etag)
    if (found.denied || shown || tries === WAITS_MS.length) return found
    await delay(WAITS_MS[tries], undefined, { signal }).catch(() => {
      throw signal ? abortReason(signal) : new Error('aborted')
    })
  }
}

module.exports = { isSame, lookUntilShown, resultOf, rootOf }
