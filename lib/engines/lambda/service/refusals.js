'use strict'

/**
 * Translates what the Lambda API answers in place of a result. Function errors are in failures.js.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 */

const { withoutSecrets } = require('../../../errors')
const { explainConnection } = require('../../../http')
const { XferError } = require('./errors')

/** @typedef {import('../../../types').XferError} Failure */

/**
 * A failed answer.
 *
 * @typedef {object} Refusal
 * @property {number} status
 * @property {Record<string, string | undefined>} headers
 * @property {string} [type] the error's name; absent: the answer is not of an AWS service
 * @property {string} [message]
 * @property {string} [reason] of 429
 */

/** By the kind of connection failure. */
const BY_KIND = {
  socket: 'LAMBDA_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_LAMBDA',
  shortage: 'TOO_MANY_FILES',
}

/** With these nothing was sent, if it is connecting or looking up a name that failed. */
const BEFORE_SENDING = new Set(
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].concat('EADDRNOTAVAIL'),
)

/** By the error's name, without `Exception`. */
const BY_TYPE = /** @type {const} */ ({
  ResourceNotFound: 'LAMBDA_NOT_DEPLOYED',
  RequestTooLarge: 'LAMBDA_PAYLOAD_TOO_LARGE',
  ResourceConflict: 'LAMBDA_NOT_READY',
  ResourceNotReady: 'LAMBDA_NOT_READY',
  // It passes: the network of new functions is made at a limited rate.
  EC2Throttled: 'LAMBDA_NOT_READY',
  SnapStartNotReady: 'LAMBDA_NOT_READY',
  SnapStartTimeout: 'LAMBDA_NOT_READY',
  InvalidRuntime: 'LAMBDA_BROKEN',
  InvalidZipFile: 'LAMBDA_BROKEN',
})

/** Of what the function was given, before it runs: network, keys, file systems. */
const ENVIRONMENT = /^(?:EC2|ENI|EFS|KMS|S3Files|SubnetIPAddress|InvalidSubnet|InvalidSecurityGroup)/

/** Of credentials and signatures: common errors of AWS APIs. */
const KEYS =
  /^(?:UnrecognizedClient|InvalidSignature|IncompleteSignature|InvalidClientTokenId|MissingAuthenticationToken|SignatureDoesNotMatch|ExpiredToken|RequestExpired|AccessDenied|NotAuthorized|OptInRequired)/

const EXPIRED = /^(?:ExpiredToken|RequestExpired)/

/** Statuses that a gateway may answer with a body of its own, and that mean the same then. */
const OF_GATEWAYS = [408, 413, 429]

/**
 * The failure of a connection, or of the SDK itself.
 *
 * @param {any} error with Node's `code`, or the SDK's own
 * @param {Record<string, any>} facts
 * @param {number} [invokedMs] how long an invocation was waited for
 * @returns {Failure}
 */
function fromConnection(error, facts, invokedMs) {
  const options = { cause: error }
  const ofSdk = error.name === 'TimeoutError' && error.syscall === undefined
  // The SDK's timeout of a connection that was never made has no code, that of an answer has one.
  if (ofSdk && error.code === 'ETIMEDOUT' && invokedMs !== undefined) {
    return new XferError('LAMBDA_LOST', { ...facts, afterMs: invokedMs }, options)
  }
  const code = error.code ?? (ofSdk ? 'ETIMEDOUT' : undefined)
  const explained = explainConnection(code)
  if (!explained) {
    const ofConnection = typeof error.code === 'string'
    const reason = clause(error.message)
    return new XferError(ofConnection ? 'LAMBDA_UNREACHABLE' : 'INTERNAL', { ...facts, reason }, options)
  }
  const { kind, ...why } = explained
  // A connection that was made can lose its route too, with a request on its way.
  const connecting = ['connect', 'getaddrinfo'].includes(error.syscall) && BEFORE_SENDING.has(code)
  const unsent = (connecting || error.code === undefined) && { uncertain: false }
  return new XferError(BY_KIND[kind], { ...facts, ...why, ...unsent }, options)
}

/**
 * @param {Refusal} refusal
 * @param {Record<string, any>} facts
 * @param {unknown} [cause]
 * @returns {Failure}
 */
function fromRefusal(refusal, facts, cause) {
  const { status, type, message, headers } = refusal
  const known = { ...facts, status, type: type ?? 'no error of AWS', reason: clause(message) }
  /** @param {string} code @param {object} [more] */
  const failed = (code, more) => new XferError(code, { ...known, ...more }, { cause })
  const name = type?.replace(/(?:Exception|Error|Fault)$/, '') ?? ''
  if (type === undefined && status < 500 && !OF_GATEWAYS.includes(status)) {
    return failed('NOT_LAMBDA', { reason: `HTTP ${status} with a body that is not Lambda's` })
  }
  if (Object.hasOwn(BY_TYPE, name)) {
    // The function has not run.
    return failed(BY_TYPE[/** @type {keyof typeof BY_TYPE} */ (name)], { uncertain: false })
  }
  if (status === 429 || name === 'TooManyRequests' || name === 'Throttling') {
    return failed('LAMBDA_THROTTLED', throttleOf(refusal))
  }
  if (status === 413) return failed('LAMBDA_PAYLOAD_TOO_LARGE', { uncertain: false })
  if (ENVIRONMENT.test(name)) return failed('LAMBDA_ENVIRONMENT')
  if (KEYS.test(name) || status === 401) return failed('LAMBDA_KEY_REFUSED')
  if (status >= 500 || status === 408) return failed('LAMBDA_ERROR', { retryAfterMs: retryAfterMs(headers) })
  return failed(status === 403 ? 'LAMBDA_KEY_REFUSED' : 'LAMBDA_REFUSED')
}

/**
 * The reasons of 429. Rates are per second, so the scheduler need not wait for a minute: only fewer at once help.
 *
 * @param {Refusal} refusal
 */
function throttleOf({ reason = '', message, headers }) {
  const throttle = /Rate/.test(reason) ? 'requests' : 'concurrent'
  return { throttle, reason: /^\w+$/.test(reason) ? reason : clause(message), retryAfterMs: retryAfterMs(headers) }
}

/** @param {Record<string, string | undefined>} headers @returns {number | undefined} */
function retryAfterMs(headers) {
  const seconds = Number(headers['retry-after'])
  return seconds > 0 ? seconds * 1000 : undefined
}

/** Whether there may be new credentials. @param {Refusal} refusal */
function saysExpired({ type = '' }) {
  return EXPIRED.test(type)
}

/** The first sentence of a text of the service, as a clause. @param {unknown} text */
function clause(text) {
  const [first] = withoutSecrets(typeof text === 'string' ? text.trim() : '').split(/(?<=[.!?])\s|[\r\n]/)
  return first.slice(0, 300).trimEnd().replace(/[.:]$/, '') || 'no reason given'
}

module.exports = { clause, fromConnection, fromRefusal, saysExpired }
