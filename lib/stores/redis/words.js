'use strict'

/** What Redis says of itself: its rows of the table of errors, its words in the other rows, and what its refusals mean. */

const { EXIT, withRows } = require('../../errors')
const { statusOf, wordOf } = require('../../redis')
const { connectionError, meaningIn } = require('../common')

/** @type {Record<string, import('../../errors').Row>} */
const ROWS = {
  REDIS_REFUSED: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} refused the command (${f.storeCode}${f.reason ? `: ${f.reason}` : ''}).`,
    hint: f => `Look at the key, and at the server ${f.endpoint}, then repeat the command.`,
  },
  REDIS_BUSY: {
    exit: EXIT.FAILED,
    message: f => `The ${f.side} cannot answer now (${f.storeCode}).`,
    hint: () => 'Repeat the command later.',
    retryable: true,
    shared: true,
  },
}

/** The class with these rows in its table: code that throws one of these errors takes the class from here. */
const XferError = withRows(ROWS)

/** What has the password. @param {'source' | 'destination'} side */
function variableOf(side) {
  return side === 'source' ? 'XFER_SOURCE_REDIS_PASSWORD' : 'XFER_DEST_REDIS_PASSWORD'
}

/** @param {'source' | 'destination'} side @returns {import('../contract').StoreTerms} */
function termsOf(side) {
  return {
    ...{ container: 'database', part: 'range' },
    ...{ endpoint: 'the address', endpointInUse: 'the address', address: 'the address' },
    credentials: `the user in the address, the password in ${variableOf(side)}`,
    credentialsAdvice: `Set ${variableOf(side)}.`,
    accessAdvice: 'The user needs the commands and keys that docs/guides/redis.md lists.',
  }
}

/** The words of refusals, by what they mean. @type {Record<string, readonly string[]>} */
const CODES = {
  ACCESS_DENIED: ['NOPERM'],
  CREDENTIALS_REFUSED: ['NOAUTH', 'WRONGPASS'],
  DESTINATION_EXISTS: ['CHANGED', 'EXISTS'],
  NO_SUCH_BUCKET: ['NODB'],
  NO_SUCH_KEY: ['NONE'],
  UPLOAD_GONE: ['GONE'],
}
/** Of a read. */
const CHANGES = { SOURCE_CHANGED: ['CHANGED', 'RANGE'] }

/** @type {Record<string, string>} */
const REASONS = {
  LENGTH: 'what was written has another size',
  MISCONF: 'it cannot save its data, so it takes no more',
  MOVED: 'it is a cluster, and xfer speaks to single servers',
  OOM: 'its memory is full',
  READONLY: 'it is a replica, which nobody writes to',
  WRONGTYPE: 'the key is a list, a hash or another kind of value, and no string',
}

/**
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 */
function explainAnswer({ of, status, storeCode = '', body: _, checksum: __, ...said }, facts) {
  const other = status === 503 ? 'REDIS_BUSY' : 'REDIS_REFUSED'
  const code = meaningIn(storeCode, of === 'read' ? CHANGES : {}, CODES) ?? other
  const reason = REASONS[storeCode]
  return new XferError(code, {
    ...{ ...facts, ...said, status, storeCode },
    ...(reason && { reason }),
    ...(storeCode === 'LENGTH' && { partsDiffer: true }),
    ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }),
  })
}

/**
 * @param {unknown} cause of a call of this process
 * @param {{ of: 'read' | 'write', key?: string, completes?: true }} what
 * @param {Record<string, any>} facts of the store
 * @param {AbortSignal} [signal]
 */
function explainCall(cause, { of, ...said }, facts, signal) {
  const word = wordOf(cause)
  if (word === undefined) return connectionError(cause, { ...facts, ...said }, signal)
  return explainAnswer({ of, status: statusOf(word), storeCode: word, ...said }, facts)
}

module.exports = { ROWS, XferError, explainAnswer, explainCall, termsOf, variableOf }
