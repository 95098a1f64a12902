'use strict'

/** Translates a failure that actions/copy-range reports into an error of the table. */

const { XferError } = require('../errors')

/** @typedef {import('../types').TaskError} TaskError */
/** @typedef {import('../types').Store} Store */

/** The action's codes that do not depend on an HTTP status, */
const BY_CODE = /** @type {Record<string, string>} */ ({
  UNREACHABLE: 'CONNECTION_FAILED',
  CONNECTION_CUT: 'CONNECTION_FAILED',
  WRONG_RANGE: 'BAD_ANSWER',
  BODY_LENGTH: 'BAD_ANSWER',
  SUM_MISMATCH: 'READ_CORRUPTED',
  CANCELLED: 'INTERRUPTED',
})
/** and those that are codes of the table, too. */
const SAME = ['STALLED', 'BAD_ANSWER', 'SOURCE_CHANGED', 'HEADERS_DIFFER', 'NOT_STARTED', 'ADDRESS_REFUSED']

/** Codes of failed writes that cannot have reached the store. */
const NEVER_WRITTEN = new Set(['BAD_TASK', 'NOT_STARTED', 'UNREACHABLE', 'ADDRESS_REFUSED', 'CERTIFICATE_REFUSED'])

/**
 * @param {{ source: Store, destination: Store }} job
 * @returns {(error: TaskError) => import('../types').XferError}
 */
function explainWith({ source, destination }) {
  return error => {
    if (error.known) return error.known
    const { code, side, status, storeCode, message, shortage, sum } = error
    const { retryAfterMs, expected, found, headers, signedAnew, describedAnew } = error
    const store = side === 'write' ? destination : source
    // The action's message, a sentence, becomes a clause of ours.
    const reason = error.reason ?? message[0].toLowerCase() + message.slice(1).replace(/\.$/, '')
    const said = { retryAfterMs, expected, found, headers, reason, signedAnew, describedAnew }
    if (shortage === undefined && (code === 'HTTP_STATUS' || code === 'REDIRECTED')) {
      const answer = store.explain({ of: side === 'write' ? 'write' : 'read', status, storeCode, ...said })
      // The source existed when the copy began: now it has changed.
      if (side !== 'write' && answer.code === 'NO_SUCH_KEY') return new XferError('SOURCE_CHANGED', answer.facts)
      return answer
    }
    const facts = { ...store.facts, status, storeCode, ...said }
    if (shortage !== undefined) return new XferError('TOO_MANY_FILES', { ...facts, reason: shortage })
    // Neither side was silent: the function's own time ran out.
    if (code === 'STALLED' && side === undefined) return new XferError('NOT_STARTED', facts)
    // This machine trusted the certificate in earlier calls; the function, on another machine, does not.
    if (code === 'CERTIFICATE_REFUSED') return new XferError(code, { ...facts, remote: true })
    // An MD5 proves less than a CRC: it may come from an ETag.
    if (code === 'SUM_MISMATCH' && sum === 'md5') return new XferError('MD5_DIFFERS', facts)
    if (SAME.includes(code)) return new XferError(code, facts)
    return new XferError(Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : 'INTERNAL', facts)
  }
}

/** Whether the write of a failed task may have been carried out. @param {TaskError} error */
function mayHaveWritten({ code, side, status = 500 }) {
  if (side === 'read' || NEVER_WRITTEN.has(code)) return false
  return status === 408 || (status >= 500 && status !== 501)
}

module.exports = { explainWith, mayHaveWritten }
