'use strict'

/** What the engine makes of answers that AWS documents, and of those of anything else, from a server of its own. */

const http = require('node:http')
const { createLambdaEngine } = require('../../../../lib/engines/lambda/engine')
const { fromConnection } = require('../../../../lib/engines/lambda/answers')
const { closing, listen } = require('../../../support/listen')
const { resolveLambda } = require('../../../../lib/engines/lambda/settings')

const SECRET = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY'
const KEYS = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: SECRET }
const REQUEST = { method: 'GET', url: 'http://store/', headers: {}, accepts: { statuses: [200] } }
const tasks = [{ partNumber: 1, bytes: 1, sums: [], read: REQUEST }]
const RESULT = { version: 2, outcomes: [{ partNumber: 1, error: { code: 'BAD_TASK', message: 'No.' } }] }

let endpoint
let answer
const seen = []
beforeEach(async () => {
  const server = http.createServer(async (request, response) => {
    await request.toArray()
    seen.push(request.url)
    await answer(response, request)
  })
  seen.length = 0
  endpoint = (await listen(server)).url
})

const json =
  (status, body, headers = {}) =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const error = (status, type, body = {}, headers = {}) => json(status, body, { 'x-amzn-errortype': type, ...headers })
const functionError = body => json(200, body, { 'x-amz-function-error': 'Unhandled' })

/** @param {object} [more] in place of some settings */
async function create(more) {
  const env = { HOME: __dirname, AWS_REGION: 'eu-west-1', ...KEYS, AWS_ENDPOINT_URL_LAMBDA: endpoint }
  const settings = await resolveLambda({ functionName: 'copy:live' }, env)
  const engine = createLambdaEngine({ ...settings, ...more }, { silenceMs: 5_000 })
  closing(engine.close)
  return engine
}

const page = status => response => response.writeHead(status, { 'content-type': 'text/html' }).end('<html>no</html>')

const MUCH = Buffer.alloc(9 * 2 ** 20)
const TOO_MANY = 'TooManyRequestsException'
const RATE = { Reason: 'FunctionInvocationRateLimitExceeded' }
const INVALID = { __type: 'com.amazon.coral.service#UnrecognizedClientException', message: 'The token is invalid.' }
const EXITED = 'RequestId: 1 Error: Runtime exited with error: signal: killed'
const KILLED = { errorType: 'Runtime.ExitError', errorMessage: EXITED }
const REFUSED = { code: 'PLATFORM_KEY_REFUSED', retryable: false }
const SAYS = { ...REFUSED, message: expect.stringContaining('The token is invalid)') }
const MAY_NOT = { ...REFUSED, hint: expect.stringContaining('lambda:InvokeFunction') }
const NOT_THERE = 'Run xfer deploy --engine lambda --function copy, then repeat the command.'
const LARGE = { code: 'PAYLOAD_TOO_LARGE', smaller: true, uncertain: false }
const THROTTLED = { code: 'PLATFORM_THROTTLED', throttled: true, retryable: true }
const ALL_AT_WORK = { ...THROTTLED, retryAfterMs: undefined, facts: { throttle: 'concurrent' } }
const TOO_FAST = { ...THROTTLED, retryAfterMs: 2_000, facts: { throttle: 'requests' } }
const BROKEN = { code: 'PLATFORM_ERROR', retryable: true, throttled: false, uncertain: true }
const NOT_LOADED = { code: 'ACTION_NOT_LOADED', retryable: true, uncertain: false }

test.each([
  ['a 429 without a reason', error(429, TOO_MANY), ALL_AT_WORK],
  ['a 429 with its reason and its wait', error(429, TOO_MANY, RATE, { 'retry-after': '2' }), TOO_FAST],
  ['a 400 of what stands before Lambda', error(400, 'ThrottlingException', { message: 'Rate exceeded' }), THROTTLED],
  ['an error type in the body only', json(403, INVALID), SAYS],
  ['a 502 that passes', error(502, 'EC2ThrottledException', { message: 'Slow.' }), NOT_LOADED],
  ['a 403, for it may not', error(403, 'AccessDeniedException'), MAY_NOT],
  ['a 404', error(404, 'ResourceNotFoundException'), { code: 'ACTION_NOT_DEPLOYED', hint: NOT_THERE }],
  ['a 413', error(413, 'RequestTooLargeException'), LARGE],
  ['a 413 of what stands before it', page(413), LARGE],
  ['a page with 200', page(200), { code: 'ACTIVATION_FAILED', retryable: true, uncertain: true }],
  ['a redirect', response => response.writeHead(302, { location: '/login' }).end(), { code: 'NOT_A_PLATFORM' }],
  ['an endless answer', response => response.writeHead(200).write(MUCH), { code: 'NOT_A_PLATFORM' }],
  ['an error that repeats the key', error(500, 'ServiceException', { Message: `It was ${SECRET}.` }), BROKEN],
  ['a kill for memory', functionError(KILLED), { code: 'ACTIVATION_OUT_OF_MEMORY', smaller: true, uncertain: true }],
])('%s', async (_, given, expected) => {
  answer = given
  const failed = await (await create()).run(tasks).catch(thrown => thrown)
  expect(failed).toMatchObject({ name: 'XferError', exitCode: 5, ...expected })
  expect(`${failed.message} ${failed.hint} ${JSON.stringify(failed)}`).not.toContain(SECRET)
})

