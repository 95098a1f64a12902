'use strict'

/**
 * Translates activation records into results and errors. In a record only the status and the text show which failure it is.
 * The texts are upstream's (common/scala http/ErrorResponse.scala, object Messages; the runtime's service.js).
 */

const { withoutSecrets } = require('../../../errors')
const { XferError } = require('./errors')

/** @typedef {import('../../../types').XferError} Failure */

/** Failures that the platform itself reports, by its texts. @type {Array<[RegExp, string]>} */
const BY_TEXT = [
  // For an action that dies while it loads, upstream reports a timeout. Others report that it exited.
  [/exceeded its time limits.* during initialization|did not initialize and exited/, 'ACTION_NOT_LOADED'],
  [/^System not ready|^Cannot initialize the action more than once/, 'CONTAINER_NOT_READY'],
  [/exceeded its time limits/, 'ACTIVATION_TIMED_OUT'],
  [/exhausted its memory/, 'ACTIVATION_OUT_OF_MEMORY'],
  [/exited unexpectedly/, 'ACTIVATION_EXITED'],
  [/^Initialization has failed|failed during initialization/, 'ACTION_BROKEN'],
  // It ran, but its answer does not fit the interface.
  [/did not return a dictionary|did not produce a valid JSON/, 'ACTION_VERSION'],
]

/**
 * @param {any} activation a record
 * @param {Record<string, any>} facts apihost, action; activationId if it is known
 * @returns {any} the action's result
 * @throws {Failure}
 */
function fromActivation(activation, facts) {
  const { response } = activation ?? {}
  if (!response) throw new XferError('ACTIVATION_FAILED', { ...facts, reason: 'its record cannot be read' })
  if (response.success === true) return response.result
  throw failedActivation(activation, facts, { cause: undefined })
}

/**
 * @param {any} activation a record
 * @param {Record<string, any>} facts
 * @param {{ cause: unknown }} options
 * @returns {Failure}
 */
function failedActivation(activation, facts, options) {
  const { response, activationId = facts.activationId } = activation
  const failure = response.result?.error
  const thrown = typeof failure === 'object' && failure !== null
  const words = thrown ? failure.message : failure
  const text = typeof words === 'string' ? words.trim() : ''
  const code = response.status === 'application error' ? codeOfAnswer(text, thrown) : codeOfEnd(text, response.status)
  return new XferError(code, { ...facts, activationId, reason: reasonOf(text) }, options)
}

/**
 * The code of a failure that the action reports. The action answers with an error text only if it does not understand its
 * parameters: then a retry does not help. An exception that it threw may pass.
 *
 * @param {string} text
 * @param {boolean} thrown
 */
function codeOfAnswer(text, thrown) {
  if (/exceeded the allowed length/.test(text)) return 'PAYLOAD_TOO_LARGE'
  return thrown ? 'ACTIVATION_FAILED' : 'ACTION_VERSION'
}

/** @param {string} text @param {string} status */
function codeOfEnd(text, status) {
  const [, code] = (status === 'action developer error' && BY_TEXT.find(([pattern]) => pattern.test(text))) || []
  return code ?? 'ACTIVATION_FAILED'
}

/**
 * The text as the end of a sentence. Takes only the first sentence or line, because stack traces and the function's answer
 * follow it.
 *
 * @param {string} text
 */
function reasonOf(text) {
  const [first] = withoutSecrets(text.trim()).split(/[\r\n]|[.!?] +(?=[A-Z])/)
  return first.slice(0, 200).trimEnd().replace(/[.:]$/, '') || 'no reason given'
}

module.exports = { fromActivation, failedActivation, reasonOf }
