'use strict'

const { agentFor, proxyFor, trusting } = require('../../actions/copy-range/net')
const { XferError } = require('../errors')

/**
 * A keep-alive agent for one origin, direct or through the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 *
 * @param {string} origin
 * @param {{ maxFreeSockets?: number, rejectUnauthorized?: boolean, ca?: string, proxy?: import('./given-proxy').GivenProxy }} [options] ca: certificates to trust
 *   besides the usual ones, PEM; proxy: in place of the environment's
 * @returns {import('node:http').Agent}
 * @throws {XferError} USAGE when the proxy variable holds no URL
 */
function agent(origin, { ca, proxy, ...options } = {}) {
  try {
    const trust = ca !== undefined && speaksTls(origin, proxy) ? { secureContext: trusting(ca) } : {}
    return agentFor(origin, process.env, { ...options, ...trust }, proxy?.())
  } catch (cause) {
    const text = 'HTTP_PROXY or HTTPS_PROXY is not an http or https URL.'
    throw new XferError('USAGE', { text, advice: 'Correct the variable, or unset it.' }, { cause })
  }
}

/** Reading the usual certificates costs 0.1 s and 3 MB, so plain HTTP skips it. @param {string} origin @param {import('./given-proxy').GivenProxy} [proxy] @throws {TypeError} when the proxy is no URL */
function speaksTls(origin, proxy) {
  const url = new URL(origin)
  return url.protocol === 'https:' || proxyFor(url, process.env, proxy?.())?.url.protocol === 'https:'
}

/** Whether there is a proxy for an origin, valid or not. @param {string} origin @param {import('./given-proxy').GivenProxy} [proxy] in place of the environment's */
function isProxied(origin, proxy) {
  try {
    return proxyFor(new URL(origin), process.env, proxy?.()) !== undefined
  } catch {
    return true
  }
}

module.exports = { agent, isProxied }
