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
    it: 'the answer is lost: the connection ends when the function has run',
    faults: [{ nth: 2, lose: true }],
    ...COPIED,
    met: ['PLATFORM_UNREACHABLE'],
    retries: 1,
  },
  {
    it: 'its access rules do not allow the stores',
    variables: { XFER_ACCESS: '{"hosts":["example.com"]}' },
    exit: 4,
    code: 'ADDRESS_REFUSED',
  },
]

module.exports = ROWS.map(row => ({ service: {}, ...row, it: `Lambda: ${row.it}` }))
