'use strict'

const { XferError } = require('../../../../lib/errors')
const { classifyAnswer, explainAnswer, fromCallError } = require('../../../../lib/stores/s3/explain')
const { everythingOf } = require('../../../e2e/redaction/secrets')
const { openStore, startStore } = require('../../../support/opened')

const facts = { side: 'source', protocol: 'S3', bucket: 'b', key: 'k', endpoint: 'http://store' }

test.each([
  [404, 'NoSuchKey', 'NO_SUCH_KEY'],
  [404, 'NoSuchBucket', 'NO_SUCH_BUCKET'],
  [403, 'AccessDenied', 'ACCESS_DENIED'],
  [400, 'ExpiredToken', 'CREDENTIALS_EXPIRED'],
  [403, 'RequestTimeTooSkewed', 'SIGNATURE_TOO_OLD'],
  [503, 'SlowDown', 'STORE_THROTTLED'],
  [500, 'InternalError', 'STORE_ERROR'],
  [501, 'NotImplemented', 'STORE_REFUSED'],
  [400, 'BadDigest', 'PART_CORRUPTED'],
  [412, 'PreconditionFailed', 'DESTINATION_EXISTS'],
  [409, 'ConditionalRequestConflict', 'UPLOAD_CONFLICT'],
  [409, undefined, 'UPLOAD_CONFLICT'],
  [409, 'OperationAborted', 'STORE_ERROR'],
  [404, 'constructor', 'NO_SUCH_KEY'],
])('an answer of %s %s is %s', (status, storeCode, code) => expect(classifyAnswer({ status, storeCode })).toBe(code))

