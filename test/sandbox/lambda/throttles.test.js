'use strict'

/** Concurrency, rates and the ramp, by a clock that the test moves. Environments are functions in this process. */

const {
  DeleteFunctionConcurrencyCommand,
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  PutFunctionConcurrencyCommand,
} = require('@aws-sdk/client-lambda')
const { eventOf } = require('../../support/events')
const { createFunction, startFunction } = require('./target')

/** @type {Awaited<ReturnType<typeof startGated>>} */
let target
afterEach(async () => {
  target.release()
  await target.close()
})

/** A service whose invocations run until they are released. @param {import('../../../sandbox/lambda/types').LambdaOptions['limits']} limits */
async function startGated(limits) {
  const startedAt = Date.now()
  let passed = 0
  /** @type {Array<() => void>} */
  const running = []
  const handler = () => new Promise(resolve => running.push(() => resolve('done')))
  const service = await startFunction({
    clock: () => startedAt + passed,
    handler,
    limits,
    configuration: { Timeout: 900 },
  })
  return {
    ...service,
    /** What comes of an invocation: `done`, or the reason of its refusal. @param {string} [FunctionName] */
    invoke: FunctionName =>
      service.invoke({}, FunctionName && { FunctionName }).then(
        ({ payload }) => payload,
        error => `${error.$metadata.httpStatusCode} ${error.Reason}`,
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

test("the account's concurrency", async () => {
  target = await startGated({ concurrent: 3 })
  const { ended } = await start(3)
  expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
  target.release()
  expect(await ended).toEqual(['done', 'done', 'done'])
  const again = await start(3)
  target.release()
  expect(await again.ended).toEqual(['done', 'done', 'done'])
})

test('reserved concurrency is taken from the others, and limits its function', async () => {
  target = await startGated({ concurrent: 5, unreserved: 2 })
  const { client } = target
  await createFunction(client, '', { FunctionName: 'g' })
  const reserve = ReservedConcurrentExecutions =>
    client.send(new PutFunctionConcurrencyCommand({ FunctionName: 'f', ReservedConcurrentExecutions }))
  await expect(reserve(4)).rejects.toMatchObject({
    name: 'InvalidParameterValueException',
    message: expect.stringContaining('below its minimum value of [2].'),
  })
  await reserve(2)
  expect(await client.send(new GetFunctionConcurrencyCommand({ FunctionName: 'f' }))).toMatchObject({
    ReservedConcurrentExecutions: 2,
  })
  expect((await client.send(new GetAccountSettingsCommand({}))).AccountLimit).toMatchObject({
    ConcurrentExecutions: 5,
    UnreservedConcurrentExecutions: 3,
  })
  const own = await start(2)
  expect(await target.invoke()).toBe('429 ReservedFunctionConcurrentInvocationLimitExceeded')
  const others = await start(3, 'g')
  expect(await target.invoke('g')).toBe('429 ConcurrentInvocationLimitExceeded')
  target.release()
  await Promise.all([own.ended, others.ended])

  await client.send(new DeleteFunctionConcurrencyCommand({ FunctionName: 'f' }))
  expect(await client.send(new GetFunctionConcurrencyCommand({ FunctionName: 'f' }))).not.toHaveProperty(
    'ReservedConcurrentExecutions',
  )
  const freed = await start(5)
  target.release()
  await freed.ended
})

test('invocations a second, for each unit of concurrency', async () => {
  target = await startGated({ concurrent: 2, ratePerConcurrency: 2 })
  for (let i = 0; i < 4; i++) {
    const { ended } = await start(1)
    target.release()
    expect(await ended).toEqual(['done'])
  }
  expect(await target.invoke()).toBe('429 FunctionInvocationRateLimitExceeded')
  target.pass(250)
  const { ended } = await start(1)
  target.release()
  expect(await ended).toEqual(['done'])
})

test('new environments, refilled evenly; warm ones do not count', async () => {
  target = await startGated({ concurrent: 50, ramp: 4, rampMs: 1000 })
  const { ended } = await start(4)
  expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
  target.pass(249)
  expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
  target.pass(1)
  const fifth = await start(1)
  expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
  target.release()
  await Promise.all([ended, fifth.ended])
  const warm = await start(5)
  expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
  target.release()
  expect(await warm.ended).toEqual(Array(5).fill('done'))
  expect(target.service.events.counters.cold).toBe(5)
})
