'use strict'

/** Connections: which stay on this machine, and why one failed, from Node's error code. */

const { usage } = require('../errors')
const { isHere } = require('../../actions/copy-range/address-guard')
const { isCertificateRefusal } = require('../../actions/copy-range/net')

/** @type {Record<string, string>} */
const WORDS = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut before an answer came',
  ECONNABORTED: 'the connection was cut before an answer came',
  EPIPE: 'the connection was cut before an answer came',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'the host could not be looked up',
  EAI_FAIL: 'the host could not be looked up',
  EAI_NODATA: 'the host has no address',
  EHOSTUNREACH: 'there is no route to that host',
  ENETUNREACH: 'there is no route to that network',
  EADDRNOTAVAIL: 'there is no route to that address',
  // Routes of Linux that prohibit, and those that swallow (ip route).
  EACCES: 'this machine may not connect to it',
  EINVAL: 'there is no route to that address',
  EPERM: 'this machine may not connect to it',
  ENETDOWN: 'the network is down',
  EHOSTDOWN: 'that host is down',
  ETIMEDOUT: 'no answer in time',
  EPROXY: 'the proxy opened no tunnel',
}

/** Limits of this machine, not faults of the peer. @type {Record<string, string>} */
const SHORTAGES = {
  EMFILE: 'this process has too many files open',
  ENFILE: 'this machine has too many files open',
}

/** @type {Array<[RegExp, string]>} */
const CERTIFICATE = [
  [/^CERT_HAS_EXPIRED$/, 'it has expired'],
  [/^CERT_NOT_YET_VALID$/, 'it is not valid yet'],
  [/ALTNAME|HOSTNAME/, 'it is for another host'],
  [/./, 'no trusted authority has signed it'],
]

/** @type {Array<[RegExp, string]>} */
const PROTOCOL = [
  [/^(ERR_TLS|ERR_SSL|EPROTO)/, 'it does not speak TLS, or no version of it that this side accepts'],
  [/^HPE_/, 'it does not speak HTTP'],
]

/**
 * @param {string | undefined} code
 * @returns {{ kind: 'socket' | 'certificate' | 'protocol' | 'shortage', reason: string, words?: string } | undefined} reason: the code; undefined
 *   when the code is no connection error
 */
function explainConnection(code) {
  if (code === undefined) return undefined
  /** @param {Array<[RegExp, string]>} table */
  const wordsIn = table => table.find(([pattern]) => pattern.test(code))?.[1]
  if (isCertificateRefusal(code)) return { kind: 'certificate', reason: code, words: wordsIn(CERTIFICATE) }
  if (Object.hasOwn(SHORTAGES, code)) return { kind: 'shortage', reason: code, words: SHORTAGES[code] }
  const words = wordsIn(PROTOCOL)
  if (words) return { kind: 'protocol', reason: code, words }
  return Object.hasOwn(WORDS, code) ? { kind: 'socket', reason: code, words: WORDS[code] } : undefined
}

/**
 * Whether who connects to a host always reaches this machine. Listening there may serve others too: 0.0.0.0 and :: are among them.
 *
 * @param {string} host of a URL, without a port; IPv6 with or without brackets
 */
function isLoopback(host) {
  const name = host.replace(/^\[|\]$/g, '')
  return /^(?:.*\.)?localhost\.?$/i.test(name) || isHere(name)
}

/** What has to run on this machine to reach a server: anything, or only what is here. @param {string} url @returns {'network' | 'local'} */
const reachOf = url => (isLoopback(new URL(url).hostname) ? 'local' : 'network')

/**
 * @param {string} text
 * @param {string} wrong what to say if it is no http or https URL, or has more
 * @param {string} advice
 * @returns {string} its origin and path, without a closing slash
 * @throws {import('../types').XferError} USAGE
 */
function webAddress(text, wrong, advice) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const web = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !web || url.username || url.password || url.search || url.hash) throw usage(wrong, advice)
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** How far this machine's clock differs from a peer's, by the `Date` header of its answers. */

/**
 * @typedef {object} Sample
 * @property {string} who for messages: `the platform`
 * @property {number} dateMs what the answer's `Date` said
 * @property {number} sentMs by this machine's clock
 * @property {number} receivedMs
 */

/** @param {Sample} sample @returns {number} milliseconds; positive: our clock is ahead */
function skewOf({ dateMs, sentMs, receivedMs }) {
  // The second in `Date` had already begun, on average half a second earlier.
  return (sentMs + receivedMs) / 2 - (dateMs + 500)
}

/**
 * @param {string} who
 * @param {{ headers: { date?: string }, sentMs: number, receivedMs: number }} answer
 * @returns {Sample[]} empty when the answer has no `Date`
 */
function sampleOf(who, { headers, sentMs, receivedMs }) {
  const dateMs = Date.parse(headers.date ?? '')
  return Number.isNaN(dateMs) ? [] : [{ who, dateMs, sentMs, receivedMs }]
}

module.exports = { sampleOf, skewOf, explainConnection, isLoopback, reachOf, webAddress }
