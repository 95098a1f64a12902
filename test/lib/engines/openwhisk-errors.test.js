'use strict'

const { fromActivation, fromPlatformError } = require('../../../lib/engines/openwhisk-errors')

const facts = { apihost: 'https://ow.example', action: 'xfer/copy-range' }
const NOW = Date.UTC(2024, 0, 1, 12, 0, 45)

/** As the npm client throws it. */
const thrown = (statusCode, error) => Object.assign(new Error('PUT … Returned HTTP'), { statusCode, error })
const activation = response => ({ activationId: 'abc123', response })

describe('what the platform refuses', () => {
  test.each([
    [400, { error: 'The request content was malformed.' }, 'PLATFORM_REFUSED', false],
    [401, { error: 'The supplied authentication is invalid' }, 'PLATFORM_KEY_REFUSED', false],
    [403, { error: 'not authorized' }, 'PLATFORM_KEY_REFUSED', false],
    [404, { error: 'The requested resource does not exist.' }, 'ACTION_NOT_DEPLOYED', false],
    [413, { error: 'Request too large' }, 'PLATFORM_REFUSED', false],
    [429, { error: 'Too many requests in the last minute (count: 61, allowed: 60).' }, 'PLATFORM_THROTTLED', true],
    [500, { error: 'There was an internal server error.' }, 'PLATFORM_ERROR', true],
    [500, undefined, 'PLATFORM_ERROR', true],
    [502, '<html>Bad Gateway</html>', 'PLATFORM_ERROR', true],
    [503, { error: 'overloaded' }, 'PLATFORM_THROTTLED', true],
    [504, undefined, 'PLATFORM_ERROR', true],
  ])('%i %j is %s, retryable: %s', (status, body, code, retryable) => {
    const error = thrown(status, body)
    const made = fromPlatformError(error, facts, NOW)
    expect(made).toMatchObject({ code, retryable, exitCode: 5, cause: error, facts: { ...facts, status } })
    expect(made.message).not.toMatch(/undefined|\.\)/)
  })

  test.each([
    ['Too many requests in the last minute (count: 61, allowed: 60).', 15_000],
    ['Too many concurrent requests in flight (count: 31, allowed: 30).', undefined],
    ['something that nobody has seen', undefined],
  ])('429 with "%s" asks to wait for %p ms', (error, retryAfterMs) => {
    const made = fromPlatformError(thrown(429, { error }), facts, NOW)
    expect(made.retryAfterMs).toBe(retryAfterMs)
    expect(made.throttled).toBe(true)
  })

  test.each([
    ['what the client kept of a socket error', { error: { error: 'connect ECONNREFUSED' } }, 'connect ECONNREFUSED'],
    ['an error with words', new Error('socket hang up'), 'socket hang up'],
    ['an error without', {}, 'no answer'],
    ['nothing', undefined, 'no answer'],
  ])('without a status the platform was not reached: %s', (_, error, reason) => {
    expect(fromPlatformError(error, facts, NOW)).toMatchObject({
      code: 'PLATFORM_UNREACHABLE',
      retryable: true,
      facts: { ...facts, reason },
    })
  })
})

describe('an activation', () => {
  test('that succeeded is its result', () => {
    const result = { version: 1 }
    expect(fromActivation(activation({ success: true, result }), facts)).toBe(result)
  })

  test.each([undefined, null, {}, { activationId: 'abc123' }])('%p has no record that could be read', answer => {
    expect(() => fromActivation(answer, facts)).toThrow(
      expect.objectContaining({ code: 'ACTIVATION_FAILED', retryable: true }),
    )
  })

  test.each([
    ['application error', 'The parameters are not understood.', 'ACTION_VERSION', false],
    ['application error', { message: 'in an object.' }, 'ACTION_VERSION', false],
    [
      'application error',
      'The action produced a response that exceeded the allowed length: 2 > 1 bytes.',
      'ACTIVATION_FAILED',
      true,
    ],
    ['action developer error', 'The action exceeded its time limits of 60000 milliseconds.', 'ACTIVATION_FAILED', true],
    ['whisk internal error', 'An internal error occurred.', 'ACTIVATION_FAILED', true],
    ['whisk internal error', undefined, 'ACTIVATION_FAILED', true],
    ['action developer error', { message: 42 }, 'ACTIVATION_FAILED', true],
    ['action developer error', 7, 'ACTIVATION_FAILED', true],
    ['action developer error', '', 'ACTIVATION_FAILED', true],
    ['action developer error', `${'long '.repeat(100)}`, 'ACTIVATION_FAILED', true],
  ])('that ended with "%s" %j is %s, retryable: %s', (status, error, code, retryable) => {
    const record = activation({ success: false, status, result: { error } })
    const expected = { code, retryable, facts: { ...facts, activationId: 'abc123' } }
    expect(() => fromActivation(record, facts)).toThrow(
      expect.objectContaining({ ...expected, facts: expect.objectContaining(expected.facts) }),
    )
    // The same record is the body of a 502.
    const made = fromPlatformError(thrown(502, record), facts, NOW)
    expect(made).toMatchObject(expected)
    expect(made.facts.reason.length).toBeLessThanOrEqual(200)
    expect(made.message).toMatch(/[^. ]\.$/)
    expect(made.message).not.toMatch(/undefined|\[object/)
  })
})
