'use strict'

/** The same on AWS Lambda: what it answers, how its functions end, and what does not pass. */

const COPIED = { exit: 0, again: 0 }
const ONCE_MORE = ['--retries', '1']
const CONCURRENT = { status: 403, code: 'AccessDeniedException' }

/** @type {import('../platform-faults').Row[]} */
const ROWS = [
  {
    it: '429: too many in flight, on an account that tells its limit',
    service: { limits: { concurrent: 2, unreserved: 0 } },
    ...COPIED,
  },
  {
    it: '429: too many in flight, with credentials that may only invoke',
    service: { limits: { concurrent: 2, unreserved: 0 } },
    faults: ['GetFunctionConfiguration', 'GetAccountSettings', 'GetFunctionConcurrency'].map(on => ({
      on,
      ...CONCURRENT,
    })),
    ...COPIED,
    met: ['LAMBDA_THROTTLED'],
    throttles: 1,
  },
  {
    it: '429: too many a second, with Retry-After',
    faults: [{ nth: [1, 3], status: 429, reason: 'FunctionInvocationRateLimitExceeded', retryAfter: 1 }],
    ...COPIED,
    met: ['LAMBDA_THROTTLED'],
    throttles: 2,
  },
  { it: '500', faults: [{ nth: [1, 3], status: 500 }], ...COPIED, met: ['LAMBDA_ERROR'], retries: 2 },
  { it: '503', faults: [{ nth: [1, 3], status: 503 }], ...COPIED, met: ['LAMBDA_ERROR'], retries: 2 },
  {
    it: '503 to the first question',
    faults: [{ on: 'GetFunctionConfiguration', nth: 1, status: 503 }],
    ...COPIED,
    met: ['LAMBDA_ERROR'],
  },
  {
    it: '502: no network for the function',
    faults: [{ nth: [1, 3], status: 502, code: 'ENILimitReachedException' }],
    ...COPIED,
    met: ['LAMBDA_ENVIRONMENT'],
    retries: 2,
  },
  {
    it: '409: the function is being changed',
    faults: [{ nth: [1, 3], status: 409, code: 'ResourceConflictException' }],
    ...COPIED,
    met: ['LAMBDA_NOT_READY'],
    retries: 2,
  },
  {
    it: 'the answer is lost: the connection ends when the function has run',
    faults: [{ nth: 2, lose: true }],
    ...COPIED,
    met: ['LAMBDA_UNREACHABLE'],
    retries: 1,
  },
  {
    it: 'every first answer is lost',
    faults: [{ first: 5, lose: true }],
    ...COPIED,
    met: ['LAMBDA_UNREACHABLE'],
    retries: 5,
  },
  {
    it: 'the connection ends in the middle of the answer',
    faults: [{ nth: 2, cutAnswer: true }],
    ...COPIED,
    met: ['LAMBDA_UNREACHABLE'],
    retries: 1,
  },
  {
    it: 'a kept connection is stale: it ends before anything was done',
    faults: [{ nth: [2, 4], cut: true }],
    ...COPIED,
    met: ['LAMBDA_UNREACHABLE'],
    retries: 2,
  },
  { it: 'truncated JSON', faults: [{ nth: 2, truncate: true }], ...COPIED, met: ['LAMBDA_FAILED'], retries: 1 },
  {
    it: 'it exited, its work done',
    faults: [{ nth: 2, death: 'exit' }],
    ...COPIED,
    met: ['LAMBDA_EXITED'],
    retries: 1,
  },
  {
    it: 'it exited at once',
    faults: [{ nth: 2, death: 'exit', killAfterMs: 0 }],
    ...COPIED,
    met: ['LAMBDA_EXITED'],
    retries: 1,
  },
  {
    it: 'out of memory, its work done',
    faults: [{ nth: 2, death: 'memory' }],
    ...COPIED,
    met: ['LAMBDA_OUT_OF_MEMORY'],
    retries: 1,
  },
  {
    it: 'out of time, its work done',
    faults: [{ nth: 2, death: 'time' }],
    ...COPIED,
    met: ['LAMBDA_TIMED_OUT'],
    retries: 1,
  },
  {
    it: 'its result is too large, its work done',
    faults: [
      {
        nth: 2,
        answer: {
          functionError: 'Unhandled',
          body: { errorType: 'Function.ResponseSizeTooLarge', errorMessage: 'Response payload size exceeded.' },
        },
      },
    ],
    ...COPIED,
    met: ['LAMBDA_PAYLOAD_TOO_LARGE'],
    retries: 1,
  },
  {
    it: 'always 500',
    faults: [{ status: 500 }],
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: AWS Lambda at \S+ failed \(HTTP 500: /i,
    advises: 'Repeat',
  },
  {
    it: 'the function always throws',
    action: 'exports.handler = async () => { throw new Error("boom") }',
    flags: ONCE_MORE,
    exit: 5,
    code: 'PART_FAILED',
    says: /^Part \d failed 2 times: the function xfer-copy-range failed: boom\.$/,
  },
  {
    it: 'it cannot be loaded',
    action: 'this is no JavaScript',
    exit: 5,
    code: 'LAMBDA_BROKEN',
    advises: 'xfer deploy --engine lambda',
  },
  {
    it: 'there is no function',
    flags: ['--function', 'other'],
    exit: 5,
    code: 'LAMBDA_NOT_DEPLOYED',
    advises: 'xfer deploy --engine lambda --function other',
  },
  {
    it: 'the credentials may not invoke it',
    faults: [CONCURRENT],
    exit: 5,
    code: 'LAMBDA_KEY_REFUSED',
    advises: 'lambda:InvokeFunction',
  },
  {
    it: 'the session of the credentials is over',
    faults: [{ status: 403, code: 'ExpiredTokenException' }],
    exit: 5,
    code: 'LAMBDA_KEY_REFUSED',
    advises: 'the environment',
  },
  {
    it: 'a function of another version',
    variables: { XFER_INTERFACE: '99' },
    exit: 5,
    code: 'ACTION_VERSION',
    says: /its interface version is 99, not 2\.$/,
  },
  {
    it: 'its access rules cannot be read',
    variables: { XFER_ACCESS: '*' },
    exit: 5,
    code: 'ACTION_VERSION',
    says: /XFER_ACCESS is no JSON object, so nothing is allowed\.$/,
  },
  {
    it: 'its access rules do not allow the stores',
    variables: { XFER_ACCESS: '{"hosts":["example.com"]}' },
    exit: 4,
    code: 'ADDRESS_REFUSED',
  },
]

module.exports = ROWS.map(row => ({ service: {}, ...row, it: `Lambda: ${row.it}` }))
