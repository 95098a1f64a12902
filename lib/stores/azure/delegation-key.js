'use strict'

/**
 * Asks for the key with which delegation.js signs.
 * https://learn.microsoft.com/rest/api/storageservices/get-user-delegation-key
 */

const { XferError } = require('../../errors')
const { DELEGATION_VERSION } = require('./delegation')

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
 * @param {Pick<ReturnType<typeof import('./control').createControl>, 'call' | 'facts'>} control
 * @returns {(life: { startMs: number, expiryMs: number }) => Promise<import('./delegation-sas').DelegationKey>}
 */
function createKeyRequest({ call, facts }) {
  return async ({ startMs, expiryMs }) => {
    const [start, expiry] = [startMs, expiryMs].map(ms => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z'))
    const info = `<KeyInfo><Start>${start}</Start><Expiry>${expiry}</Expiry></KeyInfo>`
    const { values } = await call({
      ...{ operation: 'Get User Delegation Key', kind: 'delegate', method: 'POST', service: true, statuses: [200] },
      query: { restype: 'service', comp: 'userdelegationkey' },
      headers: { 'content-type': 'application/xml', 'x-ms-version': DELEGATION_VERSION },
      body: Buffer.from(`<?xml version="1.0" encoding="utf-8"?>${info}`),
    })
    const missing = Object.keys(NAMES).find(name => !values[name])
    if (missing) {
      throw new XferError('BAD_ANSWER', {
        ...facts,
        reason: `it answers with a user delegation key without ${missing}`,
      })
    }
    const entries = Object.entries(NAMES).map(([name, ours]) => [ours, values[name].trim()])
    return Object.fromEntries(entries)
  }
}

module.exports = { createKeyRequest }
