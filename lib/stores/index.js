'use strict'

/**
 * The table of stores. A store is a factory `({ bucket, settings, now }) => Store`; the contract is the interface
 * `Store` in ./contract.d.ts, and test/contract/store.js is its suite.
 *
 * What an implementation must keep: it never repeats a call for a failure (withRetry does, from outside); the
 * `…Request` functions make one signed request for one attempt and ask nothing of the network beyond credentials;
 * every refusal is an XferError of the table in ../errors.js with the facts side, bucket and endpoint.
 */

const { STORES } = require('./registry')

/**
 * @param {import('../types').ObjectLocation} location
 * @param {import('../types').SideSettings} settings
 */
function createStore(location, settings) {
  const create = STORES[/** @type {keyof typeof STORES} */ (location.scheme)].load()
  return create({ bucket: location.bucket, settings })
}

module.exports = { createStore }
