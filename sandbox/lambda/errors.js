'use strict'

/**
 * The errors of the API: name, status, text, and whether AWS spells its text `Message`; others spell it `message`.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
 *
 * @type {Record<string, [status: number, message: string, key?: 'Message']>}
 */
const ERRORS = {
  AccessDeniedException: [403, 'User is not authorized to perform this operation.', 'Message'],
  IncompleteSignatureException: [400, 'The request does not conform to AWS standards.'],
  InvalidParameterValueException: [400, 'One of the parameters in the request is not valid.'],
  InvalidRequestContentException: [400, 'Could not parse request body into json.'],
  InvalidSignatureException: [403, 'The request signature we calculated does not match the signature you provided.'],
  MissingAuthenticationTokenException: [403, 'Missing Authentication Token'],
  RequestTooLargeException: [413, 'Request must be smaller than 6291456 bytes for the InvokeFunction operation'],
  ResourceConflictException: [409, 'The resource already exists, or another operation is in progress.'],
  ResourceNotFoundException: [404, 'The resource specified in the request does not exist.', 'Message'],
  ServiceException: [500, 'The AWS Lambda service encountered an internal error.', 'Message'],
  ServiceUnavailableException: [503, 'Service is unavailable.', 'Message'],
  TooManyRequestsException: [429, 'Rate Exceeded.'],
  UnknownOperationException: [404, 'The operation is not known.'],
  UnrecognizedClientException: [403, 'The security token included in the request is invalid.'],
  ValidationException: [400, '1 validation error detected'],
}

/** The usual error of a status, for faults. @type {Record<number, string>} */
const OF_STATUS = {
  400: 'InvalidParameterValueException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  409: 'ResourceConflictException',
  413: 'RequestTooLargeException',
  429: 'TooManyRequestsException',
  503: 'ServiceUnavailableException',
}

/** An error answer of the API. */
class LambdaError extends Error {
  /**
   * @param {string} code
   * @param {{ message?: string, status?: number, reason?: string, retryAfter?: number }} [facts] reason: of a throttle;
   *   retryAfter: seconds
   */
  constructor(code, { message, status, reason, retryAfter } = {}) {
    const [usual, text, key] = ERRORS[code] ?? [500, code]
    super(message ?? text)
    this.code = code
    this.status = status ?? usual
    this.reason = reason
    this.retryAfter = retryAfter
    this.key = key ?? 'message'
  }

  /** @returns {import('./types').Answer} */
  answer() {
    return {
      status: this.status,
      headers: {
        'x-amzn-ErrorType': this.code,
        ...(this.retryAfter !== undefined && { 'Retry-After': String(this.retryAfter) }),
      },
      body: {
        ...(this.reason && { Reason: this.reason }),
        Type: this.status >= 500 ? 'Service' : 'User',
        [this.key]: this.message,
      },
    }
  }
}

/**
 * @param {import('./types').Fault} fault with a status
 * @returns {LambdaError}
 */
function errorOfFault({ status = 500, code, reason, retryAfter }) {
  const throttle = status === 429 ? 'ConcurrentInvocationLimitExceeded' : undefined
  const facts = { status, reason: reason ?? throttle, retryAfter }
  return new LambdaError(code ?? OF_STATUS[status] ?? 'ServiceException', facts)
}

module.exports = { LambdaError, errorOfFault }
