'use strict'

/**
 * What the platform's refusals mean, and answers that never came. What a failed activation means is in
 * failures.js. Statuses and bodies: OpenWhisk's controller (core/controller, Actions.scala and
 * core/entitlement, Entitlement.scala).
 */

const { EXIT, withoutSecrets } = require('../../../errors')
const { explainConnection } = require('../../../http')
const { XferError } = require('./errors')
const { failedActivation, reasonOf } = require('./failures')

/** @typedef {import('../../../types').XferError} Failure */
/** @typedef {import('node:http').IncomingHttpHeaders} Headers */

/** By the kind of a connection's failure. */
const BY_KIND = {
  socket: 'PLATFORM_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_PLATFORM',
  shortage: 'TOO_MANY_FILES',
}

/** Refusals that a gateway may speak in its own way, and that mean the same whoever speaks them. */
const ANYBODYS = [408, 413, 429]

/**
 * @param {any} error what the npm client threw: `statusCode` and the body as `error`, or Node's `code`
 * @param {Record<string, any>} facts apihost, action; `uncertain: false` where the request never left; `activationId`
 *   where it is known
 * @param {number} nowMs
 * @param {{ headers?: Headers, invoking?: boolean }} [answer] its headers, and whether it is one to an invocation
 * @returns {Failure}
 */
function fromPlatformError(error, facts, nowMs, { headers = {}, invoking = false } = {}) {
  const options = { cause: error }
  const status = error?.statusCode
  if (status === undefined) {
    const { kind = 'socket', ...why } = explainConnection(error?.code) ?? {
      reason: withoutSecrets(String(error?.error?.error ?? error?.message ?? 'no answer')),
    }
    return new XferError(BY_KIND[kind], { ...facts, ...why, exit: EXIT.ENGINE }, options)
  }
  const body = error.error
  if (body?.response) return failedActivation(body, facts, options)
  const foreign = typeof body?.error !== 'string'
  const reason = foreign ? 'no reason given' : reasonOf(body.error)
  const known = { ...facts, status, reason }
  if (status === 401 || status === 403) return new XferError('PLATFORM_KEY_REFUSED', known, options)
  if (foreign && status < 500 && !ANYBODYS.includes(status)) {
    const reason = `HTTP ${status} with a body that is not OpenWhisk's`
    return new XferError('NOT_A_PLATFORM', { ...facts, status, reason }, options)
  }
  if (status === 404) return new XferError('ACTION_NOT_DEPLOYED', known, options)
  // Nothing has run.
  if (status === 413 && invoking) return new XferError('PAYLOAD_TOO_LARGE', { ...known, uncertain: false }, options)
  if (status === 429) return new XferError('PLATFORM_THROTTLED', throttleOf(known, headers, nowMs), options)
  const retryAfterMs = readRetryAfter(headers, nowMs)
  if (status === 503 && !outlived(body)) return new XferError('PLATFORM_THROTTLED', { ...known, retryAfterMs }, options)
  if (status >= 500 || status === 408) return new XferError('PLATFORM_ERROR', { ...known, retryAfterMs }, options)
  return new XferError('PLATFORM_REFUSED', known, options)
}

/**
 * The two kinds of 429 differ in their text alone. Too many this minute passes with the calendar minute, and asking
 * again before counts too; what is not recognised counts as too many in flight.
 *
 * @param {Record<string, any>} facts
 * @param {Headers} headers
 * @param {number} nowMs
 */
function throttleOf(facts, headers, nowMs) {
  const throttle = /in the last minute/i.test(facts.reason) ? 'rate' : 'concurrent'
  const allowed = /\ballowed: (\d+)/i.exec(facts.reason)?.[1]
  return {
    ...facts,
    throttle,
    allowed: allowed === undefined ? undefined : Number(allowed),
    retryAfterMs: throttle === 'rate' ? undefined : readRetryAfter(headers, nowMs),
  }
}

/**
 * pekko-http's own 503, to a request that outlived its limit of 65 s: unlike that of a platform with too much to do it
 * says nothing of what became of the activation.
 *
 * @param {unknown} body
 */
function outlived(body) {
  return typeof body === 'string' && /timely response/.test(body)
}

/**
 * RFC 9110 section 10.2.3: seconds, or a date, which is of the peer's clock as its `Date` is.
 *
 * @param {Headers} headers
 * @param {number} nowMs
 * @returns {number | undefined} milliseconds
 */
function readRetryAfter(headers, nowMs) {
  const text = headers['retry-after']?.trim()
  if (!text) return undefined
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const atMs = Date.parse(text)
  const theirsMs = Date.parse(headers.date ?? '')
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - (Number.isNaN(theirsMs) ? nowMs : theirsMs))
}

module.exports = { fromPlatformError }
