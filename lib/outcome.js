'use strict'

/** What a function's failure means for the job: the data of actions/copy-range in, an error of the table out. */

const { XferError } = require('./errors')
const { classifyAnswer } = require('./stores/s3/errors')

/** @typedef {import('./types').TaskError} TaskError */
/** @typedef {import('./types').Store} Store */

/** Codes of the action whose meaning does not depend on an HTTP answer. @type {Record<string, string>} */
const BY_CODE = {
  UNREACHABLE: 'CONNECTION_FAILED',
  CONNECTION_CUT: 'CONNECTION_FAILED',
  STALLED: 'STALLED',
  WRONG_RANGE: 'BAD_ANSWER',
  BODY_LENGTH: 'BAD_ANSWER',
  CRC_MISMATCH: 'READ_CORRUPTED',
  BAD_ANSWER: 'BAD_ANSWER',
  SOURCE_CHANGED: 'SOURCE_CHANGED',
  NOT_STARTED: 'NOT_STARTED',
  CANCELLED: 'INTERRUPTED',
}

/** Answers to a body that came to grief on its way: nothing is wrong with the request. */
const PASSING_STORE_CODES = new Set([
  'IncompleteBody',
  'RequestTimeout',
  'InvalidChunkSizeError',
  'MissingContentLength',
])

/**
 * @param {{ source: Store, destination: Store, trailer: boolean }} job trailer: whether the writes carry a checksum behind the bytes
 * @returns {(error: TaskError) => import('./types').XferError}
 */
function explainWith({ source, destination, trailer }) {
  return error => {
    const { code, side, status, storeCode, retryAfterMs, expected, found } = error
    const store = side === 'write' ? destination : source
    // A sentence of the action's, as half of one of ours.
    const reason = error.message[0].toLowerCase() + error.message.slice(1).replace(/\.$/, '')
    const facts = { ...store.facts, status, storeCode, retryAfterMs, expected, found, reason }
    if (code === 'HTTP_STATUS' || code === 'REDIRECTED') return new XferError(fromAnswer(error, trailer), facts)
    return new XferError(Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : 'INTERNAL', facts)
  }
}

/** @param {TaskError} error @param {boolean} trailer @returns {string} */
function fromAnswer({ side, status, storeCode }, trailer) {
  const code = classifyAnswer({ status, storeCode })
  if (side === 'read') {
    // It was there, and as expected, when the copy began.
    if (status === 412 || status === 416 || code === 'NO_SUCH_KEY') return 'SOURCE_CHANGED'
    return code
  }
  if (trailer && (status === 411 || status === 501)) return 'TRAILER_REFUSED'
  if (status === 412) return 'DESTINATION_EXISTS'
  // Others say with 409 that a key cannot be beside another one, as with files and folders.
  if (status === 409 && (storeCode === undefined || storeCode === 'OperationAborted')) return 'UPLOAD_CONFLICT'
  if (storeCode !== undefined && PASSING_STORE_CODES.has(storeCode)) return 'STORE_ERROR'
  // A 404 to the write of a part: older stores say NoSuchKey where they mean NoSuchUpload.
  return code === 'NO_SUCH_KEY' ? 'UPLOAD_GONE' : code
}

module.exports = { explainWith }
