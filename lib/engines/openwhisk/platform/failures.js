'use strict'

/**
 * What an activation came to, by its record. A record tells failures apart by its status and by texts alone; those are
 * upstream's (common/scala http/ErrorResponse.scala, object Messages; the runtime's service.js).
 */

const { withoutSecrets } = require('../../../errors')
const { XferError } = require('./errors')

/** @typedef {import('../../../types').XferError} Failure */

/** Ends of a function that the platform itself speaks of, in its words. @type {Array<[RegExp, string]>} */
const BY_TEXT = [
  // Of an action that dies while it loads upstream says that its time was up; others say that it exited.
  [/exceeded its time limits.* during initialization|did not initialize and exited/, 'ACTION_NOT_LOADED'],
  [/^System not ready|^Cannot initialize the action more than once/, 'CONTAINER_NOT_READY'],
  [/exceeded its time limits/, 'ACTIVATION_TIMED_OUT'],
  [/exhausted its memory/, 'ACTIVATION_OUT_OF_MEMORY'],
  [/exited unexpectedly/, 'ACTIVATION_EXITED'],
  [/^Initialization has failed|failed during initialization/, 'ACTION_BROKEN'],
  // It ran, and what it answered is none of this interface.
  [/did not return a dictionary|did not produce a valid JSON/, 'ACTION_VERSION'],
]

/**
 * @param {any} activation a record
 * @param {Record<string, any>} facts apihost, action; activationId where it is known
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
 * The action answers with a sentence of its own only where it could not understand its parameters, and asking again would
 * not help. What it threw it did not mean to say.
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
 * As the end of a sentence of ours: of several sentences or lines the first, for behind it come stacks, and what a
 * function had answered.
 *
 * @param {string} text
 */
function reasonOf(text) {
  const [first] = withoutSecrets(text.trim()).split(/[\r\n]|[.!?] +(?=[A-Z])/)
  return first.slice(0, 200).trimEnd().replace(/[.:]$/, '') || 'no reason given'
}

module.exports = { fromActivation, failedActivation, reasonOf }