describe('what a control call fails with', () => {
  /** A refusal as the reader of answers throws it. */
  const refusal = (name, status, message = 'The words of the store.', headers = {}) =>
    Object.assign(new Error(message), { name, status, headers, unreadable: false })
  const lost = code => Object.assign(new Error('lost'), { code })
  const waiting = time => refusal('SlowDown', 503, undefined, { 'retry-after': time })

  test.each([
    ['a known code', refusal('NoSuchBucket', 404), 'NO_SUCH_BUCKET', { storeCode: 'NoSuchBucket', status: 404 }],
    ['a Retry-After', waiting('7'), 'STORE_THROTTLED', { retryAfterMs: 7000 }],
    ['a time-out', lost('ETIMEDOUT'), 'STORE_UNREACHABLE', { reason: 'ETIMEDOUT', words: 'no answer in time' }],
    ['a route that prohibits', lost('EACCES'), 'STORE_UNREACHABLE', { words: 'this machine may not connect to it' }],
    ['a certificate', lost('DEPTH_ZERO_SELF_SIGNED_CERT'), 'CERTIFICATE_REFUSED', {}],
    ['anything else', new TypeError('oops'), 'INTERNAL', { reason: 'oops' }],
    ['a 404 that is asked of no key', refusal('NotFound', 404), 'NO_SUCH_BUCKET', { key: undefined }],
  ])('%s', (_, error, code, more) => {
    const made = fromCallError(error, 'key' in more ? { ...facts, key: undefined } : facts)
    expect(made).toBeInstanceOf(XferError)
    expect(made).toMatchObject({ code, cause: error, facts: { ...facts, ...more } })
    expect(`${made.message} ${made.hint}`).not.toMatch(/undefined/)
  })

  test('the words of the store are told whole, on one line, by errors of every kind', () => {
    const message = 'User: arn:aws:iam::123456789012:user/x is denied.\n No policy allows it. Ask Ann.'
    const told = 'User: arn:aws:iam::123456789012:user/x is denied. No policy allows it. Ask Ann'
    const codes = ['AccessDenied', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidObjectState', 'InvalidStorageClass']
    const others = ['RequestTimeTooSkewed', 'SlowDown', 'InternalError', 'InvalidArgument', 'BadDigest']
    for (const name of codes.concat(others)) {
      expect(fromCallError(refusal(name, 400, message), facts).message).toContain(`${name}: ${told})`)
    }
  })

  const SSE = 'The object was stored using a form of Server Side Encryption. The correct parameters must be provided.'
  const PAYS = 'Bucket is a requester pays bucket but no user project provided.'
  test.each([
    ['write', 413, undefined, undefined, 'smaller --chunk'],
    ['write', 400, 'EntityTooLarge', undefined, 'smaller --chunk'],
    ['write', 400, 'InvalidArgument', 'Part number must be an integer between 1 and 1000, inclusive', 'larger --chunk'],
    ['read', 403, 'SecondLevelDomainForbidden', undefined, 'addressing_style = virtual'],
    ['read', 400, 'PathStyleDomainForbidden', undefined, 'addressing_style = virtual'],
    ['read', 400, 'InvalidRequest', SSE, '--source-sse-c-key-file'],
    ['read', 400, 'UserProjectMissing', PAYS, '--request-payer'],
    ['read', 403, 'AccessDenied', 'Access Denied', '--request-payer'],
    ['read', 405, 'MethodNotAllowed', undefined, 'delete marker'],
  ])('a refused %s of %i %s names the option that helps: %s', (of, status, storeCode, reason, option) => {
    const side = of === 'write' ? 'destination' : 'source'
    const about = { ...facts, side, endpoint: 'AWS (eu-west-1)', versioned: status === 405 }
    const errors = [explainAnswer({ of, status, storeCode, reason }, about)]
    if (of === 'read') errors.push(fromCallError(refusal(storeCode, status, reason), about))
    for (const error of errors) expect(error.hint).toContain(option)
  })

  test('who pays already is not told to, and a server without such buckets neither', () => {
    const answer = { of: /** @type {const} */ ('read'), status: 403, storeCode: 'AccessDenied' }
    for (const about of [facts, { ...facts, endpoint: 'AWS (eu-west-1)', requestPayer: true }])
      expect(explainAnswer(answer, about).hint).not.toContain('--request-payer')
  })

  test('an error of ours is left alone, and after an abort all is the interruption, or its reason of ours', () => {
    const ours = new XferError('SOURCE_CHANGED')
    expect(fromCallError(ours, facts)).toBe(ours)
    const gone = Object.assign(new Error('aborted'), { name: 'AbortError' })
    expect(fromCallError(gone, facts, AbortSignal.abort())).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(fromCallError(gone, facts, AbortSignal.abort(ours))).toBe(ours)
  })
})

test.each([
  ['of words', 'correct.horse-battery:staple'],
  ['that is short', 'tok-12345'],
])('a store may repeat a session token %s, and no error holds it', async (_, sessionToken) => {
  const account = { accessKeyId: 'ASIATEMPORARY', secretAccessKey: 'a-secret-of-ours', sessionToken }
  for (const repeats of ['message', 'code']) {
    const server = await startStore({ buckets: ['bucket'], accounts: [account], repeats })
    const store = openStore(server, 'bucket', { credentials: async () => account })
    for (const status of [400, 403, 500]) {
      server.faults.clear()
      server.faults.add({ status, code: 'AccessDenied' })
      const { list, head, removeAll, upload } = store
      const calls = [list({ prefix: '' }), head('key'), removeAll(['a']), upload.pending({ prefix: '' })]
      for (const { reason: error, value } of await Promise.allSettled(calls)) {
        // What is refused one by one is told, and not thrown.
        expect(error ?? value[0]).toMatchObject({ code: expect.any(String) })
        const told = `${everythingOf(error ?? value)}\n${error?.stack}\n${error?.cause?.stack}`
        expect(told).not.toContain(sessionToken.slice(0, 20))
        // It still says what it can.
        if (error) expect(error.facts).toMatchObject({ status })
      }
    }
  }
})

test('frames of the stack of a cause are kept, and what only looks like them is not', () => {
  const name = 'Xf9SECRETxf9SECRETxf9SECRETxf9SECRET1'
  const cause = Object.assign(new Error('refused\n    at secret-token (here:1:1)'), { name })
  const { stack } = new XferError('INTERNAL', {}, { cause }).cause
  expect(stack.split('\n').filter(line => line.startsWith('    at ')).length).toBeGreaterThan(1)
  expect(stack).toContain('errors.test.js')
  expect(stack.match(/secret-token/g)).toHaveLength(1)
  expect(stack).not.toContain('SECRETxf9')
})
