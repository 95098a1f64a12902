'use strict'

const { createAgent } = require('./agent')

/** @typedef {import('./agent').Proxy} Proxy */
/** @typedef {import('./agent').AgentOptions} AgentOptions */
/** @typedef {Record<string, string | undefined>} Environment */

/**
 * An agent for requests to `url`'s origin: straight, or through the proxy that the environment names for it
 * (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, or the same in lower case, which win). Pass it to `http(s).request` as `agent`
 * and request as ever; it keeps connections alive. Each call makes a new agent: keep it, and `destroy()` it at the end.
 * @param {string | URL} url http or https
 * @param {Environment} env
 * @param {AgentOptions} [options] of Node's agents; `keepAlive` is on unless told otherwise
 * @param {string} [given] as in `proxyFor`
 * @returns {import('node:http').Agent} an `https.Agent` for https
 * @throws {TypeError} where the environment names a proxy that is no URL of http or https; its text is not quoted
 */
function agentFor(url, env, options, given) {
  const target = new URL(url)
  return createAgent(target.protocol === 'https:', proxyFor(target, env, given), options)
}

/**
 * The proxy that the environment names for a URL. Loopback is never reached through one: it would be the proxy's.
 * @param {URL} target
 * @param {Environment} env
 * @param {string} [given] a proxy in place of the environment's, also for loopback; '': none
 * @returns {Proxy | undefined}
 */
function proxyFor(target, env, given) {
  if (given !== undefined) return given === '' ? undefined : parseProxy(given)
  const secure = target.protocol === 'https:'
  const text = (secure ? setting(env, 'https_proxy') : setting(env, 'http_proxy'))?.trim()
  const host = target.hostname.toLowerCase()
  if (!text || isLoopback(host)) return undefined
  const port = target.port || (secure ? '443' : '80')
  if (isExcepted(host, port, setting(env, 'no_proxy') ?? '')) return undefined
  return parseProxy(text)
}

/**
 * @param {Environment} env
 * @param {string} name in lower case
 */
function setting(env, name) {
  return env[name] ?? env[name.toUpperCase()]
}

/** @param {string} host */
function isLoopback(host) {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

/**
 * @param {string} host
 * @param {string} port
 * @param {string} exceptions `*`, `host`, `.suffix`, each with or without `:port`, parted by commas or blanks
 */
function isExcepted(host, port, exceptions) {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some(exception => {
      const [, name, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? []
      if (onlyPort && onlyPort !== port) return false
      const suffix = name.replace(/^\*(?=\.)/, '')
      return name === '*' || host === name || (suffix.startsWith('.') && host.endsWith(suffix))
    })
}

/**
 * @param {string} text `host:port` or a URL, maybe with credentials
 * @returns {Proxy}
 */
function parseProxy(text) {
  let url
  try {
    url = new URL(text.includes('://') ? text : `http://${text}`)
  } catch {
    // The text may hold a password: neither it nor an error that quotes it goes any further.
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('The proxy is not a URL of http or https.')
  }
  if (!url.username && !url.password) return { url }
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { url, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

module.exports = { agentFor, proxyFor }