test('credentials that have expired are renewed once, and the request is sent again', async () => {
  const old = { accessKeyId: 'OLD', secretAccessKey: 'old' }
  const fresh = { accessKeyId: 'NEW', secretAccessKey: 'new' }
  let current = old
  const renew = jest.fn(async () => {
    current = fresh
    return true
  })
  answer = (response, { headers }) =>
    headers.authorization.includes('Credential=OLD')
      ? error(403, 'ExpiredTokenException', { message: 'The security token is expired' })(response)
      : json(200, RESULT)(response)
  const engine = await create({ credentials: Object.assign(async () => current, { renew }) })
  expect([await engine.run(tasks), renew.mock.calls]).toEqual([RESULT.outcomes, [[old]]])
  // Who refuses those too is not asked for ever.
  answer = response => (seen.length < 9 ? error(403, 'ExpiredTokenException') : json(200, RESULT))(response)
  await expect(engine.run(tasks)).rejects.toMatchObject(REFUSED)
})

test('a clock that is wrong is corrected by the first refusal', async () => {
  const there = Date.now() - 3_600_000
  answer = (response, { headers }) => {
    const signed = headers['x-amz-date'].replace(/(....)(..)(..T..)(..)/, '$1-$2-$3:$4:')
    const date = { date: new Date(there).toUTCString() }
    return Math.abs(Date.parse(signed) - there) > 300_000
      ? error(403, 'InvalidSignatureException', { message: 'Signature not yet current' }, date)(response)
      : json(200, RESULT, date)(response)
  }
  expect([await (await create()).run(tasks), seen.length]).toEqual([RESULT.outcomes, 2])
})

const AccountLimit = { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 }
const ACTIVE = { State: 'Active', Timeout: 120, MemorySize: 512 }
/** @param {object} [configuration] @param {object} [concurrency] of the function */
function answering(configuration, concurrency = {}) {
  const documents = {
    '/2015-03-31/functions/copy/configuration?Qualifier=live': { ...ACTIVE, ...configuration },
    '/2016-08-19/account-settings': { AccountLimit },
    '/2019-09-30/functions/copy/concurrency': concurrency,
  }
  answer = (response, { url }) => json(200, documents[url])(response)
}

test('the limits are those of the function and the account', async () => {
  answering()
  expect(await (await create()).limits()).toEqual({
    ...{ concurrent: 900, perMinute: Number.POSITIVE_INFINITY, timeoutMs: 120_000 },
    ...{ answerMs: Number.POSITIVE_INFINITY, memoryBytes: 512 * 2 ** 20, payloadBytes: 6 * 2 ** 20 },
    ...{ invocationMs: 30, skewMs: 0, ramp: { atOnce: 1000, perSecond: 100 } },
    provider: 'AWS Lambda',
  })
})

test.each([
  ['is Pending', [{ State: 'Pending' }], { code: 'ACTION_NOT_LOADED', retryable: true }],
  ['has no concurrency', [{}, { ReservedConcurrentExecutions: 0 }], { code: 'PLATFORM_REFUSED', retryable: false }],
])('the limits of a function that %s are its error', async (_, given, expected) => {
  answering(...given)
  await expect((await create()).limits()).rejects.toMatchObject(expected)
})

const UNREACHABLE = { code: 'PLATFORM_UNREACHABLE' }

test.each([
  ['that could not be opened', { code: 'EHOSTUNREACH', sent: false }, undefined, { ...UNREACHABLE, uncertain: false }],
  ['that was lost later', { code: 'EHOSTUNREACH', sent: true }, undefined, { ...UNREACHABLE, uncertain: true }],
  ['to what speaks no HTTP', { code: 'HPE_INVALID_CONSTANT' }, undefined, { code: 'NOT_A_PLATFORM', retryable: false }],
  ['whose answer was waited for in vain', { code: 'ETIMEDOUT' }, 60_000, { code: 'ACTIVATION_LOST' }],
  ['that timed out where nobody waited for an answer', { code: 'ETIMEDOUT' }, undefined, UNREACHABLE],
  ['that was not made in time', { code: 'ETIMEDOUT', syscall: 'connect' }, 60_000, UNREACHABLE],
])('a connection %s (%j) is told by its code', (_, how, waitedMs, expected) => {
  const lost = Object.assign(new Error('no route'), how)
  expect(fromConnection(lost, { where: 'AWS Lambda' }, waitedMs)).toMatchObject(expected)
})
