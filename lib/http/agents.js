'use strict'

const { agentFor, proxyFor } = require('../../actions/copy-range/proxy')
const { trusting } = require('../../actions/copy-range/trust')
const { XferError } = require('../errors')

/**
 * A keep-alive agent for one origin, straight or through the proxy that the environment names
 * (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 *
 * @param {string} origin
 * @param {{ maxFreeSockets?: number, rejectUnauthorized?: boolean, ca?: string }} [options] ca: certificates to trust beside the
 *   usual ones, PEM
 * @returns {import('node:http').Agent}
 * @throws {XferError} USAGE where the environment's proxy is none
 */
function agent(origin, { ca, ...options } = {}) {
  try {
    const trust = ca !== undefined && speaksTls(origin) ? { secureContext: trusting(ca) } : {}
    return agentFor(origin, process.env, { ...options, ...trust })
  } catch (cause) {
    const text = 'HTTP_PROXY or HTTPS_PROXY is not a URL of http or https.'
    throw new XferError('USAGE', { text, advice: 'Correct the variable, or unset it.' }, { cause })
  }
}

/** Reading all the certificates costs a tenth of a second and 3 MB. @param {string} origin @throws {TypeError} where the proxy is no URL */
function speaksTls(origin) {
  const url = new URL(origin)
  return url.protocol === 'https:' || proxyFor(url, process.env)?.url.protocol === 'https:'
}

/** Whether the environment names a proxy, or what is meant for one, for an origin. @param {string} origin */
function isProxied(origin) {
  try {
    return proxyFor(new URL(origin), process.env) !== undefined
  } catch {
    return true
  }
}

module.exports = { agent, isProxied }
