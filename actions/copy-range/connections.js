'use strict'

const { createAgent } = require('./agent')
const { Failure } = require('./failure')
const { proxyFor } = require('./proxy')

/** @typedef {import('node:http').Agent} Agent */

/**
 * The agents of this container, by scheme and proxy. They outlive an invocation, so that the next one finds its
 * connections open; idle ones keep no process alive.
 * @type {Map<string, Agent>}
 */
const agents = new Map()

/**
 * @param {import('./task').WireRequest} request
 * @param {import('./failure').Side} side
 * @returns {Agent}
 */
function connectionsFor({ secure, host, port }, side) {
  const scheme = secure ? 'https:' : 'http:'
  const origin = new URL(`${scheme}//${host.includes(':') ? `[${host}]` : host}:${port}`)
  let proxy
  try {
    proxy = proxyFor(origin, process.env)
  } catch {
    throw new Failure('UNREACHABLE', { side, detail: 'the proxy of the environment is no URL of http or https' })
  }
  const key = `${scheme} ${proxy?.url.href ?? ''}`
  const agent = agents.get(key) ?? createAgent(secure, proxy)
  agents.set(key, agent)
  return agent
}

/** Closes every idle connection. */
function closeConnections() {
  for (const agent of agents.values()) agent.destroy()
  agents.clear()
}

module.exports = { closeConnections, connectionsFor }
