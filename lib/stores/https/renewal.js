'use strict'

/**
 * Follows the redirects of an address anew, when the server that they led to refuses a read: it may have been a signed address,
 * good for some minutes only.
 */

const { XferError } = require('../../errors')

/** A server that gives address after address, all of which are refused, must not keep the copy busy for ever. */
const MOST_RENEWALS = 5
const WITHIN_MS = 10 * 60_000

/** @typedef {Pick<import('./types').Found, 'url' | 'redirected'> & Partial<import('./types').Found>} Place */

/**
 * @param {object} of
 * @param {() => Place} of.found
 * @param {() => Promise<void>} of.findAgain
 * @param {Record<string, any>} of.facts for errors
 * @param {() => number} of.now
 * @returns {NonNullable<import('../contract').Store['renew']>}
 */
function createRenewal({ found, findAgain, facts, now }) {
  /** @type {Promise<void> | undefined} */
  let asking
  /** @type {number[]} */
  let renewals = []

  async function again() {
    const { etag, bytes } = found()
    await findAgain()
    const other = found()
    if (other.etag !== etag || other.bytes !== bytes) throw new XferError('SOURCE_CHANGED', facts)
  }

  return async ({ url }) => {
    if (asking) await asking
    else if (found().url === url) {
      renewals = renewals.filter(atMs => now() - atMs < WITHIN_MS)
      if (!found().redirected || renewals.length >= MOST_RENEWALS) return false
      renewals.push(now())
      asking = again().finally(() => {
        asking = undefined
      })
      await asking
    }
    return found().url !== url
  }
}

module.exports = { createRenewal }
