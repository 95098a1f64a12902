'use strict'

/** Signatures, states, checks and quotas, with AWS's own client. Invocations are functions in this process. */

const {
  DeleteFunctionConcurrencyCommand,
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  PutFunctionConcurrencyCommand,
  UpdateFunctionConfigurationCommand,
} = require('@aws-sdk/client-lambda')
const { startLambda } = require('../../../sandbox/lambda')
const { eventOf } = require('../../support/events')
const { clientOf, createFunction, startFunction } = require('./target')

/** @type {Awaited<ReturnType<typeof startGated>>} */
let target
afterEach(async () => {
  target?.release()
  await target?.close()
})

/** A service whose clock stands still until it is moved, and whose invocations run until they are released. */
async function startGated(options) {
  const startedAt = Date.now()
  let passed = 0
  /** @type {Array<() => void>} */
  const running = []
  const handler = () => new Promise(resolve => running.push(() => resolve('done')))
  const service = await startFunction({
    clock: () => startedAt + passed,
    handler,
    configuration: { Timeout: 900 },
    ...options,
  })
  return {
    ...service,
    /** What comes of an invocation: `done`, or the reason of its refusal. @param {string} [FunctionName] */
    invoke: FunctionName =>
      service.invoke({}, FunctionName && { FunctionName }).then(
        ({ payload }) => payload,
        error => `${error.$metadata.httpStatusCode} ${error.Reason ?? error.name}`,
      ),
    release() {
      for (const end of running.splice(0)) end()
    },
    /** @param {number} ms */
    pass(ms) {
      passed += ms
    },
  }
}

/** Starts so many, and returns when they run: what comes of them is waited for later. @param {number} count @param {string} [name] */
async function start(count, name) {
  let seen = 0
  const running = eventOf(target.service.events, 'run', () => {
    seen += 1
    return seen === count
  })
  const ended = Promise.all(Array.from({ length: count }, () => target.invoke(name)))
  await running
  return { ended }
}

describe('a call', () => {
  const minutes = count => ({ systemClockOffset: count * 60_000 })
  test.each([
    ['another secret', { secretAccessKey: 'x' }, {}, 'InvalidSignatureException', /does not match the signature/],
    ['another key', { accessKeyId: 'AKIAOTHER' }, {}, 'UnrecognizedClientException', /security token.*is invalid/],
    ['another region', { region: 'eu-west-1' }, {}, 'InvalidSignatureException', /scoped to a valid region/],
    ['a clock that is slow', {}, minutes(-6), 'InvalidSignatureException', /^Signature expired: /],
    ['a clock that is fast', {}, minutes(6), 'InvalidSignatureException', /^Signature not yet current: /],
  ])('with %s is refused', async (_, changed, options, name, message) => {
    target = await startGated()
    const client = clientOf({ ...target.service, ...changed }, options)
    await expect(client.send(new GetAccountSettingsCommand({}))).rejects.toMatchObject({
      name,
      message: expect.stringMatching(message),
      $metadata: { httpStatusCode: 403 },
    })
    client.destroy()
  })

  test.each([
    ['/2016-08-19/account-settings', {}, 403, 'MissingAuthenticationTokenException'],
    ['/2016-08-19/account-settings', { authorization: 'Bearer x' }, 400, 'IncompleteSignatureException'],
    ['/2015-03-31/nothing', {}, 404, 'UnknownOperationException'],
  ])('of %s with %j is refused', async (path, headers, status, type) => {
    target = await startGated()
    const response = await fetch(target.service.endpoint + path, { headers })
    expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([status, type])
  })
})

test('a new function is pending, and an update is in progress', async () => {
  target = await startGated({ pendingMs: 1000 })
  const configuration = () => target.client.send(new GetFunctionConfigurationCommand({ FunctionName: 'f' }))
  const update = more =>
    target.client.send(new UpdateFunctionConfigurationCommand({ FunctionName: 'f', ...more })).catch(({ name }) => name)
  expect(await configuration()).toMatchObject({ State: 'Pending' })
  expect([await target.invoke(), await update()]).toEqual([
    '409 ResourceConflictException',
    'ResourceConflictException',
  ])
  target.pass(1000)
  expect(await configuration()).toMatchObject({ State: 'Active', LastUpdateStatus: 'Successful', Timeout: 900 })
  await update({ MemorySize: 512 })
  expect(await configuration()).toMatchObject({ LastUpdateStatus: 'InProgress', MemorySize: 512, Timeout: 900 })
  expect(await update()).toBe('ResourceConflictException')
})

