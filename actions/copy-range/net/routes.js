'use strict'

const net = require('node:net')
const { Failure } = require('../failure')
const { lookupWithin } = require('./lookup')
const { proxyFor } = require('./proxy')
const { trusting } = require('./trust')
const { authority } = require('./tunnel')

/** @typedef {import('node:tls').SecureContext} SecureContext */

/** How an invocation may connect; `ca`: certificates to trust beside the usual ones; `transport`: other than the usual one.
 * @typedef {{ access: import('../access').AccessRules, ca?: string, transport?: string }} Reach */

/**
 * The way to a store. Connections are alike, and may be used for one another, where their routes have the same key.
 * @typedef {object} Route
 * @property {boolean} secure
 * @property {string} host
 * @property {number} port
 * @property {import('./tunnel').Proxy} [proxy]
 * @property {SecureContext} [secureContext] what is trusted, where that is not the usual
 * @property {import('node:net').LookupFunction} lookup gives only addresses that may be spoken to
 * @property {string} rules the key of the rules that the addresses are judged by
 */

/** Those of an invocation, which go to two stores or three. @type {WeakMap<Reach, Map<string, Route>>} */
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
  const key = `${request.secure} ${request.host} ${request.port}`
  const route = known.get(key) ?? findRoute(request, side, reach)
  known.set(key, route)
  return route
}

/** @type {typeof routeTo} */
function findRoute({ secure, host, port }, side, { access, ca }) {
  const origin = new URL(`${secure ? 'https:' : 'http:'}//${authority({ host, port })}`)
  let proxy
  try {
    proxy = proxyFor(origin, process.env)
  } catch {
    throw new Failure('UNREACHABLE', { side, detail: 'the proxy of the environment is no URL of http or https' })
  }
  // Node looks no address up; and a proxy looks names up itself, so that of those the name is all there is to judge.
  const reason = net.isIP(host) ? access.judge(host, host) : proxy && access.judgeNamed(host)
  if (reason) throw new Failure('ADDRESS_REFUSED', { side, reason })
  // It takes a moment to make one.
  const secureContext = ca !== undefined && (secure || proxy) ? trusting(ca) : undefined
  return { secure, host, port, proxy, secureContext, lookup: lookupWithin(access), rules: access.key }
}

module.exports = { routeTo }
