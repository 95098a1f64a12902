'use strict'

/**
 * What a store's answer means, for control calls (through the SDK) and for data requests (through a function) alike:
 * status and S3 error code in, a code of lib/errors.js out.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */

const { XferError } = require('../../errors')

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
  Throttling: 'STORE_THROTTLED',
  ThrottlingException: 'STORE_THROTTLED',
  TooManyRequests: 'STORE_THROTTLED',
  RequestLimitExceeded: 'STORE_THROTTLED',
  InternalError: 'STORE_ERROR',
  ServiceUnavailable: 'STORE_ERROR',
  RequestTimeout: 'STORE_ERROR',
  BadDigest: 'PART_CORRUPTED',
  XAmzContentChecksumMismatch: 'PART_CORRUPTED',
  XAmzContentSHA256Mismatch: 'PART_CORRUPTED',
  PreconditionFailed: 'DESTINATION_EXISTS',
  ConditionalRequestConflict: 'UPLOAD_CONFLICT',
}

/**
 * @param {{ status?: number, storeCode?: string }} answer
 * @returns {string} a code of lib/errors.js
 */
function classifyAnswer({ status = 0, storeCode }) {
  if (storeCode !== undefined && Object.hasOwn(BY_STORE_CODE, storeCode)) return BY_STORE_CODE[storeCode]
  if (status === 401 || status === 403) return 'ACCESS_DENIED'
  if (status === 404) return 'NO_SUCH_KEY'
  if (status === 429) return 'STORE_THROTTLED'
  if (status === 408 || status >= 500) return status === 501 ? 'STORE_REFUSED' : 'STORE_ERROR'
  return 'STORE_REFUSED'
}

/** Error codes of sockets, by which a request never reached a store or got no answer. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ECONNABORTED',
  'EADDRNOTAVAIL',
  'EMFILE',
])

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
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode
  const storeCode = /^\d*$|^Unknown/.test(error.name ?? '') ? undefined : error.name
  if (SOCKET_CODES.has(error.code) || error.name === 'TimeoutError') {
    return new XferError('STORE_UNREACHABLE', { ...facts, reason: error.code ?? 'no answer in time' }, options)
  }
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO|HPE_)/.test(error.code ?? '')) {
    return new XferError('NOT_A_STORE', { ...facts, reason: error.code }, options)
  }
  if (status === undefined) {
    return error.name === 'CredentialsProviderError'
      ? new XferError('NO_CREDENTIALS', facts, options)
      : new XferError('INTERNAL', { ...facts, reason: error.message }, options)
  }
  // The SDK could not read what came with a success, or with an error that is no XML.
  if (error instanceof SyntaxError || /Deserialization error/.test(error.message ?? '')) {
    const code = status >= 500 ? 'STORE_ERROR' : 'NOT_A_STORE'
    return new XferError(code, { ...facts, status, reason: `HTTP ${status} with a body that is not S3's XML` }, options)
  }
  const code = classifyAnswer({ status, storeCode })
  return new XferError(
    code,
    { ...facts, status, storeCode, reason: storeMessage(error), retryAfterMs: retryAfterMs(error) },
    options,
  )
}

/** The store's own words, as half a sentence; what the SDK says where there are none is no reason. @param {any} error */
function storeMessage(error) {
  const { message } = error
  return typeof message === 'string' && !/^Unknown/.test(message) ? message.replace(/\.$/, '') : undefined
}

/** @param {any} error */
function retryAfterMs(error) {
  const seconds = Number(error.$response?.headers?.['retry-after'])
  return seconds > 0 ? seconds * 1000 : undefined
}

module.exports = { classifyAnswer, fromSdkError }
