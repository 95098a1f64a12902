'use strict'

/** What Redis says of itself in errors, and what its refusals mean. */

const { XferError } = require('../../errors')
const { statusOf, wordOf } = require('../../redis')
const { classify, connectionError } = require('../common')
const { variableOf } = require('./options')

/** @param {'source' | 'destination'} side @returns {import('../contract').StoreTerms} */
function termsOf(side) {
  return {
    container: 'database',
    part: 'range',
    endpoint: 'the address',
    endpointInUse: 'the address',
    address: 'the address',
    credentials: `the user in the address and the password in ${variableOf(side)}`,
    credentialsAdvice: `Set ${variableOf(side)}.`,
    accessAdvice: 'The user needs the commands and keys that docs/guides/redis.md lists.',
  }
}

/** @type {import('../common/errors').CodeTable} */
const READS = {
  CREDENTIALS_REFUSED: ['NOAUTH', 'WRONGPASS'],
  NO_SUCH_BUCKET: ['NODB'],
  SOURCE_CHANGED: ['CHANGED', 'RANGE'],
}
/** @type {import('../common/errors').CodeTable} */
const WRITES = { ...READS, SOURCE_CHANGED: [], UPLOAD_GONE: ['GONE', 'NONE'] }

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
 * @param {{ of: 'read' | 'write', status?: number, storeCode?: string, [fact: string]: unknown }} refusal
 * @param {Record<string, any>} facts of the store
 */
function explainAnswer({ of, status, storeCode = '', body: _, checksum: __, ...said }, facts) {
  // A server that is full stays full.
  const code = storeCode === 'OOM' ? 'STORE_REFUSED' : classify({ status, storeCode }, of === 'read' ? READS : WRITES)
  const reason = REASONS[storeCode]
  const found = { ...(reason && { reason }), ...(storeCode === 'LENGTH' && { partsDiffer: true }) }
  const about = { ...facts, ...said, status, storeCode, ...found }
  return new XferError(code, { ...about, ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }) })
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

module.exports = { explainAnswer, explainCall, termsOf }
