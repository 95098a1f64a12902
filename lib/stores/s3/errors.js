'use strict'

/** Translates what a control call failed with into errors of the table. */

const { abortReason, withoutSecrets, XferError } = require('../../errors')
const { explainConnection } = require('../../http')
const { amazon } = require('./dialects')
const { classifyAnswer, codeOf, isKnownCode, meaningOf } = require('./explain')
const { foreignType } = require('./xml')

/** By the kind of connection failure. */
const BY_KIND = {
  socket: 'STORE_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_STORE',
  shortage: 'TOO_MANY_FILES',
}

/**
 * @param {any} error of a connection; or a refusal, as xml/answers.js throws it
 * @param {{ side: string, [fact: string]: any }} asked facts of the store, and key and operation of the call
 * @param {AbortSignal} [signal]
 * @param {import('./dialect').Dialect} [dialect]
 * @returns {import('../../types').XferError}
 */
function fromCallError(error, asked, signal, dialect = amazon) {
  if (error instanceof XferError) return error
  /** @type {Record<string, any>} */
  const facts = { ...asked, ...dialect.permissions(asked) }
  const options = { cause: error }
  if (signal?.aborted) return abortReason(signal)
  const connection = explainConnection(error.code)
  if (connection) {
    const { kind, reason, words } = connection
    return new XferError(BY_KIND[kind], { ...facts, reason, words }, options)
  }
  const { status } = error
  if (status === undefined) {
    return new XferError('INTERNAL', { ...facts, reason: withoutSecrets(String(error.message)) }, options)
  }
  const storeCode = codeOf(error.name)
  const foreign = foreignAnswer(error, status, storeCode, dialect.errors)
  if (foreign) {
    return new XferError('NOT_A_STORE', { ...facts, status, reason: `HTTP ${status} with ${foreign}` }, options)
  }
  const code = classifyAnswer({ status, storeCode }, dialect.errors)
  // If the request named no key, the bucket is missing.
  const bucketMissing = code === 'NO_SUCH_KEY' && facts.key === undefined
  return new XferError(
    bucketMissing ? 'NO_SUCH_BUCKET' : code,
    {
      ...facts,
      status,
      storeCode,
      ...meaningOf({ status, storeCode }),
      reason: storeMessage(error),
      retryAfterMs: retryAfterMs(error),
    },
    options,
  )
}

/**
 * Recognizes an answer that does not come from an object store, but from a web site, a console or a gateway.
 *
 * @param {any} error
 * @param {number} status
 * @param {string | undefined} storeCode
 * @param {Record<string, string>} [own] the dialect's codes
 * @returns {string | undefined} for messages: the content of such an answer
 */
function foreignAnswer(error, status, storeCode, own) {
  if (isKnownCode(storeCode, own)) return undefined
  const page = foreignType(String(error.headers?.['content-type'] ?? ''))
  if (status < 500 && status !== 429 && (page || error.unreadable)) return page ?? "a body that is not S3's XML"
  return status >= 300 && status < 400 && storeCode === undefined ? 'a redirect' : undefined
}

/** The first sentence of the store's message, as a clause; undefined if there is none. @param {any} error */
function storeMessage(error) {
  // Google's message says that access was denied, and its details to whom and what.
  const message = error.details || error.message
  if (!message) return undefined
  const [first] = withoutSecrets(message.trim()).split(/(?<=[.!?])\s|[\r\n]/)
  return first.slice(0, 200).replace(/\.$/, '') || undefined
}

/** @param {any} error */
function retryAfterMs(error) {
  const seconds = Number(error.headers?.['retry-after'])
  return seconds > 0 ? seconds * 1000 : undefined
}

module.exports = { fromCallError }
