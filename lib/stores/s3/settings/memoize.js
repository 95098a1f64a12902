'use strict'

/** How long before they expire others are asked for, as far as they are good for so long. */
const REFRESH_BEFORE_MS = 5 * 60_000
/** Nobody is asked more often: for what is about to expire, or again after a failure. */
const LEAST_INTERVAL_MS = 1_000
const RETRY_INTERVAL_MS = 10_000
/** Where new ones are refused again and again, others would be no help. */
const MOST_RENEWALS = 5
const RENEWALS_MS = 10 * 60_000

/** @typedef {import('../../../types').Credentials} Credentials */
/** @typedef {import('../../../types').CredentialsProvider} CredentialsProvider */

/**
 * Keeps what a provider gave until five minutes before it expires, or until half of a shorter life is over; callers at
 * the same time share one question. Where the question fails, what is kept is given for as long as it is good.
 *
 * @param {() => Promise<Credentials>} provider
 * @param {() => number} [now]
 * @returns {CredentialsProvider & { renew: NonNullable<CredentialsProvider['renew']> }}
 */
function memoize(provider, now = Date.now) {
  /** @type {Promise<Credentials> | undefined} */
  let pending
  /** @type {{ credentials: Credentials, refreshMs: number } | undefined} */
  let kept
  /** When, of late. @type {number[]} */
  let renewals = []

  function ask() {
    pending ??= provider()
      .then(keep)
      .finally(() => {
        pending = undefined
      })
    return pending
  }

  /** @param {Credentials} given */
  function keep(given) {
    const sinceMs = now()
    const lifeMs = given.expiration ? given.expiration.getTime() - sinceMs : Number.POSITIVE_INFINITY
    const refreshMs = sinceMs + Math.max(lifeMs - REFRESH_BEFORE_MS, lifeMs / 2, LEAST_INTERVAL_MS)
    // The same ones are the same object: signers are kept by it.
    const credentials = kept && isSame(kept.credentials, given) ? kept.credentials : given
    kept = { credentials, refreshMs }
    return credentials
  }

  async function get() {
    const nowMs = now()
    if (kept && nowMs < kept.refreshMs) return kept.credentials
    try {
      return await ask()
    } catch (error) {
      const { expiration } = kept?.credentials ?? {}
      if (!kept || !expiration || expiration.getTime() <= nowMs) throw error
      kept.refreshMs = Math.min(nowMs + RETRY_INTERVAL_MS, expiration.getTime())
      return kept.credentials
    }
  }

  /** @param {Credentials} refused @returns {Promise<boolean>} */
  async function renew(refused) {
    if (pending) await pending.catch(() => {})
    if (kept && kept.credentials !== refused) return true
    const nowMs = now()
    renewals = renewals.filter(atMs => nowMs - atMs < RENEWALS_MS)
    if (renewals.length >= MOST_RENEWALS) return false
    renewals.push(nowMs)
    return (await ask().catch(() => refused)) !== refused
  }

  return Object.assign(get, { renew })
}

/** @param {Credentials} one @param {Credentials} other */
function isSame(one, other) {
  return (
    one.accessKeyId === other.accessKeyId &&
    one.secretAccessKey === other.secretAccessKey &&
    one.sessionToken === other.sessionToken &&
    one.expiration?.getTime() === other.expiration?.getTime()
  )
}

module.exports = { memoize }
