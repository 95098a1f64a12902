'use strict'

/** Each fault, as AWS's own client sees it. */

const { InvokeCommand } = require('@aws-sdk/client-lambda')
const { startLambda } = require('../../../sandbox/lambda')
const { FIELDS } = require('../../../sandbox/lambda/faults')
const { eventOf } = require('../../support/events')
const { startFunction } = require('./target')

const SOURCE = `exports.handler = async event => {
  if (event.hang) return new Promise(() => setInterval(() => {}, 1e6))
  return { done: event }
}`

let target
beforeAll(async () => {
  target = await startFunction({ source: SOURCE, configuration: { Timeout: 60 } })
})
afterEach(() => target.service.faults.clear())
afterAll(() => target.close())

/** What comes of one invocation with the fault, and whether the function has done its work. @param {object} fault @param {object} [event] */
async function meet(fault, event = {}, more = {}) {
  target.service.faults.add({ nth: 1, ...fault })
  let ran = 0
  const count = () => (ran += 1)
  target.service.events.on('end', count)
  const result = await target.invoke(event, more).catch(error => error)
  target.service.events.off('end', count)
  expect(target.service.faults.hits()).toBe(1)
  return { result, ran }
}

test.each([
  [{ status: 429 }, 'TooManyRequestsException', { Reason: 'ConcurrentInvocationLimitExceeded' }],
  [
    { status: 429, reason: 'CallerRateLimitExceeded', retryAfter: 7 },
    'TooManyRequestsException',
    { Reason: 'CallerRateLimitExceeded', retryAfterSeconds: '7' },
  ],
  [{ status: 500 }, 'ServiceException', {}],
  [{ status: 502 }, 'EC2ThrottledException', {}],
  [{ status: 502, code: 'ENILimitReachedException' }, 'ENILimitReachedException', {}],
  [{ status: 503 }, 'ServiceUnavailableException', {}],
  [{ status: 403, message: 'No.' }, 'AccessDeniedException', { message: 'No.' }],
  [{ status: 403, code: 'ExpiredTokenException' }, 'ExpiredTokenException', {}],
])('refused before anything is done: %j', async (fault, name, more) => {
  const { result, ran } = await meet(fault)
  expect(result).toMatchObject({ name, $metadata: { httpStatusCode: fault.status }, ...more })
  expect(ran).toBe(0)
})

test('the connection is cut before anything is done', async () => {
  const { result, ran } = await meet({ cut: true })
  expect(result).toBeInstanceOf(Error)
  expect(result.$metadata?.httpStatusCode).toBeUndefined()
  expect(ran).toBe(0)
})

test.each([
  ['lost', { lose: true }],
  ['cut', { cutAnswer: true }],
])('the answer is %s after the work', async (_, fault) => {
  const { result, ran } = await meet(fault)
  expect(result).toBeInstanceOf(Error)
  expect(ran).toBe(1)
})

test('no answer comes, and the connection stays', async () => {
  target.service.faults.add({ nth: 1, silent: true })
  const ended = eventOf(target.service.events, 'request')
  const stop = new AbortController()
  let answered = false
  const invoking = target.client
    .send(new InvokeCommand({ FunctionName: 'f' }), { abortSignal: stop.signal })
    .finally(() => {
      answered = true
    })
  expect(await ended).toMatchObject({ status: 200 })
  // Time for an answer to come.
  expect((await target.invoke({})).payload).toEqual({ done: {} })
  expect(answered).toBe(false)
  stop.abort()
  await expect(invoking).rejects.toThrow()
})

test.each([
  ['exit', 'Runtime.ExitError'],
  ['memory', 'Runtime.OutOfMemory'],
  ['time', 'Sandbox.Timedout'],
])('the environment dies after the work, or in the middle of it: %s', async (death, errorType) => {
  const gone = eventOf(target.service.events, 'environment-exit')
  expect((await meet({ death })).result).toMatchObject({ error: 'Unhandled', payload: { errorType } })
  await gone
  target.service.faults.clear()
  const again = await meet({ death, killAfterMs: 0 }, { hang: true })
  expect(again.result).toMatchObject({ error: 'Unhandled', payload: { errorType } })
})

test('the environment dies while it loads the function', async () => {
  const { result } = await meet({ dieLoading: true })
  expect(result).toMatchObject({ error: 'Unhandled', payload: { errorType: 'Runtime.ExitError' } })
})

test('an unknown fault, option or limit is refused', async () => {
  expect(() => target.service.faults.add({ statusCode: 500 })).toThrow('a fault has no "statusCode"')
  await expect(startLambda({ proceses: 1 })).rejects.toThrow('unknown option of Lambda: proceses')
  await expect(startLambda({ limits: { concurent: 1 } })).rejects.toThrow('unknown limit of Lambda: concurent')
  expect(Object.keys(FIELDS)).toContain('death')
})
