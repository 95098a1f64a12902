'use strict'

/** The one error class, and the functions that turn anything thrown into it. The table of codes is in table/. */

const { inspect, types } = require('node:util')
const { EXIT, TABLE, resumeHint, why } = require('./table')
const { withoutSecrets, wordsOfRefusal } = require('../../actions/copy-range/redact')
const { redact } = require('./redact')

/** @typedef {import('./table').ErrorFacts} ErrorFacts */
/** @typedef {import('./table').ErrorRow} ErrorRow */

/** The error of everything that fails: its `code` is a key of the table, its `hint` says in a sentence what to do. */
class XferError extends Error {
  /**
   * @param {string} code a key of the table
   * @param {ErrorFacts} [facts] the values that the row's sentences mention; never a secret or a signed URL
   * @param {{ cause?: unknown }} [options] of a cause that is not an XferError only the name, the code, the text and the stack
   *   are kept, without secrets; the cause of INTERRUPTED is the signal's reason, as it is
   */
  constructor(code, facts = {}, options = {}) {
    const row = TABLE[code]
    if (!row) throw new TypeError(`The table has no error ${code}.`)
    // The reason of an abort is the caller's own.
    const cause = code === 'INTERRUPTED' ? options.cause : sanitized(options.cause)
    const message = row.message(facts)
    const limit = Error.stackTraceLimit
    // Where a store refuses, its answer says all: a million refusals must not cost a million stack traces.
    if (facts.status !== undefined) Error.stackTraceLimit = 0
    super(message, options.cause === undefined ? {} : { cause })
    Error.stackTraceLimit = limit
    this.name = 'XferError'
    this.code = /** @type {import('../api/codes').XferErrorCode} */ (code)
    this.facts = facts
    this.hint = row.hint(facts)
    /** An error that wraps another one keeps the exit status of its cause. */
    this.exitCode = /** @type {number} */ (facts.exit ?? row.exit)
    this.retryable = row.retryable ?? false
  }

  // What only xfer itself asks of an error: nobody needs to see it printed.

  get throttled() {
    return TABLE[this.code].throttled ?? false
  }

  /** The invocation may have run, or may still be running: ask the destination before repeating it. @returns {boolean} */
  get uncertain() {
    return this.facts.uncertain ?? TABLE[this.code].uncertain ?? false
  }

  /** The cause was removed, by a new signature or a new description of the object: the retry costs no attempt. */
  get freeRetry() {
    return this.facts.signedAnew === true || this.facts.describedAnew === true
  }

  /** It may be an outage of the store or the platform that affects all requests: see lib/schedule/outage.js. */
  get shared() {
    return TABLE[this.code].shared ?? false
  }

  /** An invocation with fewer parts may succeed. */
  get smaller() {
    return TABLE[this.code].smaller ?? false
  }

  /** The failure has nothing to do with the parts of the invocation. */
  get blameless() {
    return TABLE[this.code].blameless ?? false
  }

  /** What was copied so far is useless: the job is not kept. */
  get final() {
    return TABLE[this.code].final ?? false
  }

  /** How long the store or the platform asks to wait. @returns {number | undefined} */
  get retryAfterMs() {
    return this.facts.retryAfterMs
  }

  /** What a log keeps of it; never a secret. */
  toJSON() {
    const { name, code, message, hint, exitCode } = this
    // A store's words for its hints are no values.
    const { terms, ...facts } = this.facts
    return { name, code, message, hint, exitCode, facts }
  }

  /**
   * What `console.error` prints: as a log, with the stack and the cause.
   *
   * @param {number} _depth
   * @param {import('node:util').InspectOptions} options
   */
  [inspect.custom](_depth, options) {
    const { name, message, ...known } = this.toJSON()
    const stack = (this.stack ?? '').replace(/^Error(?=:)/, name)
    return `${stack || `${name}: ${message}`} ${inspect({ ...known, ...(this.cause !== undefined && { cause: this.cause }) }, options)}`
  }
}

/** An error that nobody needs to trace: making a stack trace takes longer than all else of it. @param {string} message */
function withoutStack(message) {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  const error = new Error(message)
  Error.stackTraceLimit = limit
  return error
}

/**
 * The text of anything that somebody else threw, without its secrets. Never throws: not every value has a text.
 *
 * @param {unknown} thrown
 */
function messageOf(thrown) {
  try {
    return withoutSecrets(String(isError(thrown) ? thrown.message : thrown))
  } catch {
    return 'it has no text'
  }
}

/** Whether it is an error, also one of another realm, as of a test runner or of `node:vm`. @param {unknown} error @returns {error is Error} */
function isError(error) {
  return error instanceof Error || types.isNativeError(error)
}

/**
 * Copies an error without its secrets. An error of a library may hold the whole request with its signature, and the answer.
 * Never throws: a value that cannot be read becomes its text.
 *
 * @param {unknown} cause
 * @param {unknown[]} [wrappers] the errors that it is the cause of: some errors are their own cause
 * @returns {Error | string}
 */
function sanitized(cause, wrappers = []) {
  try {
    if (cause instanceof XferError) return cause
    return types.isNativeError(cause) ? copyOf(cause, [...wrappers, cause]) : messageOf(cause)
  } catch {
    return messageOf(cause)
  }
}

