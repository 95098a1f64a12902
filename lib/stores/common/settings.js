'use strict'

/** What the settings of several stores check in the same way. */

const { redact } = require('../../errors')
const { isLoopback } = require('../../http')
const { usage } = require('./errors')

/** @typedef {'source' | 'destination'} Side */
/** @typedef {[url?: string, from?: string]} Endpoint from: what sets it, for messages */

/**
 * The endpoint of a side, from the first place that has one: the option before all others.
 *
 * @param {Side} side
 * @param {import('../../types').SideOptions} options
 * @param {Endpoint[]} others
 * @returns {Endpoint} empty: nothing sets it
 */
function firstEndpoint(side, { endpointUrl, endpointKept }, others) {
  const flag = side === 'source' ? '--source-endpoint-url' : '--dest-endpoint-url'
  /** @type {Endpoint} */
  const given = [endpointUrl, endpointKept ? `the job; ${flag} sets another one` : flag]
  return [given, ...others].find(([url]) => url !== undefined) ?? []
}

/**
 * @param {string} text
 * @param {Side} side
 * @param {{ advice: string, ofQuery?: string }} how ofQuery: where a query belongs
 * @returns {URL} without user name, query and fragment
 * @throws {XferError} USAGE
 */
function endpointOf(text, side, { advice, ofQuery = advice }) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bad = (/** @type {string} */ why, more = advice) =>
    usage(`The ${side}'s endpoint "${redact(text)}" ${why}.`, more)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw bad('is not an http or https URL')
  if (url.username || url.password) throw bad('carries a user name or password')
  if (url.search || url.hash) throw bad('carries a query or fragment', ofQuery)
  return url
}

/**
 * A secret that opens more than one request is sent over TLS, or to this machine.
 *
 * @param {string | undefined} endpoint
 * @param {Side} side
 * @param {{ secret: string, advice: string }} what secret: with its article
 * @throws {XferError} USAGE
 */
function checkPrivate(endpoint, side, { secret, advice }) {
  if (endpoint === undefined) return
  const { protocol, hostname } = new URL(endpoint)
  if (protocol === 'https:' || isLoopback(hostname)) return
  throw usage(`${secret} is not sent to the ${side} ${endpoint}, where all on the way could read it.`, advice)
}

module.exports = { checkPrivate, endpointOf, firstEndpoint }
