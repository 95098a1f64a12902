'use strict'

/**
 * Errors of the platform, of its functions and of the deployed action: what to do about them, the rows that no other has, and
 * what the platform's answers mean. Pure.
 */

const { EXIT, failuresWith, withRows } = require('../../errors')
const { OF_GATEWAYS, clauseOf, lostFacts, retryAfterMs } = require('../common')

/** @typedef {Record<string, any>} PlatformFacts */

/** Where to look at an activation. @param {PlatformFacts} f */
const activationOf = f =>
  f.activationId
    ? `Look at its record: wsk activation get ${f.activationId}`
    : 'Look at the records: wsk activation list'

/** What to do, by code. @type {import('../../errors').Advice} */
const ADVICE = {
  NO_PLATFORM: f =>
    `Set APIHOST and AUTH in ~/.wskprops or in the environment${f.neededBy ? '' : ', or use --engine local'}.`,
  PLATFORM_UNREACHABLE: f => `Check APIHOST and the network${f.neededBy ? '' : ', or copy with --engine local'}.`,
  NOT_A_PLATFORM: () => 'Check APIHOST: it must be the API host that wsk uses, with or without https.',
  PLATFORM_KEY_REFUSED: f => {
    if (f.keyFrom) return `Check ${f.status === 403 ? 'NAMESPACE, and ' : ''}AUTH, which came from ${f.keyFrom}.`
    return `Check AUTH${f.status === 403 ? ' and NAMESPACE' : ''} in ~/.wskprops or in the environment.`
  },
  PLATFORM_ERROR: () => 'Repeat the command; if it fails again, look at the records: wsk activation list.',
  PLATFORM_REFUSED: f => f.whenRefused ?? 'Check the limits of its namespace: xfer doctor shows them.',
  ACTIVATION_FAILED: f => `${activationOf(f)}.`,
  ACTIVATION_LOST: f => `${activationOf(f)}.`,
  ACTIVATION_EXITED: f => `${activationOf(f)}; if it was short of memory, deploy it with xfer deploy --memory 512.`,
  ACTION_NOT_LOADED: f => `${activationOf(f)}; if it fails again, run xfer deploy.`,
}

/** @type {Record<string, import('../../errors').ErrorRow>} */
const ROWS = {
  PLATFORM_CONFLICT: {
    exit: EXIT.ENGINE,
    message: f => `The OpenWhisk platform at ${f.where} reports a conflict (HTTP ${f.status}: ${f.reason}).`,
    hint: () => 'Repeat the command; if it fails again, look at what has that name on the platform.',
    retryable: true,
  },
  CONTAINER_NOT_READY: {
    exit: EXIT.ENGINE,
    message: f => `A container on ${f.where} was not ready for a request (${f.reason}).`,
    hint: () =>
      'Repeat the command; if it fails again, see that limits.concurrency of the action is 1 (xfer deploy sets it), and look at the containers of the platform.',
    retryable: true,
    uncertain: true,
    blameless: true,
  },
}

const XferError = withRows(ROWS)

/** Makes an error with the advice of this platform. */
const failure = failuresWith(ADVICE)

/** Facts for its errors. @param {string} apihost @param {string} action with its package */
function factsOf(apihost, action) {
  return { where: apihost, action, platform: `the OpenWhisk platform at ${apihost}`, fn: `the action ${action}` }
}

/**
 * Translates the platform's refusals and missing answers into errors. Statuses
 * and bodies are those of OpenWhisk's controller (core/controller, Actions.scala; core/entitlement, Entitlement.scala).
 */

/** @typedef {import('../../types').XferError} XferError */
/** @typedef {import('node:http').IncomingHttpHeaders} PlatformHeaders */

/**
 * @param {Pick<import('./client').OpenWhiskAnswer, 'body' | 'lost'> & { head?: { status: number, headers: PlatformHeaders } }} answer
 * @param {Record<string, any>} facts of `factsOf`; `activationId` if it is known
 * @param {{ invoking?: boolean }} [how] whether it answers an invocation
 * @returns {XferError}
 */
