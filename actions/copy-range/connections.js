'use strict'

const net = require('node:net')
const { createAgent } = require('./agent')
const { Failure } = require('./failure')
const { lookupWithin } = require('./lookup')
const { proxyFor } = require('./proxy')
const { trusting } = require('./trust')

/** @typedef {import('node:http').Agent} Agent */
/** @typedef {import('node:tls').SecureContext} SecureContext */

/** How an invocation may connect; `ca`: certificates to trust beside the usual ones.
 * @typedef {{ access: import('./access').AccessRules, ca?: string }} Reach */

/**
 * The agents of this container, by what they trust, then by scheme, proxy and rules. They outlive an invocation, so that the next one finds its
 * connections open, each to an address that was judged by the same rules; idle ones keep no process alive.
 * @type {Map<SecureContext | undefined, Map<string, Agent>>}
 */
const agents = new Map()

/**
 * @param {import('./task').WireRequest} request
 * @param {import('./failure').Side} side
 * @param {Reach} reach
 * @returns {Agent}
 * @throws {Failure} ADDRESS_REFUSED of what can be judged before a name is looked up; UNREACHABLE for a proxy that is none
 */
function connectionsFor({ secure, host, port }, side, { access, ca }) {
  const scheme = secure ? 'https:' : 'http:'
  const origin = new URL(`${scheme}//${host.includes(':') ? `[${host}]` : host}:${port}`)
  let proxy
  try {
    proxy = proxyFor(origin, process.env)
  } catch {
    throw new Failure('UNREACHABLE', { side, detail: 'the proxy of the environment is no URL of http or https' })
  }
  // Node looks no address up; and a proxy looks names up itself, so that of those the name is all there is to judge.
  const reason = net.isIP(host) ? access.judge(host, host) : proxy && access.judgeNamed(host)
  if (reason) throw new Failure('ADDRESS_REFUSED', { side, reason })
  const secureContext = ca === undefined ? undefined : trusting(ca)
  const alike = agents.get(secureContext) ?? new Map()
  agents.set(secureContext, alike)
  const key = `${scheme} ${proxy?.url.href ?? ''} ${access.key}`
  const agent = alike.get(key) ?? createAgent(secure, proxy, { lookup: lookupWithin(access), secureContext })
  alike.set(key, agent)
  return agent
}

/** Closes every idle connection. */
function closeConnections() {
  for (const alike of agents.values()) for (const agent of alike.values()) agent.destroy()
  agents.clear()
}

module.exports = { closeConnections, connectionsFor }
