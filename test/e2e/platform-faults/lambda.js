'use strict'

/** The same on AWS Lambda: what it answers, how its functions end, and what does not pass. */

const COPIED = { exit: 0, again: 0 }

/** @type {import('./run').Row[]} */
const ROWS = [
  {
    it: '429: too many in flight, on an account that tells its limit',
    service: { concurrent: 2 },
    ...COPIED,
  },
  {
    it: '429: too many a second, with Retry-After',
    faults: [{ nth: [1, 3], status: 429, reason: 'FunctionInvocationRateLimitExceeded', retryAfter: 1 }],
    ...COPIED,
    met: ['PLATFORM_THROTTLED'],
    throttles: 2,
  },
  {
    it: '409: the function is being changed',
    faults: [{ nth: [1, 3], status: 409, code: 'ResourceConflictException' }],
    ...COPIED,
    met: ['ACTION_NOT_LOADED'],
    retries: 2,
  },
  {
    it: 'the answer is lost: the connection ends when the function has run',
    faults: [{ nth: 2, lose: true }],
    ...COPIED,
    met: ['PLATFORM_UNREACHABLE'],
    retries: 1,
  },
  {
    it: 'it cannot be loaded',
    action: 'this is no JavaScript',
    exit: 5,
    code: 'ACTION_BROKEN',
    advises: 'xfer deploy --engine lambda',
  },
  {
    it: 'there is no function',
    flags: ['--function', 'other'],
    exit: 5,
    code: 'ACTION_NOT_DEPLOYED',
    advises: 'xfer deploy --engine lambda --function other',
  },
  {
    it: 'the credentials may not invoke it',
    faults: [{ status: 403, code: 'AccessDeniedException' }],
    exit: 5,
    code: 'PLATFORM_KEY_REFUSED',
    advises: 'lambda:InvokeFunction',
  },
  {
    it: 'its access rules do not allow the stores',
    variables: { XFER_ACCESS: '{"hosts":["example.com"]}' },
    exit: 4,
    code: 'ADDRESS_REFUSED',
  },
]

module.exports = ROWS.map(row => ({ service: {}, ...row, it: `Lambda: ${row.it}` }))
