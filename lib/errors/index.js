'use strict'

/** The one class of error, and what turns anything thrown into it; the table of codes is error-table/. */

const { types } = require('node:util')
const { EXIT, TABLE, goOn, why } = require('./table')
const { withoutSecrets, shown } = require('./redact')

/** @typedef {Record<string, any>} Facts */
/** @typedef {import('./table').Row} Row */

/**
 * @property {string} code a key of the table
 * @property {string} hint one sentence: what to do
 * @property {number} exitCode
 * @property {Facts} facts
 */
class XferError extends Error {
  /**
   * @param {string} code a key of the table
   * @param {Facts} [facts] what the row's sentences speak of; never a secret or a signed URL
   * @param {{ cause?: unknown }} [options] of a cause that is none of ours the text is kept, and nothing else
   */
  constructor(code, facts = {}, options = {}) {
    const row = TABLE[code]
    super(row.message(facts), options.cause === undefined ? {} : { cause: bare(options.cause) })
    this.name = 'XferError'
    this.code = code
    this.facts = facts
    this.hint = row.hint(facts)
    /** A wrapped failure keeps the status of its cause. */
    this.exitCode = /** @type {number} */ (facts.exit ?? row.exit)
    this.retryable = row.retryable ?? false
    this.throttled = row.throttled ?? false
    /** The invocation may have run, or run still, though nothing is known of it: ask the destination before repeating. */
    this.uncertain = facts.uncertain ?? row.uncertain ?? false
    /** What was wrong with its request is put right (see TaskError): made again, it costs no attempt. */
    this.freeRetry = facts.signedAnew === true || facts.describedAnew === true
    /** It may be a failure of the store or platform, for all who ask it: see lib/outage. */
    this.shared = row.shared ?? false
    /** Less at once may succeed where this failed. */
    this.smaller = row.smaller ?? false
    /** It is no fault of what was carried. */
    this.blameless = row.blameless ?? false
    /** What was copied is of no use to anybody: the job is not kept. */
    this.final = row.final ?? false
    /** @type {number | undefined} how long the peer asked to wait */
    this.retryAfterMs = facts.retryAfterMs
  }
}

/**
 * What a library throws may hold the whole request, with its signature, and the answer, which may repeat it.
 *
 * @param {unknown} cause
 * @returns {Error | string}
 */
function bare(cause) {
  if (cause instanceof XferError) return cause
  if (!types.isNativeError(cause)) return withoutSecrets(String(cause))
  const { message, stack = '', cause: deeper } = cause
  const { code } = /** @type {NodeJS.ErrnoException} */ (cause)
  // A peer's own word for the error stands there, or whatever it sent in its place.
  const name = withoutSecrets(cause.name)
  const safe = new Error(withoutSecrets(message), deeper === undefined ? {} : { cause: bare(deeper) })
  // A message may have lines that look like frames.
  const behind = stack.slice(Math.max(0, stack.indexOf(message)) + message.length)
  const frames = behind.match(/^ {4}at .*$/gm) ?? []
  return Object.assign(safe, {
    name,
    stack: [`${name}: ${safe.message}`, ...frames].join('\n'),
    ...(typeof code === 'string' && { code }),
  })
}

/** What the system says of a file that has no room: the disk, the quota, the limit of a file's size. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * @param {unknown} error
 * @returns {XferError} itself where it is one, else wrapped: as `FILE_UNWRITABLE` where the system has no room for a file, else as `INTERNAL`
 */
function asXferError(error) {
  if (error instanceof XferError) return error
  const { code, path } = /** @type {NodeJS.ErrnoException} */ (error ?? {})
  if (code !== undefined && NO_ROOM.has(code)) {
    return new XferError('FILE_UNWRITABLE', { path, reason: code }, { cause: error })
  }
  const reason = withoutSecrets(error instanceof Error ? error.message : String(error))
  return new XferError('INTERNAL', { reason }, { cause: error })
}

/**
 * What an error that wraps another one has to know of it: its facts, its two sentences and its exit status.
 *
 * @param {XferError} cause
 * @returns {Facts}
 */
function factsOfCause({ facts, message, hint, exitCode }) {
  return { ...facts, reason: message, advice: hint, exit: exitCode }
}

/**
 * The same error, which now says how its job is gone on with.
 *
 * @param {XferError} error
 * @param {string} job what `xfer resume` takes
 */
function withJob(error, job) {
  error.facts = { ...error.facts, job }
  const hint = TABLE[error.code].hint(error.facts)
  error.hint = hint === error.hint ? `${hint} ${goOn(error.facts)}` : hint
  return error
}

/**
 * @param {AbortSignal | undefined} signal
 * @throws {XferError} its reason where it is one of ours, else INTERRUPTED
 */
function throwIfAborted(signal) {
  if (signal?.aborted) throw abortReason(signal)
}

/** @param {AbortSignal} signal */
function abortReason(signal) {
  return signal.reason instanceof XferError ? signal.reason : new XferError('INTERRUPTED', {}, { cause: signal.reason })
}

/**
 * Adds the rows that a store or an engine brings.
 *
 * @param {Record<string, import('./table').Row>} rows
 * @returns {typeof XferError} the class, for the files that throw one of them
 * @throws {TypeError} where a code has a row already
 */
function withRows(rows) {
  for (const [code, row] of Object.entries(rows)) {
    if (Object.hasOwn(TABLE, code)) throw new TypeError(`The error ${code} has two rows.`)
    TABLE[code] = row
  }
  return XferError
}

module.exports = {
  abortReason,
  asXferError,
  EXIT,
  factsOfCause,
  shown,
  TABLE,
  throwIfAborted,
  why,
  withJob,
  withoutSecrets,
  withRows,
  XferError,
}
