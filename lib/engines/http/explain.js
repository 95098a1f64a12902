'use strict'

/** Translates what workers, and what stands before them, answer into errors. Pure. Nothing of a body is repeated. */

const { EXIT } = require('../../errors')
const { explainConnection } = require('../../http')
const { XferError } = require('./errors')

/** @typedef {import('./exchange').Answer} Answer */
/** @typedef {import('../../types').XferError} Failure */

const MOST_WAIT_S = 60

/** The codes with which a worker refuses a request (docs/design/workers.md). */
const REFUSALS = new Set([
  ...['BAD_REQUEST', 'INCOMPLETE', 'TOKEN_REFUSED', 'PAGE_REFUSED', 'NOT_FOUND', 'METHOD_REFUSED'],
  ...['TOO_LARGE', 'TOO_MANY_TASKS', 'NOT_JSON', 'BUSY', 'DRAINING'],
])

/**
 * The error of a request that was not answered.
 *
 * @param {import('./exchange').Lost} error
 * @param {string} where the worker's address
 * @returns {Failure}
 */
function explainLost(error, where) {
  const options = { cause: error }
  const { kind = 'socket', ...reason } = explainConnection(error.code) ?? { reason: error.code ?? 'no answer' }
  const facts = { where, ...reason, exit: EXIT.ENGINE }
  if (kind === 'certificate') return new XferError('CERTIFICATE_REFUSED', facts, options)
  if (kind === 'shortage') return new XferError('TOO_MANY_FILES', facts, options)
  if (kind === 'protocol' && !error.sent) return new XferError('NOT_A_WORKER', facts, options)
  return new XferError(error.sent ? 'WORKER_LOST' : 'WORKER_UNREACHABLE', facts, options)
}

/**
 * The error of an answer that is not the expected one. A worker's own refusal has a code, and means that nothing has begun.
 * The same status without one is of something before the worker: a gateway, an ingress, a platform for containers.
 *
 * @param {Answer} answer
 * @param {string} where
 * @returns {Failure}
 */
function explainAnswer({ status, headers, text }, where) {
  const facts = { where, status }
  const own = REFUSALS.has(parse(text)?.error?.code)
  if (status === 413) return new XferError('WORKER_PAYLOAD_TOO_LARGE', facts)
  if (status === 429) {
    const code = own ? 'WORKER_BUSY' : 'WORKER_THROTTLED'
    return new XferError(code, { ...facts, throttle: 'concurrent', ...waitOf(headers) })
  }
  if (own && (status === 401 || status === 403)) return new XferError('WORKER_TOKEN_REFUSED', facts)
  if (status >= 500 || status === 408 || (status === 400 && own)) {
    return new XferError('WORKER_ERROR', { ...facts, ...(own && { uncertain: false }), ...waitOf(headers) })
  }
  // Cut by what stands before the worker, or an answer of something else.
  if (status === 200) return new XferError('WORKER_LOST', { where, reason: 'its answer is not JSON' })
  const reason = status >= 300 && status < 400 ? `HTTP ${status}, a redirect` : `HTTP ${status}`
  return new XferError('NOT_A_WORKER', { ...facts, reason, gateway: !own && (status === 401 || status === 403) })
}

/** @param {import('node:http').IncomingHttpHeaders} headers */
function waitOf(headers) {
  const seconds = Number(headers['retry-after'])
  return seconds >= 0 ? { retryAfterMs: Math.min(seconds, MOST_WAIT_S) * 1000 } : {}
}

/** @param {string} text @returns {any} an object or an array; undefined if the text is none */
function parse(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

module.exports = { REFUSALS, explainAnswer, explainLost, parse }
