'use strict'

const net = require('node:net')
const { Failure } = require('../failure')
const { lookupWithin } = require('./lookup')
const { proxyFor } = require('./proxy')
const { trusting } = require('./trust')
const { authority } = require('./tunnel')

/** @typedef {import('node:tls').SecureContext} SecureContext */

/**
 * How an invocation may connect; `ca`: certificates to trust in addition to the usual ones; `proxies`: in place of the environment's, by side; '' or absent: none.
 * @typedef {{ access: import('../access').AccessRules, ca?: string,
 *   proxies?: Partial<Record<import('../failure').Side, string>> }} Reach
 */

/**
 * The way to a store. Connections whose routes have the same key are interchangeable.
 * @typedef {object} Route
 * @property {boolean} secure
 * @property {string} host
 * @property {number} port
 * @property {import('./tunnel').Proxy} [proxy]
 * @property {SecureContext} [secureContext] what is trusted, where that is not the usual
 * @property {import('node:net').LookupFunction} lookup gives only addresses that may be connected to
 * @property {string} rules the key of the rules that the addresses are judged by
 */

/** The routes of an invocation; most go to two or three stores. @type {WeakMap<Reach, Map<string, Route>>} */
const routes = new WeakMap()

/**
 * @param {Pick<import('../task').WireRequest, 'secure' | 'host' | 'port'>} request
 * @param {import('../failure').Side} side
 * @param {Reach} reach
 * @returns {Route}
 * @throws {Failure} ADDRESS_REFUSED of what can be judged before a name is looked up; UNREACHABLE for a proxy that is none
 */
function routeTo(request, side, reach) {
  const known = routes.get(reach) ?? new Map()
  routes.set(reach, known)
  const key = `${request.secure} ${request.host} ${request.port} ${reach.proxies ? side : ''}`
  const route = known.get(key) ?? findRoute(request, side, reach)
  known.set(key, route)
  return route
}

/** @type {typeof routeTo} */
function findRoute({ secure, host, port }, side, { access, ca, proxies }) {
  const origin = new URL(`${secure ? 'https:' : 'http:'}//${authority({ host, port })}`)
  let proxy
  try {
    proxy = proxyFor(origin, process.env, proxies && (proxies[side] ?? ''))
  } catch {
    throw new Failure('UNREACHABLE', { side, detail: 'the proxy of the environment is no URL of http or https' })
  }
  // Node.js does not look up an address, so it is judged here. A proxy looks names up itself, so only the name can be judged.
  const reason = net.isIP(host) ? access.judge(host, host) : proxy && access.judgeNamed(host)
  if (reason) throw new Failure('ADDRESS_REFUSED', { side, reason })
  // Made only if it is needed: the usual certificates are read then.
  const secureContext = ca !== undefined && (secure || proxy) ? trusting(ca) : undefined
  return { secure, host, port, proxy, secureContext, lookup: lookupWithin(access), rules: access.key }
}

module.exports = { routeTo }
