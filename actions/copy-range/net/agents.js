'use strict'

const { createAgent } = require('./agent')

/** @typedef {import('node:http').Agent} Agent */
/** @typedef {import('node:tls').SecureContext} SecureContext */

/**
 * The agents of this container, by what they trust, then by scheme, proxy and rules. They outlive an invocation, so that the
 * next one finds connections open, each to an address that was judged by the same rules. Idle ones keep no process alive.
 * @type {Map<SecureContext | undefined, Map<string, Agent>>}
 */
const agents = new Map()

/**
 * @param {import('./routes').Route} route
 * @returns {Agent} of Node's own HTTP, for such routes
 */
function agentOnRoute({ secure, proxy, secureContext, lookup, rules }) {
  const alike = agents.get(secureContext) ?? new Map()
  agents.set(secureContext, alike)
  const key = `${secure} ${proxy?.url.href ?? ''} ${rules}`
  const agent = alike.get(key) ?? createAgent(secure, proxy, { lookup, secureContext })
  alike.set(key, agent)
  return agent
}

/** Closes the agents' idle connections. */
function closeAgents() {
  for (const alike of agents.values()) for (const agent of alike.values()) agent.destroy()
  agents.clear()
}

module.exports = { agentOnRoute, closeAgents }
