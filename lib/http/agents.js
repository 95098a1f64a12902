'use strict'

const { agentFor, proxyFor, trusting } = require('../../actions/copy-range/net')
const { XferError } = require('../errors')

/**
 * A keep-alive agent for one origin, direct or through the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 *
 * @param {string} origin
 * @param {{ maxFreeSockets?: number, rejectUnauthorized?: boolean, ca?: string }} [options] ca: certificates to trust besides the
 *   usual ones, PEM
 * @returns {import('node:http').Agent}
 * @throws {XferError} USAGE when the proxy variable holds no URL
 */
function agent(origin, { ca, ...options } = {}) {
  try {
    const trust = ca !== undefined && speaksTls(origin) ? { secureContext: trusting(ca) } : {}
    return agentFor(origin, process.env, { ...options, ...trust })
  } catch (cause) {
    const text = 'HTTP_PROXY or HTTPS_PROXY is not an http or https URL.'
    throw new XferError('USAGE', { text, advice: 'Correct the variable, or unset it.' }, { cause })
  }
}

/** Reading the usual certificates costs 0.1 s and 3 MB, so plain HTTP skips it. @param {string} origin @throws {TypeError} when the proxy is no URL */
function speaksTls(origin) {
  const url = new URL(origin)
  return url.protocol === 'https:' || proxyFor(url, process.env)?.url.protocol === 'https:'
}

/** Whether the environment names a proxy for an origin, valid or not. @param {string} origin */
function isProxied(origin) {
  try {
    return proxyFor(new URL(origin), process.env) !== undefined
  } catch {
    return true
  }
}

module.exports = { agent, isProxied }
