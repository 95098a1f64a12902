'use strict'

/** What platforms have in common when they refuse, or do not answer. */

const { withoutSecrets } = require('../../errors')
const { explainConnection } = require('../../http')

/** By the kind of connection failure. */
const BY_KIND = {
  socket: 'PLATFORM_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_PLATFORM',
  shortage: 'TOO_MANY_FILES',
}

/** Statuses that a gateway may answer with a body of its own, and that mean the same then. */
const OF_GATEWAYS = [408, 413, 429]

/**
 * The failure of a connection.
 *
 * @param {any} error with Node's `code`
 * @returns {{ code: string, reason: string, words?: string }} code: of the table
 */
function lostFacts(error) {
  const { kind = 'socket', ...why } = explainConnection(error?.code) ?? { reason: clauseOf(error?.message) }
  return { code: BY_KIND[kind], ...why }
}

/**
 * RFC 9110 section 10.2.3: seconds, or a date by the peer's clock, as its `Date`.
 *
 * @param {Record<string, any>} headers
 * @returns {number | undefined} milliseconds
 */
function retryAfterMs({ 'retry-after': text, date }) {
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const waitMs = Date.parse(text) - Date.parse(date)
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

/**
 * A text of a platform as the end of a sentence. Takes only the first sentence or line, because stack traces and the function's
 * answer follow it.
 *
 * @param {unknown} text
 */
function clauseOf(text) {
  const [first] = withoutSecrets(typeof text === 'string' ? text.trim() : '').split(/[\r\n]|[.!?] +(?=[A-Z])/)
  return first.slice(0, 200).trimEnd().replace(/[.:]$/, '') || 'no reason given'
}

/** @param {unknown} value */
const positive = value => (typeof value === 'number' && value > 0 ? value : undefined)

module.exports = { OF_GATEWAYS, clauseOf, lostFacts, positive, retryAfterMs }
