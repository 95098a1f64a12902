'use strict'

/** Signatures, states, checks and the limit, with AWS's own client. */

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  UpdateFunctionConfigurationCommand,
} = require('@aws-sdk/client-lambda')
const { eventOf } = require('../../support/events')
const { clientOf, startFunction } = require('./target')

/** @type {Awaited<ReturnType<typeof startGated>>} */
let target
afterEach(async () => {
  target?.release()
  await target?.close()
})

/** Runs until a file is there. */
const GATED = `const { existsSync } = require('node:fs')
exports.handler = ({ gate }) => new Promise(resolve => {
  const timer = setInterval(() => {
    if (!existsSync(gate)) return
    clearInterval(timer)
    resolve('done')
  }, 10)
})`

/** A service whose clock stands still until it is moved, and whose invocations run until they are released. */
async function startGated(options) {
  const startedAt = Date.now()
  let passed = 0
  const folder = mkdtempSync(join(tmpdir(), 'xfer-test-'))
  const service = await startFunction({
    clock: () => startedAt + passed,
    source: GATED,
    configuration: { Timeout: 900 },
    ...options,
  })
  return {
    ...service,
    async close() {
      await service.close()
      rmSync(folder, { recursive: true })
    },
    /** What comes of an invocation: `done`, or the reason of its refusal. */
    invoke: () =>
      service.invoke({ gate: join(folder, 'open') }).then(
        ({ payload }) => payload,
        error => `${error.$metadata.httpStatusCode} ${error.Reason ?? error.name}`,
      ),
    release: () => writeFileSync(join(folder, 'open'), ''),
    /** @param {number} ms */
    pass(ms) {
      passed += ms
    },
  }
}

/** Starts so many, and returns when they run: what comes of them is waited for later. @param {number} count */
async function start(count) {
  let seen = 0
  const running = eventOf(target.service.events, 'run', () => {
    seen += 1
    return seen === count
  })
  const ended = Promise.all(Array.from({ length: count }, () => target.invoke()))
  await running
  return { ended }
}

describe('a call', () => {
  const minutes = count => ({ systemClockOffset: count * 60_000 })
  test.each([
    ['another secret', { secretAccessKey: 'x' }, {}, 'InvalidSignatureException', /does not match the signature/],
    ['another key', { accessKeyId: 'AKIAOTHER' }, {}, 'UnrecognizedClientException', /security token.*is invalid/],
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

test('more at once than the account may have are refused', async () => {
  target = await startGated({ concurrent: 3 })
  const { ended } = await start(3)
  expect(await target.invoke()).toBe('429 ConcurrentInvocationLimitExceeded')
  target.release()
  expect(await ended).toEqual(Array(3).fill('done'))
  expect(await target.invoke()).toBe('done')
})
