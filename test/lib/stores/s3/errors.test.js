'use strict'

const { XferError } = require('../../../../lib/errors')
const { fromCallError } = require('../../../../lib/stores/s3/errors')
const { classifyAnswer } = require('../../../../lib/stores/s3/explain')

const facts = { side: 'source', protocol: 'S3', bucket: 'b', key: 'k', endpoint: 'http://store' }

describe('an answer', () => {
  test.each([
    [404, 'NoSuchKey', 'NO_SUCH_KEY'],
    [404, 'NoSuchVersion', 'NO_SUCH_KEY'],
    [404, 'NoSuchBucket', 'NO_SUCH_BUCKET'],
    [404, 'NoSuchUpload', 'UPLOAD_GONE'],
    [404, undefined, 'NO_SUCH_KEY'],
    [403, 'AccessDenied', 'ACCESS_DENIED'],
    [403, 'AllAccessDisabled', 'ACCESS_DENIED'],
    [403, 'SomethingOfItsOwn', 'ACCESS_DENIED'],
    [403, undefined, 'ACCESS_DENIED'],
    [401, undefined, 'ACCESS_DENIED'],
    [403, 'InvalidAccessKeyId', 'CREDENTIALS_REFUSED'],
    [403, 'SignatureDoesNotMatch', 'CREDENTIALS_REFUSED'],
    [400, 'InvalidToken', 'CREDENTIALS_REFUSED'],
    [400, 'ExpiredToken', 'CREDENTIALS_EXPIRED'],
    [403, 'RequestTimeTooSkewed', 'SIGNATURE_TOO_OLD'],
    [503, 'SlowDown', 'STORE_THROTTLED'],
    [429, undefined, 'STORE_THROTTLED'],
    [400, 'RequestLimitExceeded', 'STORE_THROTTLED'],
    [500, 'InternalError', 'STORE_ERROR'],
    [500, undefined, 'STORE_ERROR'],
    [502, undefined, 'STORE_ERROR'],
    [503, 'ServiceUnavailable', 'STORE_ERROR'],
    [503, undefined, 'STORE_ERROR'],
    [400, 'RequestTimeout', 'STORE_ERROR'],
    [408, undefined, 'STORE_ERROR'],
    [501, 'NotImplemented', 'STORE_REFUSED'],
    [400, 'InvalidArgument', 'STORE_REFUSED'],
    [400, undefined, 'STORE_REFUSED'],
    [307, 'TemporaryRedirect', 'STORE_REFUSED'],
    [undefined, undefined, 'STORE_REFUSED'],
    [400, 'BadDigest', 'PART_CORRUPTED'],
    [400, 'InvalidDigest', 'PART_CORRUPTED'],
    [400, 'XAmzContentChecksumMismatch', 'PART_CORRUPTED'],
    [412, 'PreconditionFailed', 'DESTINATION_EXISTS'],
    [412, undefined, 'DESTINATION_EXISTS'],
    [409, 'ConditionalRequestConflict', 'UPLOAD_CONFLICT'],
    [409, undefined, 'UPLOAD_CONFLICT'],
    [409, 'OperationAborted', 'STORE_ERROR'],
    [409, 'BucketNotEmpty', 'STORE_REFUSED'],
    [200, 'InternalError', 'STORE_ERROR'],
    [404, 'constructor', 'NO_SUCH_KEY'],
  ])('%s %s is %s', (status, storeCode, code) => {
    expect(classifyAnswer({ status, storeCode })).toBe(code)
  })
})

/** A refusal as the reader of answers throws it. */
function refusal(name, status, { message = 'The words of the store.', headers = {} } = {}) {
  return Object.assign(new Error(message), { name, status, headers, unreadable: false })
}

describe('what a control call fails with', () => {
  test.each([
    ['a known code', refusal('NoSuchBucket', 404), 'NO_SUCH_BUCKET', { storeCode: 'NoSuchBucket', status: 404 }],
    ['a status without a code', refusal('', 503), 'STORE_ERROR', { storeCode: undefined, status: 503 }],
    ['a code that is the status', refusal('403', 403), 'ACCESS_DENIED', { storeCode: undefined }],
    ['words of the store', refusal('InvalidArgument', 400), 'STORE_REFUSED', { reason: 'The words of the store' }],
    ['no words of the store', refusal('', 400, { message: '' }), 'STORE_REFUSED', { reason: undefined }],
    [
      'a Retry-After',
      refusal('SlowDown', 503, { headers: { 'retry-after': '7' } }),
      'STORE_THROTTLED',
      { retryAfterMs: 7000 },
    ],
    [
      'a Retry-After that is a date',
      refusal('SlowDown', 503, { headers: { 'retry-after': 'Fri, 24 May 2013 00:00:00 GMT' } }),
      'STORE_THROTTLED',
      { retryAfterMs: undefined },
    ],
    [
      'a refused connection',
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
      'STORE_UNREACHABLE',
      { reason: 'ECONNREFUSED' },
    ],
    [
      'a name that is none',
      Object.assign(new Error('dns'), { code: 'ENOTFOUND' }),
      'STORE_UNREACHABLE',
      { reason: 'ENOTFOUND' },
    ],
    [
      'a time-out',
      Object.assign(new Error('slow'), { code: 'ETIMEDOUT' }),
      'STORE_UNREACHABLE',
      { reason: 'ETIMEDOUT', words: 'no answer in time' },
    ],
    [
      'a certificate',
      Object.assign(new Error('tls'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      'CERTIFICATE_REFUSED',
      { reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ],
    [
      'no HTTP',
      Object.assign(new Error('parse'), { code: 'HPE_INVALID_CONSTANT' }),
      'NOT_A_STORE',
      { reason: 'HPE_INVALID_CONSTANT' },
    ],
    [
      'a page instead of XML',
      Object.assign(refusal('', 400, { message: '' }), { unreadable: true }),
      'NOT_A_STORE',
      { status: 400 },
    ],
    [
      "a proxy's page instead of XML",
      Object.assign(refusal('', 502, { message: '' }), { unreadable: true }),
      'STORE_ERROR',
      { status: 502 },
    ],
    ['anything else', new TypeError('oops'), 'INTERNAL', { reason: 'oops' }],
    [
      'a 404 that is asked of no key',
      refusal('NotFound', 404),
      'NO_SUCH_BUCKET',
      { key: undefined },
      { key: undefined },
    ],
  ])('%s', (_, error, code, more, asked = {}) => {
    const made = fromCallError(error, { ...facts, ...asked })
    expect(made).toBeInstanceOf(XferError)
    expect(made).toMatchObject({ code, cause: error, facts: { ...facts, ...more } })
    expect(`${made.message} ${made.hint}`).not.toMatch(/undefined/)
  })

  test('an error of ours is left alone', () => {
    const ours = new XferError('NO_CREDENTIALS', { side: 'source' })
    expect(fromCallError(ours, facts)).toBe(ours)
  })

  test('anything after an abort is the interruption, or the reason that is one of ours', () => {
    const gone = Object.assign(new Error('aborted'), { name: 'AbortError' })
    expect(fromCallError(gone, facts, AbortSignal.abort())).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    const ours = new XferError('SOURCE_CHANGED')
    expect(fromCallError(gone, facts, AbortSignal.abort(ours))).toBe(ours)
  })

  test('a wrong checksum is recognized by its code, without a message', () => {
    const made = fromCallError(refusal('BadDigest', 400, { message: '' }), facts)
    expect(made.message).toBe(
      'The destination refused what it received, because the checksum is not that of what was sent (HTTP 400, BadDigest).',
    )
  })
})
