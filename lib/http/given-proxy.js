'use strict'

/**
 * The proxy that the library's caller gives for one side, in place of what the environment says. It is passed on as a
 * function, because it may hold a password, and functions are never printed, journalled or sent.
 */

const { proxyFor } = require('../../actions/copy-range/net')
const { XferError, kindOf } = require('../errors')

/** @typedef {() => string} GivenProxy a URL of http or https; '': none */

/**
 * @param {unknown} given a URL; `false` or '' for none
 * @param {'source' | 'destination'} side
 * @returns {GivenProxy | undefined} undefined: what the environment says
 * @throws {XferError} USAGE; its text never contains the URL
 */
function readProxy(given, side) {
  if (given === undefined) return undefined
  if (given === false || given === '') return () => ''
  const bad = (/** @type {string} */ what) =>
    new XferError('USAGE', {
      text: `The ${side}'s proxy is ${what}.`,
      advice: 'Give a string such as http://host:3128, or false for none.',
    })
  if (typeof given !== 'string') throw bad(`${kindOf(given)}, not a string`)
  try {
    proxyFor(new URL('http://store.invalid'), {}, given)
  } catch {
    throw bad('not a URL of http or https')
  }
  return () => given
}

/** By the requests that a store made. @type {WeakMap<object, GivenProxy>} */
const proxies = new WeakMap()

/**
 * Notes the proxy of a data request beside it, so that no function of a platform is sent it.
 *
 * @template {object} R
 * @param {R} request
 * @param {GivenProxy} proxy
 * @returns {R} the same
 */
function noteProxy(request, proxy) {
  proxies.set(request, proxy)
  return request
}

/** The proxy of a data request that this process sends itself. @param {object} [request] */
function proxyOfRequest(request) {
  return request && proxies.get(request)?.()
}

module.exports = { noteProxy, proxyOfRequest, readProxy }
