'use strict'

/** The version of the interface, and every way in which a task can fail. */

const { SUM_WORDS } = require('./sums')

/** Of the parameters, the result and the failure codes. */
const VERSION = 2

/** @typedef {import('../../lib/types').TaskErrorCode} TaskErrorCode */
/** @typedef {import('../../lib/types').TaskError} TaskError */
/** @typedef {'read' | 'write'} Side */

/**
 * What is known of a failure. `detail` is our own words or an error code of Node.js, never text that came over the wire and
 * never a message of Node.js: those can quote a header or a host. `reason` is likewise, for callers that make a sentence of
 * their own with it. `storeMessage` is what the store said, without secrets. `headers`, of HEADERS_DIFFER, are those that the store's rule describes the object by.
 * @typedef {{
 *   side?: Side, detail?: string, reason?: string, status?: number, storeCode?: string, storeMessage?: string,
 *   retryAfterMs?: number, dateMs?: number, shortage?: string,
 *   sum?: import('../../lib/types').Sum, expected?: string | number, found?: string | number, headers?: Record<string, string>
 * }} FailureFacts
 */

/** @type {Record<Side, string>} */
const PLACE = { read: 'the source', write: 'the destination' }

/** @param {FailureFacts} facts */
const place = ({ side }) => (side ? PLACE[side] : 'a store')

/** @param {string} text */
const sentence = text => `${text[0].toUpperCase()}${text.slice(1)}.`

/** @param {FailureFacts} facts */
const because = ({ detail }) => (detail ? ` (${detail})` : '')

/**
 * Every way in which a task can fail, with its one sentence.
 * @satisfies {Record<string, (facts: FailureFacts) => string>}
 */
const FAILURES = {
  BAD_TASK: facts => `the task cannot be carried out: ${facts.detail}`,
  HTTP_STATUS: facts => `${place(facts)} answered ${facts.status}${facts.storeCode ? ` ${facts.storeCode}` : ''}`,
  REDIRECTED: facts => `${place(facts)} answered ${facts.status}, a redirect, and redirects are not followed`,
  UNREACHABLE: facts => `no connection to ${place(facts)} could be opened${because(facts)}`,
  CONNECTION_CUT: facts => `the connection to ${place(facts)} was cut${because(facts)}`,
  STALLED: facts => facts.detail ?? `nothing moved on the connection to ${place(facts)} for too long`,
  WRONG_RANGE: () => 'the source answered with another range than the one asked for',
  SOURCE_CHANGED: () => 'the source is not the object it was when the copy was planned',
  HEADERS_DIFFER: () => 'the source describes the object otherwise than was expected',
  // Expected is what the store keeps, or what an earlier reading found.
  SUM_MISMATCH: ({ sum }) => `the ${sum ? SUM_WORDS[sum] : 'checksum'} of what the source sent is not the expected one`,
  BODY_LENGTH: () => 'the source sent a body of another length than the range asked for',
  BAD_ANSWER: facts => `${place(facts)} gave an answer that cannot be used: ${facts.detail}`,
  NOT_STARTED: () => "the invocation's time was nearly up, so the task was not started",
  ADDRESS_REFUSED: facts => `${place(facts)} may not be connected to, for ${facts.reason}`,
  CERTIFICATE_REFUSED: facts => `the certificate of ${place(facts)} is not trusted (${facts.reason})`,
  CANCELLED: () => 'the task was cancelled',
  INTERNAL: facts => `the action made a mistake of its own${because(facts)}`,
}

/** A task's failure, before it becomes data; it is never thrown out of the action. */
class Failure extends Error {
  /**
   * @param {TaskErrorCode} code
   * @param {FailureFacts} [facts]
   */
  constructor(code, facts = {}) {
    const message = sentence(FAILURES[code](facts))
    const limit = Error.stackTraceLimit
    // It never leaves the action with one, and making it takes longer than all else.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.code = code
    this.facts = facts
    /** Whether a kept connection died before it could carry anything: the task is worth one more attempt. */
    this.stale = false
    /** What a caller in this process threw, for that caller. @type {unknown} */
    this.known = undefined
  }

  /** @returns {TaskError} */
  toJSON() {
    const { detail, ...facts } = this.facts
    const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
    return {
      code: this.code,
      message: this.message,
      ...known,
      ...(this.known !== undefined && { known: /** @type {any} */ (this.known) }),
    }
  }

  /**
   * Anything that was thrown, as a failure; what is not a Failure is a defect of the action.
   * @param {unknown} thrown
   */
  static from(thrown) {
    if (thrown instanceof Failure) return thrown
    const { name, code } = /** @type {{ name?: string, code?: string }} */ (Object(thrown))
    return new Failure('INTERNAL', { detail: String(code ?? name ?? typeof thrown) })
  }
}

module.exports = { FAILURES, Failure, VERSION }
