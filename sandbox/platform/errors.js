'use strict'

/**
 * The texts by which clients distinguish errors. Upstream: common/scala http/ErrorResponse.scala, object Messages; the two
 * of 401 are pekko-http's own.
 */
const messages = {
  authenticationMissing: 'The resource requires authentication, which was not supplied with the request',
  authenticationInvalid: 'The supplied authentication is invalid',
  /** @param {string} resource */
  notAuthorized: resource => `The supplied authentication is not authorized to access '${resource}'.`,

  /** @param {number} count @param {number} allowed */
  tooManyRequests: (count, allowed) => `Too many requests in the last minute (count: ${count}, allowed: ${allowed}).`,
  /** @param {number} count @param {number} allowed */
  tooManyConcurrent: (count, allowed) =>
    `Too many concurrent requests in flight (count: ${count}, allowed: ${allowed}).`,
  overloaded: 'System is overloaded, try again later.',
  noSuchResource: 'The requested resource does not exist.',
  noSuchPath: 'The requested resource could not be found.',
  /** @param {string[]} methods */
  wrongMethod: methods => `HTTP method not allowed, supported methods: ${methods.join(', ')}`,
  exists: 'resource already exists',
  concurrentModification: 'Concurrent modification to resource detected.',
  bindingWithoutPackage: 'Binding references a package that does not exist.',

  /** @param {string} why */
  malformed: why => `The request content was malformed:\n${why}`,
  /** @param {string} name @param {string} why */
  malformedQuery: (name, why) => `The query parameter '${name}' was malformed:\n${why}`,
  /** @param {string} value */
  notInteger: value => `The value '${value}' is not an integer for activations.`,
  /** @param {number} value @param {number} max */
  limitOutOfRange: (value, max) => `The value '${value}' is not in the range of 0 to ${max} for activations.`,
  /** @param {number} value */
  skipOutOfRange: value => `The value '${value}' is not greater than or equal to 0 for activations.`,
  wrongContentType: "The request's Content-Type is not supported. Expected:\napplication/json",
  execUndefined: 'exec undefined',
  /** @param {string} kind */
  unknownRuntime: kind => `The specified runtime '${kind}' is not supported by this platform.`,
  /** @param {string} field @param {number} is @param {number} allowed */
  tooLarge: (field, is, allowed) => `${field} larger than allowed: ${is} > ${allowed} bytes.`,
  reservedParameters: 'Request defines parameters that are not allowed (e.g., reserved properties).',

  notReady: 'System not ready, status is starting.',
  runAbnormal: 'The action did not produce a valid response and exited unexpectedly.',
  outOfMemory: 'The action exhausted its memory and was aborted.',
  notProvisioned: 'Failed to provision resources to run the action.',
  /** @param {string} text */
  initInvalid: text => `The action failed during initialization${text ? `: ${text}` : '.'}`,
  /** @param {string} text */
  runInvalid: text => `The action did not produce a valid JSON or JSON Array response${text ? `: ${text}` : '.'}`,
  /** @param {number} ms @param {boolean} init */
  timedOut: (ms, init) =>
    `The action exceeded its time limits of ${ms} milliseconds${init ? ' during initialization' : ''}.`,
  /** @param {string} head @param {number} bytes @param {number} max */
  responseTooLarge: (head, bytes, max) =>
    `The action produced a response that exceeded the allowed length: ${bytes} > ${max} bytes. The truncated response was: ${head}`,
  internal: 'There was an internal server error.',
}

/**
 * A refused request: the status and the text of `{ error, code }`. Any code may throw it; the server answers with it.
 * Upstream: http/ErrorResponse.scala.
 */
class ApiFailure extends Error {
  /**
   * @param {number} status
   * @param {string} text
   * @param {Record<string, string>} [headers]
   */
  constructor(status, text, headers = {}) {
    super(text)
    this.name = 'ApiFailure'
    this.status = status
    this.headers = headers
  }
}

/** @type {Record<number, string>} */
const TEXTS = {
  404: messages.noSuchResource,
  409: messages.concurrentModification,
  500: messages.internal,
  502: 'The server received an invalid response from an upstream server.',
  503: messages.overloaded,
}

/**
 * Refuses a call as its fault says, before any work is done, with the platform's own texts.
 *
 * @param {import('./types').Fault} fault
 * @param {import('./types').Limits} limits
 * @throws {ApiFailure} if the fault has a status, or cuts the connection
 */
function refuseByFault({ cut, status, message }, { concurrent }) {
  // the server cuts the connection; this error only prevents the work
  if (cut) throw new ApiFailure(500, messages.internal)
  if (status === undefined) return
  const usual = status === 429 ? messages.tooManyConcurrent(concurrent, concurrent) : TEXTS[status]
  throw new ApiFailure(status, message ?? usual ?? messages.internal)
}

/** @import { ActivationResponse, ContainerAnswer, StatusCode } from './types' */

const STATUS_TEXTS = ['success', 'application error', 'action developer error', 'whisk internal error']

/**
 * @param {StatusCode} statusCode
 * @param {unknown} error
 * @param {number} [size] of the answer, in bytes
 * @returns {ActivationResponse}
 */
function errorResponse(statusCode, error, size) {
  return { statusCode, result: { error }, ...(size === undefined ? {} : { size }) }
}

/** @param {string} text @returns {unknown} undefined for what is no JSON */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The activation's response after a container's answer to /init; undefined if it succeeded. Upstream: entity/ActivationResult.scala processInitResponseContent.
 *
 * @param {ContainerAnswer} answer
 * @param {{ timeoutMs: number, outOfMemory: boolean }} facts
 * @returns {ActivationResponse | undefined}
 */
function initOutcome(answer, { timeoutMs, outOfMemory }) {
  if (answer.kind === 'gone' && outOfMemory) return errorResponse(2, messages.outOfMemory)
  // a container that is gone is retried until the time limit, so it looks like one that is slow
  if (answer.kind !== 'answer') return errorResponse(2, messages.timedOut(timeoutMs, true))
  if (answer.status === 200) return undefined
  const body = parseJson(answer.text)
  return errorResponse(2, isObject(body) && 'error' in body ? body.error : messages.initInvalid(answer.text))
}

/**
 * The activation's response after a container's answer to /run. Upstream: entity/ActivationResult.scala processRunResponseContent.
 *
 * @param {ContainerAnswer} answer
 * @param {{ timeoutMs: number, maxBytes: number, outOfMemory: boolean }} facts
 * @returns {ActivationResponse}
 */
function runOutcome(answer, { timeoutMs, maxBytes, outOfMemory }) {
  if (answer.kind === 'timeout') return errorResponse(2, messages.timedOut(timeoutMs, false))
  if (answer.kind === 'gone') return errorResponse(2, outOfMemory ? messages.outOfMemory : messages.runAbnormal)
  if (answer.truncated) return errorResponse(1, messages.responseTooLarge(answer.text, answer.bytes, maxBytes))

  const ok = answer.status === 200
  const size = answer.bytes
  const body = parseJson(answer.text)
  // an error replaces the result: the keys beside it are dropped
  if (isObject(body) && 'error' in body) return errorResponse(ok ? 1 : 2, body.error, size)
  if (ok && (isObject(body) || Array.isArray(body))) return { statusCode: 0, result: body, size }
  return errorResponse(2, messages.runInvalid(answer.text), size)
}

module.exports = {
  ApiFailure,
  messages,
  refuseByFault,
  initOutcome,
  runOutcome,
  errorResponse,
  parseJson,
  isObject,
  STATUS_TEXTS,
}
