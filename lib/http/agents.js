'use strict'

const { isIP } = require('node:net')
const { createShared } = require('../async')
const { lookupWithin, proxyFor, refusal, trusting } = require('../../actions/copy-range/net')
const { createAgent } = require('./proxy-agent')

/** @typedef {import('./proxy').FindProxy} FindProxy */

/** @type {FindProxy} */
const direct = () => ''

/**
 * A keep-alive agent for one origin, direct or through a proxy.
 *
 * @param {string} origin
 * @param {{ maxFreeSockets?: number, rejectUnauthorized?: boolean, ca?: string, proxy: FindProxy | undefined, guarded?: boolean }} options ca: certificates
 *   to trust besides the usual ones, PEM; proxy: undefined: none; guarded: it connects to no link-local or metadata address,
 *   as the action does not (docs/design/wire.md)
 * @returns {import('node:http').Agent}
 * @throws {import('../types').XferError} USAGE when the environment's proxy is no URL
 * @throws {NodeJS.ErrnoException} ADDRESS_REFUSED if it is guarded, and the origin is such an address
 */
function agent(origin, { ca, proxy = direct, guarded = false, ...options }) {
  const through = proxy(origin)
  // Reading certificates takes time and memory, so plain HTTP skips it.
  const speaksTls = [origin, through].some(url => url.startsWith('https:'))
  const trust = ca !== undefined && speaksTls ? { secureContext: trusting(ca) } : {}
  const how = { ...options, ...trust, ...(guarded && guard(origin)) }
  return createAgent(origin.startsWith('https:'), proxyFor(new URL(origin), {}, through), how)
}

/** @type {ReturnType<typeof createShared<import('node:http').Agent>>} */
const shared = createShared(one => one.destroy())

/**
 * The agents of a store, by origin, which all jobs of the process share.
 *
 * @param {{ ca?: string, proxy: FindProxy | undefined, guarded?: boolean }} options as for `agent`
 */
function createAgents({ ca, proxy = direct, guarded = false }) {
  /** @type {Map<string, { value: import('node:http').Agent, leave: () => Promise<void> }>} */
  const taken = new Map()
  return {
    /** @param {string} origin */
    of(origin) {
      const make = () => agent(origin, { ca, proxy, guarded })
      const own = taken.get(origin) ?? shared.take(`${origin} ${proxy(origin)} ${guarded} ${ca ?? ''}`, make)
      taken.set(origin, own)
      return own.value
    },
    close() {
      for (const { leave } of taken.values()) void leave()
      taken.clear()
    },
  }
}

/** Judges an address now, and a name when it is looked up; a proxy looks names up itself. @param {string} origin @throws {NodeJS.ErrnoException} */
function guard(origin) {
  const { accessRules } = require('../../actions/copy-range/access')
  const rules = accessRules()
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '')
  const reason = isIP(host) ? rules.judge(host, host) : undefined
  if (reason !== undefined) throw refusal(reason)
  return { lookup: lookupWithin(rules) }
}

/** Whether there is a proxy for an origin, valid or not. @param {string} origin @param {FindProxy} [proxy] */
function isProxied(origin, proxy = direct) {
  try {
    return proxy(origin) !== ''
  } catch {
    return true
  }
}

module.exports = { agent, createAgents, isProxied }
