'use strict'

/** The key with which user delegation SAS are signed. It is asked for with a token of Entra ID, which goes nowhere else. */

const { memoize } = require('../../async')
const { VERSION, delegationSas } = require('./delegation-sas')

/** @typedef {import('./delegation-sas').DelegationKey} DelegationKey */

/** Azure allows a week. A SAS ends with its key, so a new one is asked for well before. */
const LIFE_MS = 6 * 3_600_000
const SPARE_MS = 30 * 60_000
/** It begins earlier, because no two clocks agree. */
const LEAD_MS = 15 * 60_000

/**
 * @param {object} of
 * @param {Pick<import('./types').AzureSettings, 'account' | 'endpoint'>} of.settings
 * @param {(life: { startMs: number, expiryMs: number }) => Promise<DelegationKey>} of.userDelegationKey asks the store, with the
 *   version `DELEGATION_VERSION`: https://learn.microsoft.com/en-us/rest/api/storageservices/get-user-delegation-key
 * @param {() => number} of.now the store's clock
 * @returns {{ sas(request: import('./delegation-sas').Delegated, lifeMs?: number): Promise<string> }} sas: resolves to the query to append;
 *   lifeMs: a quarter of an hour when absent; rejects as `userDelegationKey` does
 */
function createDelegation({ settings: { account, endpoint }, userDelegationKey, now }) {
  const plain = endpoint.startsWith('http:')
  const keys = memoize(async () => {
    const startMs = now() - LEAD_MS
    const expiryMs = now() + LIFE_MS
    const delegation = await userDelegationKey({ startMs, expiryMs })
    return { delegation, expiration: new Date(expiryMs - SPARE_MS) }
  }, now)

  return {
    async sas(request, lifeMs = 0) {
      // A key that lasts as long as was asked for; a SAS ends with its key.
      const long = lifeMs > SPARE_MS
      const nowMs = now()
      const delegation = long
        ? await userDelegationKey({ startMs: nowMs - LEAD_MS, expiryMs: nowMs + lifeMs })
        : (await keys()).delegation
      return delegationSas(request, { account, delegation, nowMs, ...(lifeMs > 0 && { lifeMs }), plain })
    },
  }
}

module.exports = { DELEGATION_VERSION: VERSION, createDelegation }
