'use strict'

const { agentFor, proxyFor } = require('../../actions/copy-range/proxy')
const { XferError } = require('../errors')

/**
 * A keep-alive agent for one origin, straight or through the proxy that the environment names
 * (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 *
 * @param {string} origin
 * @param {{ maxSockets?: number, rejectUnauthorized?: boolean }} [options]
 * @returns {import('node:http').Agent}
 * @throws {XferError} USAGE where the environment's proxy is none
 */
function agent(origin, options) {
  try {
    return agentFor(origin, process.env, options)
  } catch (cause) {
    const text = 'HTTP_PROXY or HTTPS_PROXY is not a URL of http or https.'
    throw new XferError('USAGE', { text, advice: 'Correct the variable, or unset it.' }, { cause })
  }
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