test.each([
  ['a name that is taken', { FunctionName: 'f' }, 'ResourceConflictException', /^Function already exist: f$/],
  ['a wrong name', { FunctionName: 'a b' }, 'ValidationException', /'functionName'/],
  ['no zip', { Code: { ZipFile: Buffer.from('x') } }, 'InvalidParameterValueException', /^Could not unzip/],
  ['a wrong role', { Role: 'me' }, 'ValidationException', /'role'/],
  ['a wrong runtime', { Runtime: 'nodejs8.10' }, 'ValidationException', /'runtime'/],
  ['too long', { Timeout: 901 }, 'ValidationException', /'timeout'.*less than or equal to 900/],
  ['too little memory', { MemorySize: 127 }, 'ValidationException', /'memorySize'.*equal to 128/],
  [
    'a variable of the service',
    { Environment: { Variables: { AWS_REGION: 'x' } } },
    'InvalidParameterValueException',
    /reserved keys.*AWS_REGION$/,
  ],
])('a function that cannot be created: %s', async (_, options, name, message) => {
  target = await startGated()
  await expect(createFunction(target.client, '', { FunctionName: 'g', ...options })).rejects.toMatchObject({
    name,
    message: expect.stringMatching(message),
  })
})

describe('the quota', () => {
  test("of the account's concurrency, and of what is reserved of it", async () => {
    target = await startGated({ limits: { concurrent: 5, unreserved: 2 } })
    const { client } = target
    await createFunction(client, '', { FunctionName: 'g' })
    const reserve = ReservedConcurrentExecutions =>
      client.send(new PutFunctionConcurrencyCommand({ FunctionName: 'f', ReservedConcurrentExecutions }))
    await expect(reserve(4)).rejects.toMatchObject({ name: 'InvalidParameterValueException' })
    await reserve(2)
    const own = await start(2)
    expect(await target.invoke()).toBe('429 ReservedFunctionConcurrentInvocationLimitExceeded')
    const others = await start(3, 'g')
    expect(await target.invoke('g')).toBe('429 ConcurrentInvocationLimitExceeded')
    target.release()
    expect([await own.ended, await others.ended].flat()).toEqual(Array(5).fill('done'))
    await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName: 'f' }))
    const freed = await start(5)
    target.release()
    await freed.ended
  })

  test('of invocations a second, for each unit of concurrency', async () => {
    target = await startGated({ limits: { concurrent: 2, ratePerConcurrency: 2 } })
    const once = async () => {
      const { ended } = await start(1)
      target.release()
      expect(await ended).toEqual(['done'])
    }
    for (let i = 0; i < 4; i++) await once()
    expect(await target.invoke()).toBe('429 FunctionInvocationRateLimitExceeded')
    target.pass(250)
    await once()
  })

  test('of new environments, refilled evenly; warm ones do not count', async () => {
    target = await startGated({ limits: { concurrent: 50, ramp: 4, rampMs: 1000 } })
    const { ended } = await start(4)
    target.pass(249)
    expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
    target.pass(1)
    const fifth = await start(1)
    target.release()
    await Promise.all([ended, fifth.ended])
    const warm = await start(5)
    expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
    target.release()
    expect(await warm.ended).toEqual(Array(5).fill('done'))
  })
})

test('an unknown fault, option or limit is refused', async () => {
  target = await startGated()
  expect(() => target.service.faults.add({ statusCode: 500 })).toThrow('a fault has no "statusCode"')
  await expect(startLambda({ proceses: 1 })).rejects.toThrow('unknown option of Lambda: proceses')
  await expect(startLambda({ limits: { concurent: 1 } })).rejects.toThrow('unknown limit of Lambda: concurent')
})
