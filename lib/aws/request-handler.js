'use strict'

const { agent } = require('../http')

const CONNECT_LIMIT_MS = 10_000

/**
 * The SDK's HTTP handler, with our agent: it knows proxies and certificates, and keeps connections.
 *
 * @param {string} endpoint a URL of http or https
 * @param {object} how
 * @param {number} how.silenceMs how long a connection may take, if that is less than the usual limit
 * @param {string} [how.ca] certificates to trust in addition to the usual ones, PEM
 * @param {import('../http/proxy').FindProxy} [how.proxy] absent: none
 * @param {number} [how.maxFreeSockets] idle connections to keep
 * @returns {any}
 */
function requestHandler(endpoint, { silenceMs, ca, proxy, ...options }) {
  const { NodeHttpHandler } = require('@smithy/node-http-handler')
  const ours = agent(endpoint, { ca, proxy, ...options })
  return new NodeHttpHandler({
    ...(endpoint.startsWith('https:') ? { httpsAgent: ours } : { httpAgent: ours }),
    connectionTimeout: Math.min(CONNECT_LIMIT_MS, silenceMs),
    // Silence has limits of ours, so the SDK's own for some services is off.
    socketTimeout: 0,
    throwOnRequestTimeout: true,
  })
}

module.exports = { requestHandler }
