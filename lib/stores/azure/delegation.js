'use strict'

/** The key with which user delegation SAS are signed. It is asked for with a token of Entra ID, which goes nowhere else. */

const { memoize } = require('../../async')
const { XferError } = require('../../errors')
const { VERSION, delegationSas } = require('./sas')

/** @typedef {import('./sas').DelegationKey} DelegationKey */

/** Azure allows a week. A SAS ends with its key, so a new one is asked for well before. */
const LIFE_MS = 6 * 3_600_000
const SPARE_MS = 30 * 60_000
/** It begins earlier, because no two clocks agree. */
const LEAD_MS = 15 * 60_000

/** By the names of the document. */
const NAMES = /** @type {const} */ ({
  SignedOid: 'signedOid',
  SignedTid: 'signedTid',
  SignedStart: 'signedStart',
  SignedExpiry: 'signedExpiry',
  SignedService: 'signedService',
  SignedVersion: 'signedVersion',
  Value: 'value',
})

/**
 * @param {object} of
 * @param {Pick<import('./types').AzureSettings, 'account' | 'endpoint'>} of.settings
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts' | 'now'>} of.control
 * @returns {{ sas(request: import('./sas').Delegated, lifeMs?: number): Promise<string> }} sas: resolves to the query to append;
 *   lifeMs: a quarter of an hour when absent
 */
function createDelegation({ settings: { account, endpoint }, control: { call, facts, now } }) {
  const plain = endpoint.startsWith('http:')
  const keys = memoize(async () => {
    const expiryMs = now() + LIFE_MS
    return { delegation: await askKey(expiryMs), expiration: new Date(expiryMs - SPARE_MS) }
  }, now)

  /**
   * https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
   *
   * @param {number} expiryMs
   * @returns {Promise<DelegationKey>}
   */
  async function askKey(expiryMs) {
    const [start, expiry] = [now() - LEAD_MS, expiryMs].map(ms => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z'))
    const info = `<KeyInfo><Start>${start}</Start><Expiry>${expiry}</Expiry></KeyInfo>`
    const { values } = await call({
      ...{ operation: 'Get User Delegation Key', kind: 'delegate', method: 'POST', service: true, statuses: [200] },
      query: { restype: 'service', comp: 'userdelegationkey' },
      headers: { 'content-type': 'application/xml', 'x-ms-version': VERSION },
      body: Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${info}`),
    })
    const missing = Object.keys(NAMES).find(name => !values[name])
    if (missing) {
      const reason = `it answers with a user delegation key without ${missing}`
      throw new XferError('BAD_ANSWER', { ...facts, reason })
    }
    const entries = Object.entries(NAMES).map(([name, ours]) => [ours, values[name].trim()])
    return Object.fromEntries(entries)
  }

  return {
    async sas(request, lifeMs) {
      // A key that lasts as long as was asked for; a SAS ends with its key.
      const long = lifeMs !== undefined && lifeMs > SPARE_MS
      const delegation = long ? await askKey(now() + lifeMs) : (await keys()).delegation
      return delegationSas(request, { account, delegation, nowMs: now(), lifeMs, plain })
    },
  }
}

module.exports = { createDelegation }
