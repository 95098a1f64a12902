'use strict'

/** When two addresses are the same object. Pure. */

const { isLoopback } = require('../../../http')
const { namingDigest } = require('./query')

/**
 * The query names the object too, but for its signature; the journal keeps a digest of it.
 *
 * @param {import('../../contract').Place} place
 * @param {Pick<import('../types').HttpsSettings, 'endpoint'>} settings
 * @returns {import('../../contract').Identity}
 */
function identify(place, { endpoint }) {
  const url = new URL(endpoint)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const server = isLoopback(url.hostname) ? `loopback:${port}` : url.host
  const named = namingDigest(/** @type {import('../types').HttpsPlace} */ (place).query?.() ?? '')
  return { host: named === undefined ? endpoint : `${endpoint}?${named}`, server, name: endpoint }
}

module.exports = { identify }
