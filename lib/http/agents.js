'use strict'

const { agentFor, trusting } = require('../../actions/copy-range/net')

/** @typedef {import('./proxy').FindProxy} FindProxy */

/** @type {FindProxy} */
const direct = () => ''

/**
 * A keep-alive agent for one origin, direct or through a proxy.
 *
 * @param {string} origin
 * @param {{ maxFreeSockets?: number, rejectUnauthorized?: boolean, ca?: string, proxy: FindProxy | undefined }} options ca: certificates
 *   to trust besides the usual ones, PEM; proxy: undefined: none
 * @returns {import('node:http').Agent}
 * @throws {import('../types').XferError} USAGE when the environment's proxy is no URL
 */
function agent(origin, { ca, proxy = direct, ...options }) {
  const through = proxy(origin)
  // Reading certificates takes time and memory, so plain HTTP skips it.
  const speaksTls = [origin, through].some(url => url.startsWith('https:'))
  const trust = ca !== undefined && speaksTls ? { secureContext: trusting(ca) } : {}
  return agentFor(origin, {}, { ...options, ...trust }, through)
}

/** Whether there is a proxy for an origin, valid or not. @param {string} origin @param {FindProxy} [proxy] */
function isProxied(origin, proxy = direct) {
  try {
    return proxy(origin) !== ''
  } catch {
    return true
  }
}

module.exports = { agent, isProxied }