function fromPlatformError({ head, body, lost }, facts, { invoking = false } = {}) {
  if (lost || !head) {
    const { code, ...why } = lostFacts(lost)
    return failure(code, { ...facts, ...why, exit: EXIT.ENGINE }, { cause: lost })
  }
  const { status, headers } = head
  if (body?.response) return failedActivation(body, facts)
  const foreign = typeof body?.error !== 'string'
  const reason = foreign ? 'no reason given' : clauseOf(body.error)
  const known = { ...facts, status, reason }
  if (status === 401 || status === 403) return failure('PLATFORM_KEY_REFUSED', { ...facts, status })
  if (foreign && status < 500 && !OF_GATEWAYS.includes(status)) {
    const reason = `HTTP ${status} with a body that is not OpenWhisk's`
    return failure('NOT_A_PLATFORM', { ...facts, status, reason })
  }
  if (status === 404) return failure('ACTION_NOT_DEPLOYED', known)
  // The action has not run.
  if (status === 413 && invoking) return failure('PAYLOAD_TOO_LARGE', { ...known, uncertain: false })
  if (status === 429) return failure('PLATFORM_THROTTLED', throttleOf(known, headers))
  const waiting = { ...known, retryAfterMs: retryAfterMs(headers) }
  // pekko-http's own 503, for a request that took longer than its limit of 65 s, does not show whether the activation ran. That of
  // an overloaded platform does.
  const overlong = typeof body === 'string' && /timely response/.test(body)
  if (status === 503 && !overlong) return failure('PLATFORM_THROTTLED', waiting)
  if (status >= 500 || status === 408) return failure('PLATFORM_ERROR', waiting)
  return failure('PLATFORM_REFUSED', known)
}

/**
 * The two kinds of 429 differ only in their text. The limit per minute ends with the calendar minute, and requests sent before
 * count too. Any other text is taken for the limit of concurrent invocations.
 *
 * @param {Record<string, any>} facts
 * @param {PlatformHeaders} headers
 */
function throttleOf(facts, headers) {
  const throttle = /in the last minute/i.test(facts.reason) ? 'rate' : 'concurrent'
  const allowed = /\ballowed: (\d+)/i.exec(facts.reason)?.[1]
  return {
    ...facts,
    throttle,
    allowed: allowed === undefined ? undefined : Number(allowed),
    retryAfterMs: throttle === 'rate' ? undefined : retryAfterMs(headers),
  }
}

/** A list with smaller pages would not be worth its requests. */
const LEAST_PAGE = 10

/**
 * How many records a page of the activation list may have, after a refusal: Adobe's platform allows 50. Upstream's text is "The value
 * '200' is not in the range of 0 to 50 for activations." (http/ErrorResponse.scala, listLimitOutOfRange); another may say no number.
 *
 * @param {any} error of the list
 * @param {number} asked
 * @returns {number | undefined} fewer than asked; undefined if it was not refused for the number
 */
function smallerPage({ facts }, asked) {
  if (facts?.status !== 400) return undefined
  const numbers = [...String(facts.reason).matchAll(/\d+/g)].map(Number)
  const allowed = Math.max(0, ...numbers.filter(number => number < asked)) || Math.floor(asked / 2)
  return allowed >= LEAST_PAGE ? allowed : undefined
}

/**
 * Translates activation records into results and errors. In a record only the status and the text show which failure it is.
 * The texts are upstream's (common/scala http/ErrorResponse.scala, object Messages; the runtime's service.js).
 */

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
 * @param {Record<string, any>} facts of `factsOf`; activationId if it is known
 * @returns {any} the action's result
 * @throws {XferError}
 */
function fromActivation(activation, facts) {
  const { response } = activation ?? {}
  if (!response) throw failure('ACTIVATION_FAILED', { ...facts, reason: 'its record cannot be read' })
  if (response.success === true) return response.result
  throw failedActivation(activation, facts)
}

/**
 * @param {any} activation a record
 * @param {Record<string, any>} facts
 * @returns {XferError}
 */
function failedActivation(activation, facts) {
  const { response, activationId = facts.activationId } = activation
  const error = response.result?.error
  const thrown = typeof error === 'object' && error !== null
  const words = thrown ? error.message : error
  const text = typeof words === 'string' ? words.trim() : ''
  const [, known] =
    (response.status === 'action developer error' && BY_TEXT.find(([pattern]) => pattern.test(text))) || []
  const code = response.status === 'application error' ? codeOfAnswer(text, thrown) : (known ?? 'ACTIVATION_FAILED')
  return failure(code, { ...facts, activationId, reason: clauseOf(text) })
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

module.exports = { ROWS, XferError, factsOf, failure, fromPlatformError, fromActivation, smallerPage }
