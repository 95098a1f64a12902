'use strict'

const REFRESH_BEFORE_MS = 5 * 60_000

/** @typedef {import('../types').CredentialsProvider} CredentialsProvider */

/**
 * Keeps what a provider gave until five minutes before it expires; callers at the same time share one question.
 *
 * @param {CredentialsProvider} provider
 * @param {() => number} [now]
 * @returns {CredentialsProvider}
 */
function memoize(provider, now = Date.now) {
  /** @type {Promise<import('../types').Credentials> | undefined} */
  let pending
  /** @type {import('../types').Credentials | undefined} */
  let kept
  return async () => {
    if (kept && (!kept.expiration || kept.expiration.getTime() - now() > REFRESH_BEFORE_MS)) return kept
    pending ??= provider().finally(() => {
      pending = undefined
    })
    kept = await pending
    return kept
  }
}

module.exports = { memoize }
