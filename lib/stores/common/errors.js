'use strict'

/** Errors of any store: of a refusal by its status, and of a connection. */

const { XferError, abortReason, usage, withoutSecrets } = require('../../errors')
const { REFUSED, explainConnection } = require('../../http')

/** By the kind of connection failure. */
const BY_KIND = {
  socket: 'STORE_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_STORE',
  shortage: 'TOO_MANY_FILES',
}

/** A store's own codes, by what they mean. @typedef {Partial<Record<import('../../types').XferErrorCode, readonly string[]>>} CodeTable */

/**
 * @param {string | undefined} storeCode
 * @param {...CodeTable} tables the first that has it counts
 * @returns {import('../../types').XferErrorCode | undefined} undefined: none has it
 */
function meaningIn(storeCode = '', ...tables) {
  const found = tables.flatMap(table => Object.entries(table)).find(([, codes]) => codes.includes(storeCode))
  return /** @type {import('../../types').XferErrorCode | undefined} */ (found?.[0])
}

/** @param {Record<string, readonly string[]>} table codes by facts that they stand for @param {string} [storeCode] @returns {Record<string, true>} facts of an error */
function factsIn(table, storeCode = '') {
  const meant = Object.keys(table).filter(fact => table[fact].includes(storeCode))
  return Object.fromEntries(meant.map(fact => [fact, true]))
}

/**
 * What a refusal means: by the store's code, or else by its status.
 *
 * @param {{ status?: number, storeCode?: string }} answer
 * @param {...CodeTable} tables as for `meaningIn`
 * @returns {import('../../types').XferErrorCode}
 */
function classify({ status = 0, storeCode }, ...tables) {
  const known = meaningIn(storeCode, ...tables)
  if (known) return known
  if (status === 401 || status === 403) return 'ACCESS_DENIED'
  if (status === 404) return 'NO_SUCH_KEY'
  if (status === 409 && storeCode === undefined) return 'UPLOAD_CONFLICT'
  if (status === 412) return 'DESTINATION_EXISTS'
  if (status === 429) return 'STORE_THROTTLED'
  if (status === 408 || status >= 500) return status === 501 ? 'STORE_REFUSED' : 'STORE_ERROR'
  return 'STORE_REFUSED'
}

/**
 * The error of a refusal that its status tells all of.
 *
 * @param {import('../contract').Answer} answer
 * @param {Record<string, any>} facts of the store
 * @param {Record<number, import('../../types').XferErrorCode>} [own] what a status means to this store
 */
function explainByStatus({ of, body: _, checksum: __, ...said }, facts, own = {}) {
  const { status = 0 } = said
  const changed = of === 'read' && (status === 412 || status === 416)
  const code = changed ? 'SOURCE_CHANGED' : (own[status] ?? classify(said))
  return new XferError(code, { ...facts, ...said, ...(code === 'NO_SUCH_KEY' && { noSuchKey: true }) })
}

/**
 * The error of a request that got no whole answer.
 *
 * @param {unknown} cause
 * @param {Record<string, any>} about facts
 * @param {AbortSignal} [signal] of the request
 * @returns {import('../../types').XferError} the cause itself if it is one
 */
function connectionError(cause, about, signal) {
  if (cause instanceof XferError) return cause
  if (signal?.aborted) return abortReason(signal)
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause)
  // By this machine's own guard (lib/http/agents.js).
  if (code === REFUSED) return new XferError('ADDRESS_REFUSED', { ...about, reason: message, here: true }, { cause })
  const connection = explainConnection(code)
  if (!connection) return new XferError('INTERNAL', { ...about, reason: withoutSecrets(String(message)) }, { cause })
  const { kind, reason, words } = connection
  return new XferError(BY_KIND[kind], { ...about, reason, words }, { cause })
}

/**
 * The error of a copy that a store makes by itself.
 *
 * @param {import('../../types').XferError} error
 * @param {readonly string[]} changes codes that mean that the source has changed
 * @param {readonly string[]} refusals codes after which an engine that reads and writes may still succeed
 */
function copyError(error, changes, refusals) {
  const { code, facts, exitCode } = error
  if (changes.includes(code)) return new XferError('SOURCE_CHANGED', facts, { cause: error })
  if (!refusals.includes(code)) return error
  return new XferError('COPY_REFUSED', { ...facts, exit: exitCode }, { cause: error })
}

/**
 * The text as a store's error code. Returns undefined if it does not look like a code, or looks like a secret.
 *
 * @param {string | undefined} text
 * @returns {string | undefined}
 */
function codeOf(text = '') {
  return /^(?!Unknown|\d*$)[\w.-]{1,64}$/.test(text) && withoutSecrets(text) === text ? text : undefined
}

/**
 * What a store says of its refusal, as a clause.
 *
 * @param {string} message
 * @param {readonly string[]} [secrets] that it may repeat
 * @returns {string | undefined} its first sentence; undefined if there is none
 */
function firstSentence(message, secrets) {
  const [first] = withoutSecrets(message.trim(), secrets).split(/(?<=[.!?])\s|[\r\n]/)
  return first.slice(0, 200).replace(/\.$/, '') || undefined
}

/** @param {Record<string, string>} [headers] of a refusal @returns {{ retryAfterMs?: number }} facts of an error */
function retryAfterIn(headers) {
  const seconds = Number(headers?.['retry-after'])
  return seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}
}

module.exports = {
  classify,
  codeOf,
  connectionError,
  copyError,
  explainByStatus,
  factsIn,
  firstSentence,
  meaningIn,
  retryAfterIn,
  usage,
}
