'use strict'

/**
 * What a store's answer means, for control calls (through the SDK) and for data requests (through a function) alike:
 * status and S3 error code in, a code of lib/errors/index.js out.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

const { withoutSecrets, XferError } = require('../../errors')
const { explainConnection } = require('../../http')
const { foreignType, readRefusal } = require('./xml/documents')

/** @type {Record<string, string>} */
const BY_STORE_CODE = {
  NoSuchKey: 'NO_SUCH_KEY',
  NoSuchVersion: 'NO_SUCH_KEY',
  NoSuchBucket: 'NO_SUCH_BUCKET',
  NoSuchUpload: 'UPLOAD_GONE',
  AccessDenied: 'ACCESS_DENIED',
  AllAccessDisabled: 'ACCESS_DENIED',
  AccountProblem: 'ACCESS_DENIED',
  InvalidAccessKeyId: 'CREDENTIALS_REFUSED',
  SignatureDoesNotMatch: 'CREDENTIALS_REFUSED',
  InvalidToken: 'CREDENTIALS_REFUSED',
  // versitygw, with status 404.
  XAdminUserNotFound: 'CREDENTIALS_REFUSED',
  ExpiredToken: 'CREDENTIALS_EXPIRED',
  TokenRefreshRequired: 'CREDENTIALS_EXPIRED',
  RequestTimeTooSkewed: 'SIGNATURE_TOO_OLD',
  RequestExpired: 'SIGNATURE_TOO_OLD',
  SlowDown: 'STORE_THROTTLED',
  // MinIO.
  SlowDownRead: 'STORE_THROTTLED',
  SlowDownWrite: 'STORE_THROTTLED',
  Throttling: 'STORE_THROTTLED',
  ThrottlingException: 'STORE_THROTTLED',
  TooManyRequests: 'STORE_THROTTLED',
  RequestLimitExceeded: 'STORE_THROTTLED',
  InternalError: 'STORE_ERROR',
  ServiceUnavailable: 'STORE_ERROR',
  RequestTimeout: 'STORE_ERROR',
  // Others are at work on the key: "try again".
  OperationAborted: 'STORE_ERROR',
  BadDigest: 'PART_CORRUPTED',
  XAmzContentChecksumMismatch: 'PART_CORRUPTED',
  XAmzContentSHA256Mismatch: 'PART_CORRUPTED',
  InvalidObjectState: 'ARCHIVED',
  ObjectNotInActiveTierError: 'ARCHIVED',
  InvalidStorageClass: 'NO_SUCH_STORAGE_CLASS',
  PreconditionFailed: 'DESTINATION_EXISTS',
  ConditionalRequestConflict: 'UPLOAD_CONFLICT',
}

/**
 * @param {{ status?: number, storeCode?: string }} answer
 * @returns {string} a code of lib/errors/index.js
 */
function classifyAnswer({ status = 0, storeCode }) {
  if (storeCode !== undefined && Object.hasOwn(BY_STORE_CODE, storeCode)) return BY_STORE_CODE[storeCode]
  if (status === 401 || status === 403) return 'ACCESS_DENIED'
  if (status === 404) return 'NO_SUCH_KEY'
  if (status === 409 && storeCode === undefined) return 'UPLOAD_CONFLICT'
  if (status === 412) return 'DESTINATION_EXISTS'
  if (status === 429) return 'STORE_THROTTLED'
  if (status === 408 || status >= 500) return status === 501 ? 'STORE_REFUSED' : 'STORE_ERROR'
  return 'STORE_REFUSED'
}

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
 * @param {Record<string, any>} facts side, bucket, key, endpoint
 * @param {AbortSignal} [signal]
 * @returns {import('../../types').XferError}
 */
function fromSdkError(error, facts, signal) {
  if (error instanceof XferError) return error
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
    { ...facts, status, storeCode, reason: storeMessage(error), retryAfterMs: retryAfterMs(error) },
    options,
  )
}

/**
 * What has no place in a message, or looks like a secret, is none of S3's codes either.
 *
 * @param {string | undefined} text
 * @returns {string | undefined}
 */
function codeOf(text = '') {
  return /^(?!Unknown|\d*$)[\w.-]{1,64}$/.test(text) && withoutSecrets(text) === text ? text : undefined
}

/** @param {string} body of an answer to a request that was made without the SDK */
function codeIn(body) {
  return codeOf(readRefusal(Buffer.from(body))?.code)
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
  if (storeCode !== undefined && Object.hasOwn(BY_STORE_CODE, storeCode)) return undefined
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

module.exports = { classifyAnswer, codeIn, fromSdkError }
