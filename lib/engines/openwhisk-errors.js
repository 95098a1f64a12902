'use strict'

/**
 * What the platform's refusals and activations mean. Statuses and bodies: OpenWhisk's controller
 * (core/controller, Actions.scala and Entitlement.scala) and docs/reference.md.
 */

const { EXIT, XferError } = require('../errors')
const { explainConnection } = require('../http/connection')

/** By the kind of a connection's failure. */
const BY_KIND = { socket: 'PLATFORM_UNREACHABLE', certificate: 'CERTIFICATE_REFUSED', protocol: 'NOT_A_PLATFORM' }

/**
 * @param {any} error what the npm client threw: `statusCode` and the body as `error`, or Node's `code`
 * @param {Record<string, any>} facts apihost, action
 * @param {number} nowMs
 * @returns {import('../types').XferError}
 */
function fromPlatformError(error, facts, nowMs) {
  const options = { cause: error }
  const status = error?.statusCode
  if (status === undefined) {
    const { kind = 'socket', ...why } = explainConnection(error?.code) ?? {
      reason: error?.error?.error ?? error?.message ?? 'no answer',
    }
    return new XferError(BY_KIND[kind], { ...facts, ...why, exit: EXIT.ENGINE }, options)
  }
  const body = error.error
  const reason = typeof body?.error === 'string' ? body.error.replace(/\.$/, '') : 'no reason given'
  const known = { ...facts, status, reason }
  if (status === 401 || status === 403) return new XferError('PLATFORM_KEY_REFUSED', known, options)
  const foreign = typeof body?.error !== 'string' && !body?.response
  // A gateway before the platform may refuse what is too large, or too much, in its own way.
  if (foreign && status < 500 && status !== 413 && status !== 429) {
    const reason = `HTTP ${status} with a body that is not OpenWhisk's`
    return new XferError('NOT_A_PLATFORM', { ...facts, status, reason }, options)
  }
  if (status === 404) return new XferError('ACTION_NOT_DEPLOYED', known, options)
  if (status === 429) return throttled(known, nowMs, options)
  if (status === 503) return new XferError('PLATFORM_THROTTLED', known, options)
  if (body?.response) return failedActivation(body, facts, options)
  if (status >= 500) return new XferError('PLATFORM_ERROR', known, options)
  return new XferError('PLATFORM_REFUSED', known, options)
}

/**
 * The two kinds of 429 differ in their text alone. Too many this minute passes with the calendar minute, and asking
 * again before counts too; what is not recognised counts as too many in flight.
 *
 * @param {Record<string, any>} facts
 * @param {number} nowMs
 * @param {{ cause: unknown }} options
 */
function throttled(facts, nowMs, options) {
  const retryAfterMs = /in the last minute/.test(facts.reason) ? 60_000 - (nowMs % 60_000) : undefined
  return new XferError('PLATFORM_THROTTLED', { ...facts, retryAfterMs }, options)
}

/**
 * @param {any} activation a record
 * @param {Record<string, any>} facts
 * @returns {any} the action's result
 * @throws {import('../types').XferError}
 */
function fromActivation(activation, facts) {
  const { response } = activation ?? {}
  if (!response) throw new XferError('ACTIVATION_FAILED', { ...facts, reason: 'its record cannot be read' })
  if (response.success === true) return response.result
  throw failedActivation(activation, facts, { cause: undefined })
}

/**
 * @param {any} activation
 * @param {Record<string, any>} facts
 * @param {{ cause: unknown }} options
 */
function failedActivation(activation, facts, options) {
  const { response, activationId } = activation
  const failure = response.result?.error
  const words = typeof failure === 'object' ? failure?.message : failure
  const text = typeof words === 'string' && words !== '' ? words : 'no reason given'
  const reason = text.trim().slice(0, 200).trimEnd().replace(/\.$/, '')
  // The action answers so only where it could not understand its parameters: asking again would not help.
  const misunderstood = response.status === 'application error' && !/allowed length/.test(text)
  return new XferError(
    misunderstood ? 'ACTION_VERSION' : 'ACTIVATION_FAILED',
    { ...facts, activationId, reason },
    options,
  )
}

module.exports = { fromPlatformError, fromActivation }
