'use strict'

/** An error of the SDK's, as one of the table. */

const { withoutSecrets, XferError } = require('../../errors')
const { explainConnection } = require('../../http')
const { classifyAnswer, codeOf, isKnownCode, meaningOf } = require('./explain')
const { permissionsOf } = require('./permissions')
const { foreignType } = require('./xml/documents')

/** What the SDK's own deadline means. */
const SILENCE = /** @type {const} */ ({ kind: 'socket', reason: 'no answer in time', words: undefined })

/** By the kind of a connection's failure. */
const BY_KIND = {
  socket: 'STORE_UNREACHABLE',
  certificate: 'CERTIFICATE_REFUSED',
  protocol: 'NOT_A_STORE',
  shortage: 'TOO_MANY_FILES',
}

/**
 * @param {any} error what the SDK threw
 * @param {{ side: string, [fact: string]: any }} asked facts: of the store; key, operation
 * @param {AbortSignal} [signal]
 * @returns {import('../../types').XferError}
 */
function fromSdkError(error, asked, signal) {
  if (error instanceof XferError) return error
  /** @type {Record<string, any>} */
  const facts = { ...asked, ...permissionsOf(asked) }
  const options = { cause: error }
  if (signal?.aborted) {
    return signal.reason instanceof XferError ? signal.reason : new XferError('INTERRUPTED', {}, options)
  }
  // The SDK calls a cut connection a timeout too.
  const connection = explainConnection(error.code) ?? (error.name === 'TimeoutError' ? SILENCE : undefined)
  if (connection) {
    const { kind, reason, words } = connection
    return new XferError(BY_KIND[kind], { ...facts, reason, words }, options)
  }
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode
  if (status === undefined) {
    return error.name === 'CredentialsProviderError'
      ? new XferError('NO_CREDENTIALS', facts, options)
      : new XferError('INTERNAL', { ...facts, reason: withoutSecrets(String(error.message)) }, options)
  }
  const storeCode = codeOf(error.name)
  const foreign = foreignAnswer(error, status, storeCode)
  if (foreign) {
    return new XferError('NOT_A_STORE', { ...facts, status, reason: `HTTP ${status} with ${foreign}` }, options)
  }
  const code = classifyAnswer({ status, storeCode })
  // What is asked of no key says that of the bucket.
  const ofBucket = code === 'NO_SUCH_KEY' && facts.key === undefined
  return new XferError(
    ofBucket ? 'NO_SUCH_BUCKET' : code,
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
 * Whether an answer was written by something else than an object store: a web site, a console, a gateway.
 *
 * @param {any} error
 * @param {number} status
 * @param {string | undefined} storeCode
 * @returns {string | undefined} what it came with, for people
 */
function foreignAnswer(error, status, storeCode) {
  if (isKnownCode(storeCode)) return undefined
  const page = foreignType(String(error.$response?.headers?.['content-type'] ?? ''))
  const unreadable = error.unreadable === true || error instanceof SyntaxError
  if (status < 500 && status !== 429 && (page || unreadable)) return page ?? "a body that is not S3's XML"
  return status >= 300 && status < 400 && storeCode === undefined ? 'a redirect' : undefined
}

/** The first of the store's own words, as half a sentence; what the SDK says where there are none is no reason. @param {any} error */
function storeMessage(error) {
  const { message } = error
  if (typeof message !== 'string' || /^Unknown/.test(message)) return undefined
  const [first] = withoutSecrets(message.trim()).split(/(?<=[.!?])\s|[\r\n]/)
  return first.slice(0, 200).replace(/\.$/, '') || undefined
}

/** @param {any} error */
function retryAfterMs(error) {
  const seconds = Number(error.$response?.headers?.['retry-after'])
  return seconds > 0 ? seconds * 1000 : undefined
}

module.exports = { fromSdkError }
