'use strict'

/**
 * Which proxy a request goes through: the one that the library's caller gives for a side, or what the environment of the job
 * says. It is passed on as a function, because it may hold a password, and functions are never printed, journalled or sent.
 */

const { proxyFor } = require('../../actions/copy-range/net')
const { XferError, kindOf, usage } = require('../errors')

/** @typedef {(url: string | URL) => string} FindProxy the proxy of a URL, a URL of http or https; '': none */

/** @type {FindProxy} */
const NO_PROXY = () => ''
const VARIABLES = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap(name => [name, name.toUpperCase()])

/**
 * @param {unknown} given a URL, as a string or an object; `false` or '' for none; undefined: as the environment says
 * @param {'source' | 'destination'} side
 * @param {NodeJS.ProcessEnv} env
 * @returns {FindProxy}
 * @throws {XferError} USAGE; its text never contains the URL
 */
function readProxy(given, side, env) {
  if (given === undefined) return environmentProxy(env)
  if (given === false || given === '') return NO_PROXY
  const bad = (/** @type {string} */ what) =>
    usage(`The ${side}'s proxy is ${what}.`, 'Give a string such as http://host:3128, or false for none.')
  if (typeof given !== 'string' && !(given instanceof URL)) throw bad(`${kindOf(given)}, not a string`)
  const text = String(given)
  try {
    // An environment may leave the scheme out. Here `proxy:3128` is more likely a mistake: it looks like a scheme, too.
    if (!text.includes('://')) throw new TypeError('no scheme')
    proxyFor(new URL('http://store.invalid'), {}, text)
  } catch {
    throw bad('not a URL of http or https')
  }
  return () => text
}

/**
 * @param {NodeJS.ProcessEnv} env of which HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, now
 * @returns {FindProxy} throws USAGE, without the variable's value, if that is no URL
 */
function environmentProxy(env) {
  const variables = Object.fromEntries(VARIABLES.map(name => [name, env[name]]))
  if (!Object.values(variables).some(Boolean)) return NO_PROXY
  return url => {
    try {
      return proxyFor(new URL(url), variables)?.url.href ?? ''
    } catch (cause) {
      const text = 'HTTP_PROXY or HTTPS_PROXY is not an http or https URL.'
      throw new XferError('USAGE', { text, advice: 'Correct the variable, or unset it.' }, { cause })
    }
  }
}

/** By the requests that a store made. @type {WeakMap<object, FindProxy>} */
const proxies = new WeakMap()

/**
 * Notes the proxy of a data request beside it, so that no function of a platform is sent it.
 *
 * @template {{ url: string }} R
 * @param {R} request
 * @param {FindProxy} proxy
 * @returns {R} the same
 */
function noteProxy(request, proxy) {
  proxies.set(request, proxy)
  return request
}

/** The proxy of a data request that this process sends itself; '': none. @param {{ url: string }} [request] */
function proxyOfRequest(request) {
  return (request && proxies.get(request)?.(request.url)) ?? ''
}

module.exports = { environmentProxy, NO_PROXY, noteProxy, proxyOfRequest, readProxy }