/** @param {Error} error @param {unknown[]} wrappers this error among them */
function copyOf(error, wrappers) {
  const { cause } = error
  const { code } = /** @type {NodeJS.ErrnoException} */ (error)
  const [message, stack] = [error.message, error.stack ?? ''].map(String)
  // An SDK takes the name from the answer, so it may be any text.
  const name = withoutSecrets(String(error.name))
  const ends = cause === undefined || wrappers.includes(cause)
  const safe = new Error(withoutSecrets(message), ends ? {} : { cause: sanitized(cause, wrappers) })
  // The message may have lines that look like stack frames, so look only at what follows it.
  const behind = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  const frames = behind.match(/^ {4}at .*$/gm) ?? []
  return Object.assign(safe, {
    name,
    stack: [`${name}: ${safe.message}`, ...frames].join('\n'),
    ...(typeof code === 'string' && { code }),
  })
}

/** The system's codes for a full disk, a used-up quota, and a file at its maximum size. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * @param {unknown} error
 * @returns {XferError} the error itself if it is an XferError; else an error that wraps it: `FILE_UNWRITABLE` if the disk
 *   is full, `TOO_MANY_FILES` if no more may be open, else `INTERNAL`
 */
function asXferError(error) {
  if (error instanceof XferError) return error
  const { code, path } = types.isNativeError(error) ? /** @type {NodeJS.ErrnoException} */ (error) : {}
  if (code !== undefined && NO_ROOM.has(code)) {
    return new XferError('FILE_UNWRITABLE', { path, reason: code }, { cause: error })
  }
  if (code === 'EMFILE' || code === 'ENFILE') return new XferError('TOO_MANY_FILES', { reason: code }, { cause: error })
  return new XferError('INTERNAL', { reason: messageOf(error) }, { cause: error })
}

/**
 * The facts for an error that wraps this one: the cause's facts, message, hint and exit status.
 *
 * @param {XferError} cause
 * @returns {ErrorFacts}
 */
function factsOfCause({ facts, message, hint, exitCode }) {
  return { ...facts, reason: message, advice: hint, exit: exitCode }
}

/**
 * Adds to an error how to resume its job. Changes the error and returns it.
 *
 * @param {XferError} error
 * @param {string} job the job's id, as `xfer resume` takes it
 * @param {{ nothing?: boolean, unproved?: number, state?: string }} [how] nothing: no part and no object was copied; unproved: objects
 *   that may be there, and of which nothing proves that they are right; state: where the job lies, as it was given by option
 */
function withJob(error, job, { nothing = false, unproved = 0, state } = {}) {
  error.facts = { ...error.facts, job, state, ...(nothing && { nothing }), ...(unproved > 0 && { unproved }) }
  const hint = TABLE[error.code].hint(error.facts)
  error.hint = hint === error.hint ? `${hint} ${resumeHint(error.facts)}` : hint
  return error
}

/**
 * What kind of value a caller gave, for messages. Never the value itself, which may be a secret.
 *
 * @param {unknown} value
 * @returns {string} such as `a number`, `an array`, `a URL object`
 */
function kindOf(value) {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (value === '') return 'an empty string'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return `a ${typeof value}`
  const name = Object.getPrototypeOf(value)?.constructor?.name
  if (name === undefined || name === 'Object' || name === '') return 'an object'
  return `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}${name === 'Promise' || name === 'Date' ? '' : ' object'}`
}

/**
 * @param {AbortSignal | undefined} signal
 * @throws {XferError} the signal's reason if that is an XferError, else INTERRUPTED
 */
function throwIfAborted(signal) {
  if (signal?.aborted) throw abortReason(signal)
}

/** @param {AbortSignal} signal */
function abortReason(signal) {
  return signal.reason instanceof XferError ? signal.reason : new XferError('INTERRUPTED', {}, { cause: signal.reason })
}

/**
 * Adds the rows of a store or an engine to the table.
 *
 * @param {Record<string, import('./table').ErrorRow>} rows
 * @returns {typeof XferError} the class, for the files that throw these errors
 * @throws {TypeError} if the table already has a row for a code
 */
function withRows(rows) {
  for (const [code, row] of Object.entries(rows)) {
    if (Object.hasOwn(TABLE, code)) throw new TypeError(`The error ${code} has two rows.`)
    TABLE[code] = row
  }
  return XferError
}

/** For what is only told, or done, where it is allowed. @param {XferError} error @returns {undefined} @throws {XferError} any other */
function unlessDenied(error) {
  if (error.code !== 'ACCESS_DENIED' && error.code !== 'STORE_REFUSED') throw error
}

/** Why a part, or an object of one request, failed, without the error that tells of its attempts. @param {unknown} cause @returns {XferError} */
function rootOf(cause) {
  const error = asXferError(cause)
  return error.code === 'PART_FAILED' ? asXferError(error.cause) : error
}

/** A wrong use of the command or the library. @param {string} text @param {string} advice */
function usage(text, advice) {
  return new XferError('USAGE', { text, advice })
}

/**
 * What to do about an error, in the words of one engine, by code.
 *
 * @typedef {Record<string, (facts: ErrorFacts) => string>} Advice
 */

/** How an engine makes its errors, which bring its advice. @param {Advice} advice */
function failuresWith(advice) {
  /** @param {string} code @param {ErrorFacts} facts @param {{ cause?: unknown }} [options] */
  return (code, facts, options) =>
    new XferError(code, { ...facts, advice: facts.advice ?? advice[code]?.(facts) }, options)
}

module.exports = {
  abortReason,
  asXferError,
  EXIT,
  factsOfCause,
  failuresWith,
  isError,
  kindOf,
  redact,
  rootOf,
  TABLE,
  messageOf,
  throwIfAborted,
  unlessDenied,
  usage,
  why,
  withJob,
  withoutSecrets,
  withoutStack,
  withRows,
  wordsOfRefusal,
  XferError,
}
