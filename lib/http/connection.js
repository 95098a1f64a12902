'use strict'

const { isCertificateRefusal } = require('../../actions/copy-range/net')

/** Explains why a connection failed, from Node's error code: the kind of failure, and words for a message. */

/** @type {Record<string, string>} */
const WORDS = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut before an answer came',
  ECONNABORTED: 'the connection was cut before an answer came',
  EPIPE: 'the connection was cut before an answer came',
  ENOTFOUND: 'no such host is known',
  EAI_AGAIN: 'the host could not be looked up',
  EHOSTUNREACH: 'there is no route to that host',
  ENETUNREACH: 'there is no route to that network',
  EADDRNOTAVAIL: 'there is no route to that address',
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

module.exports = { explainConnection }
